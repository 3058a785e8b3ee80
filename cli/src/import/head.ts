import { createHash } from "node:crypto";

const LINES_MAX = 100;
const BYTES_MAX = 2 * 1024 * 1024;
/** Of a line that is longer, the beginning is enough, and is the same however the log was compressed. */
const FIRST_LINE_BYTES_MAX = 1024 * 1024;
const HASH_SIGN = 35;
const NEWLINE = 10;

/** The beginning of a log. */
export interface LogHead {
  /** The first lines, headers included, blank ones not. */
  lines: Buffer[];
  /** SHA-256 of the first line that is no header, in hexadecimal; undefined for a log without one. */
  firstLine: string | undefined;
  /** What was read for it, and the reading that goes on behind. */
  read: Buffer[];
  rest: AsyncGenerator<Buffer, void, void>;
}

export async function readHead(content: AsyncGenerator<Buffer, void, void>): Promise<LogHead> {
  const read: Buffer[] = [];
  let bytes = 0;
  let newlines = 0;
  while (newlines < LINES_MAX && bytes < BYTES_MAX) {
    const next = await content.next();
    if (next.done === true) break;
    read.push(next.value);
    bytes += next.value.length;
    for (let at = next.value.indexOf(NEWLINE); at !== -1; at = next.value.indexOf(NEWLINE, at + 1)) newlines += 1;
  }
  const all = Buffer.concat(read);
  // The beginning of a line tells nothing of its format.
  const complete = all.subarray(0, all.lastIndexOf(NEWLINE) + 1);
  const lines = splitLines(complete.length > 0 ? complete : all).slice(0, LINES_MAX);
  const first = lines.find((line) => line[0] !== HASH_SIGN);
  return {
    lines,
    firstLine:
      first === undefined
        ? undefined
        : createHash("sha256").update(first.subarray(0, FIRST_LINE_BYTES_MAX)).digest("hex"),
    read,
    rest: content,
  };
}

/** The lines without their ends, blank ones left out. */
function splitLines(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let start = 0; start < bytes.length;) {
    const newline = bytes.indexOf(NEWLINE, start);
    const end = newline === -1 ? bytes.length : newline;
    const line = bytes.subarray(start, bytes[end - 1] === 13 ? end - 1 : end);
    if (line.length > 0) lines.push(line);
    start = end + 1;
  }
  return lines;
}
