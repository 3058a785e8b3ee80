import { createReadStream, createWriteStream } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { CommandError } from "../failure.ts";
import { decompress } from "./compression.ts";

const READ_BYTES = 1024 * 1024;

/** A log's content, decompressed. */
export interface LogSource {
  name: string;
  /** Bytes as they are stored, null when that is not known. */
  size: number | null;
  /** Of these, how many the present reading has passed. */
  bytesPassed(): number;
  /** Reads it from its start; a second time only what can be. */
  open(): AsyncGenerator<Buffer, void, void>;
  /** A source with the same content that can be opened again; `read` is what was read of this one, `rest` the reading itself. */
  reopenable(read: readonly Buffer[], rest: AsyncIterator<Buffer>): Promise<LogSource>;
  close(): Promise<void>;
}

export async function openFile(path: string): Promise<LogSource> {
  const { size } = await statFile(path);
  let passed = 0;
  const source: LogSource = {
    name: path,
    size,
    bytesPassed: () => passed,
    open() {
      passed = 0;
      const read = async function* (): AsyncGenerator<Buffer, void, void> {
        for await (const piece of createReadStream(path, { highWaterMark: READ_BYTES })) {
          const bytes = piece as Buffer;
          passed += bytes.length;
          yield bytes;
        }
      };
      return decompress(read(), path);
    },
    reopenable: async () => source,
    close: async () => {},
  };
  return source;
}

/** Reads it once; what is needed again is put into a temporary file. */
export function openInput(stdin: AsyncIterable<Uint8Array | string>): LogSource {
  let passed = 0;
  let spool: string | undefined;
  return {
    name: "stdin",
    size: null,
    bytesPassed: () => passed,
    open() {
      const read = async function* (): AsyncGenerator<Buffer, void, void> {
        for await (const piece of stdin) {
          const bytes =
            typeof piece === "string"
              ? Buffer.from(piece)
              : Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
          passed += bytes.length;
          yield bytes;
        }
      };
      return decompress(read(), "stdin");
    },
    async reopenable(alreadyRead, rest) {
      spool = await mkdtemp(join(tmpdir(), "docent-import-"));
      const file = join(spool, "log");
      const all = async function* (): AsyncGenerator<Buffer, void, void> {
        yield* alreadyRead;
        for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
      };
      await pipeline(all, createWriteStream(file, { mode: 0o600 }));
      return { ...(await openFile(file)), name: "stdin" };
    },
    async close() {
      if (spool !== undefined) await rm(spool, { recursive: true, force: true });
    },
  };
}

async function statFile(path: string): Promise<{ size: number }> {
  try {
    const found = await stat(path);
    if (found.isDirectory()) {
      throw new CommandError(`${path} is a directory.`, `Name the logs in it: docent import ${join(path, "*")}`);
    }
    return found;
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}
