export type ProblemKind = "link" | "anchor" | "image" | "navigation" | "redirect" | "syntax" | "front-matter";

/** One defect of the documentation, at the place where a person would mend it. */
export interface Problem {
  kind: ProblemKind;
  path: string;
  /** 1-based. */
  line: number;
  /** 1-based, in UTF-16 code units. */
  column: number;
  /** One sentence: what is wrong. */
  message: string;
  /** The link, image or navigation entry exactly as written in the file. Absent for syntax problems. */
  target?: string;
  /** What to write in place of `target`, only where exactly one answer is certain. */
  suggestion?: string;
}
