import { pipeline, Readable, type Transform } from "node:stream";
import { createGunzip, createZstdDecompress } from "node:zlib";
import { CommandError } from "../failure.ts";

/** Decompressed bytes come in pieces of this size. */
const PIECE_BYTES = 512 * 1024;

/** The compressed data ends before its end, or is damaged; what came before was passed on. */
export class DamagedLogError extends Error {
  override name = "DamagedLogError";
}

interface UnreadableKind {
  name: string;
  magic: readonly number[];
  command: string;
}

/** What people compress logs with that Node cannot read. */
const UNREADABLE: readonly UnreadableKind[] = [
  { name: "xz", magic: [0xfd, 0x37, 0x7a, 0x58, 0x5a], command: "xz -dc" },
  { name: "bzip2", magic: [0x42, 0x5a, 0x68], command: "bzip2 -dc" },
  { name: "zip", magic: [0x50, 0x4b, 0x03, 0x04], command: "unzip -p" },
];
const GZIP = [0x1f, 0x8b];
const ZSTD = [0x28, 0xb5, 0x2f, 0xfd];

/**
 * The content of gzip and zstd, recognised by their first bytes, also of several members one after the other; anything else as it is.
 * @throws DamagedLogError after the last readable piece.
 */
export async function* decompress(pieces: AsyncIterable<Buffer>, name: string): AsyncGenerator<Buffer, void, void> {
  const iterator = pieces[Symbol.asyncIterator]();
  try {
    const head = await readHead(iterator);
    if (head.length === 0) return;
    const starts = (magic: readonly number[]): boolean => magic.every((byte, index) => head[index] === byte);
    const unreadable = UNREADABLE.find(({ magic }) => starts(magic));
    if (unreadable !== undefined) {
      throw new CommandError(
        `${name} is compressed with ${unreadable.name}, which Docent does not read.`,
        `Decompress it on the way: ${unreadable.command} ${name === "stdin" ? "FILE" : name} | docent import -`,
      );
    }
    const rest = resume(head, iterator);
    if (starts(GZIP)) yield* through(() => createGunzip({ chunkSize: PIECE_BYTES }), rest, name);
    else if (starts(ZSTD)) yield* readFrames(rest, name);
    else yield* rest;
  } finally {
    await iterator.return?.();
  }
}

/** At least the bytes that tell what it is, unless there are fewer. */
async function readHead(iterator: AsyncIterator<Buffer>): Promise<Buffer> {
  let head: Buffer = Buffer.alloc(0);
  while (head.length < 5) {
    const next = await iterator.next();
    if (next.done === true) break;
    head = head.length === 0 ? next.value : Buffer.concat([head, next.value]);
  }
  return head;
}

async function* resume(head: Buffer, iterator: AsyncIterator<Buffer>): AsyncGenerator<Buffer, void, void> {
  yield head;
  for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
}

async function* through(
  createStream: () => Transform,
  pieces: AsyncIterable<Buffer>,
  name: string,
): AsyncGenerator<Buffer, void, void> {
  const stream = createStream();
  pipeline(Readable.from(pieces, { objectMode: false, highWaterMark: PIECE_BYTES }), stream, () => {});
  try {
    for await (const piece of stream) yield piece as Buffer;
  } catch (error) {
    throw asDamage(error, name);
  }
}

/**
 * Node's zstd stops after the first frame and passes the rest over without a word, while files of several frames are common
 * (pzstd writes them, and `cat`). So each frame gets a decompressor of its own, and `bytesWritten` says where it ended.
 */
async function* readFrames(pieces: AsyncIterable<Buffer>, name: string): AsyncGenerator<Buffer, void, void> {
  const iterator = pieces[Symbol.asyncIterator]();
  let waiting: Buffer = Buffer.alloc(0);
  for (;;) {
    const given: Buffer[] = [];
    let isOver = false;
    const feed = async function* (): AsyncGenerator<Buffer, void, void> {
      if (waiting.length > 0) {
        given.push(waiting);
        yield waiting;
      }
      for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) {
        given.push(next.value);
        yield next.value;
      }
      isOver = true;
    };
    const stream = createZstdDecompress({ chunkSize: PIECE_BYTES });
    yield* through(() => stream, feed(), name);
    const all = Buffer.concat(given);
    waiting = all.subarray(stream.bytesWritten);
    if (waiting.length === 0 && isOver) return;
    if (waiting.length === 0) {
      const next = await iterator.next();
      if (next.done === true) return;
      waiting = next.value;
    }
  }
}

function asDamage(error: unknown, name: string): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (!/^Z_|^ZSTD_|^ERR_.*ZSTD/.test(code)) return error;
  return new DamagedLogError(
    `${name} ends too early or is damaged: ${error instanceof Error ? error.message : code}.`,
    {
      cause: error,
    },
  );
}
