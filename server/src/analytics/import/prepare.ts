import type { View } from "../view.ts";
import type { LogChunk } from "./chunk.ts";

/** Views of a chunk that do not count, for one reason. */
export interface Rejection {
  /** Stable. */
  code: string;
  message: string;
  count: number;
  /** The first of them, by its number in the chunk. */
  example: number;
}

export interface PreparedChunk {
  views: View[];
  rejected: Rejection[];
}

export type PrepareChunk = (projectId: string, chunk: LogChunk) => Promise<PreparedChunk>;
