import type { ImportStep } from "./progress.ts";

/** A page as requests of it are logged. */
export interface LoggedPage {
  /** Also with a query; see `collect/path.ts` for what becomes of it. */
  path: string;
  status: number;
  /** `text/markdown` where the log says that the client asked for Markdown or got it. */
  accept?: string;
}

/** A part of a log's page views. Each distinct text is there once; a view is one entry in each of the equally long columns. */
export interface LogChunk {
  step: ImportStep;
  addresses: readonly string[];
  userAgents: readonly string[];
  pages: readonly LoggedPage[];
  referrers: readonly string[];
  columns: {
    /** Seconds from the view before, from 1970 for the first; negative for a line that is out of order. */
    seconds: readonly number[];
    /** Positions in `addresses`, and so on. */
    addresses: readonly number[];
    userAgents: readonly number[];
    pages: readonly number[];
    referrers: readonly number[];
  };
  /** The views, by number from 0, whose readers sent Global Privacy Control. */
  globalPrivacyControl: readonly number[];
}

/** What is wrong with a chunk that the schema lets pass, naming the field; undefined for nothing. */
export function findChunkFault(chunk: LogChunk): string | undefined {
  const { columns, step } = chunk;
  const views = columns.seconds.length;
  if (step.to.bytes <= step.from.bytes) return "to.bytes must be more than from.bytes";
  for (const name of ["addresses", "userAgents", "pages", "referrers"] as const) {
    const column = columns[name];
    if (column.length !== views) return `views.${name} must have as many entries as views.seconds`;
    const count = chunk[name].length;
    const beyond = column.findIndex((position) => position >= count);
    if (beyond !== -1) return `views.${name}[${beyond}] must be less than the ${count} ${name} of the chunk`;
  }
  const unknown = chunk.globalPrivacyControl.find((view) => view >= views);
  return unknown === undefined ? undefined : `globalPrivacyControl must name views of the chunk; ${unknown} is none`;
}
