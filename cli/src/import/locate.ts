import { createHash, type Hash } from "node:crypto";

/** How far an import came, as the service tells it. */
export interface KnownImport {
  id: string;
  bytes: number;
  sha256: string;
}

/** Where to go on in a log. */
export interface LogPosition {
  bytes: number;
  /** The hash of the bytes before it. */
  hash: Hash;
  /** The position is inside a line, whose beginning was read. */
  isInsideLine: boolean;
  /** Imports of other logs: their bytes are not this one's. */
  others: string[];
  /** Imports that came further than this log goes: whether it is the same log cannot be told. */
  longer: KnownImport[];
  /** The log has nothing behind the position. */
  isAtEnd: boolean;
}

export function startOfLog(): LogPosition {
  return { bytes: 0, hash: createHash("sha256"), isInsideLine: false, others: [], longer: [], isAtEnd: false };
}

/** Compares what is imported with the log's own bytes, and finds the furthest import that is the log's own. */
export async function locate(
  content: AsyncIterable<Buffer>,
  known: readonly KnownImport[],
  onPiece: () => void,
): Promise<LogPosition> {
  const points = known.filter(({ bytes }) => bytes > 0).toSorted((a, b) => a.bytes - b.bytes);
  const hash = createHash("sha256");
  let position = startOfLog();
  const others: string[] = [];
  let bytes = 0;
  let next = 0;
  for await (const piece of content) {
    let start = 0;
    for (let point = points[next]; point !== undefined && point.bytes <= bytes + piece.length; point = points[next]) {
      const end = point.bytes - bytes;
      hash.update(piece.subarray(start, end));
      start = end;
      if (hash.copy().digest("hex") === point.sha256) {
        const isInsideLine = piece[end - 1] !== 10;
        position = { ...position, bytes: point.bytes, hash: hash.copy(), isInsideLine };
      } else others.push(point.id);
      next += 1;
    }
    hash.update(piece.subarray(start));
    bytes += piece.length;
    onPiece();
    // The rest tells nothing more; whether there is any is all that matters.
    if (next === points.length && bytes > position.bytes) break;
  }
  return { ...position, others, longer: points.slice(next), isAtEnd: bytes === position.bytes };
}
