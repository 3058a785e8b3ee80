import type { Block } from "./formats/format.ts";

/** A longer line is passed over. Log lines with headers and cookies have some 10 kB. */
const LINE_BYTES_MAX = 1024 * 1024;
const NEWLINE = 10;
const CARRIAGE_RETURN = 13;

export interface LineReader {
  /** A line without its end. */
  onLine(block: Block, start: number, end: number): void;
  /** A line that is too long; its beginning is in the block. */
  onLongLine(block: Block): void;
  /** Every line that ends in these bytes was given out; they follow those of the call before. */
  onBytes(bytes: Buffer): Promise<void>;
}

/**
 * Splits a log into lines.
 * @param isInsideLine The content begins inside a line, whose rest is passed over.
 * @returns The beginning of a line at the end, empty when the last line is complete.
 */
export async function readLines(
  content: AsyncIterable<Buffer>,
  isInsideLine: boolean,
  reader: LineReader,
): Promise<Buffer> {
  let carried: Buffer = Buffer.alloc(0);
  let isSkipping = isInsideLine;
  for await (const piece of content) {
    let bytes = carried.length === 0 ? piece : Buffer.concat([carried, piece]);
    carried = Buffer.alloc(0);
    if (isSkipping) {
      const newline = bytes.indexOf(NEWLINE);
      const end = newline === -1 ? bytes.length : newline + 1;
      await reader.onBytes(bytes.subarray(0, end));
      bytes = bytes.subarray(end);
      isSkipping = newline === -1;
    }
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    if (end > 0) {
      const block = readBlock(bytes.subarray(0, end));
      giveLines(block, reader);
      await reader.onBytes(block.bytes);
    }
    carried = bytes.subarray(end);
    if (carried.length > LINE_BYTES_MAX) {
      reader.onLongLine(readBlock(carried));
      await reader.onBytes(carried);
      carried = Buffer.alloc(0);
      isSkipping = true;
    }
  }
  return carried;
}

export function readBlock(bytes: Buffer): Block {
  return { bytes, text: bytes.toString("latin1") };
}

function giveLines(block: Block, reader: LineReader): void {
  const { text } = block;
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf("\n", start);
    const end = text.charCodeAt(newline - 1) === CARRIAGE_RETURN ? newline - 1 : newline;
    if (end > start) {
      if (end - start > LINE_BYTES_MAX)
        reader.onLongLine({ bytes: block.bytes.subarray(start, end), text: text.slice(start, end) });
      else reader.onLine(block, start, end);
    }
    start = newline + 1;
  }
}
