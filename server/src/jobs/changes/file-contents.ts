import { isUtf8 } from "node:buffer";

/** A file's text before and after. Null: it is not there, or no text. */
export interface FileContents {
  path: string;
  oldContent: string | null;
  newContent: string | null;
}

/** The text that bytes are; null when they are none. */
export function textOf(content: Uint8Array | null | undefined): string | null {
  if (content === null || content === undefined || content.includes(0) || !isUtf8(content)) return null;
  return Buffer.from(content).toString("utf8");
}
