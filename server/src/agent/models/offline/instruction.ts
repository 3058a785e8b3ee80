import type { ProblemKind } from "../../../workspace/docs/problem.ts";

/** One thing that `docent:offline` can do. Paths and globs are as the user wrote them. */
export type Instruction =
  | {
      type: "replace";
      find: string;
      replace: string;
      scope: "everywhere" | "prose";
      wholeWord: boolean;
      ignoreCase: boolean;
      glob?: string;
      /** False when the term had no quotes: then it must occur, or the words meant something else. */
      isQuoted: boolean;
    }
  | { type: "fix-links"; kinds: readonly ProblemKind[]; glob?: string }
  | { type: "move"; from: string; to: string }
  | { type: "add-page"; path: string; title: string; text: string; group?: string; after?: string }
  | { type: "set-field"; field: string; value: string | number | boolean | null; target: string };

/** Why a text is not an instruction although it looks like one. Undefined: it looks like none. */
export interface Doubt {
  doubt: string;
}
