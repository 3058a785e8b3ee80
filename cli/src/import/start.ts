import type { Docent } from "@docent/sdk";
import { CommandError } from "../failure.ts";
import type { LineParser, LogFormat } from "./formats/format.ts";
import type { LogHead } from "./head.ts";
import { locate, startOfLog, type LogPosition } from "./locate.ts";
import { readLines } from "./read-lines.ts";
import type { LogSource } from "./source.ts";

/** Where a log is read on, and how. */
export interface LogStart {
  position: LogPosition;
  /** What comes behind the position. */
  content: AsyncIterable<Buffer>;
  parser: LineParser;
  /** To look again with; null for what can be read once only. */
  source: LogSource | null;
}

export interface StartOptions {
  imports: Docent["imports"];
  projectId: string;
  firstLine: string;
  format: LogFormat;
  /** A log that begins like a longer one that is imported is another one. */
  isAnotherLog: boolean;
  /** Called while what is imported is compared with the log. */
  onCompare: () => void;
}

/** Asks how far the log is imported. Continues the reading of its head where nothing is. */
export async function findFirstStart(source: LogSource, head: LogHead, options: StartOptions): Promise<LogStart> {
  const known = await findKnown(options);
  if (known.length > 0) {
    const again = await source.reopenable(head.read, head.rest);
    await head.rest.return();
    return await startBehind(again, known, options);
  }
  return {
    position: startOfLog(),
    content: resume(head),
    parser: options.format.createParser(),
    source: source.size === null ? null : source,
  };
}

/** Asks again, after somebody else has moved the import. */
export async function findNextStart(source: LogSource, options: StartOptions): Promise<LogStart> {
  return await startBehind(source, await findKnown(options), options);
}

async function findKnown({ imports, projectId, firstLine }: StartOptions) {
  return await imports.find(projectId, firstLine);
}

async function startBehind(
  source: LogSource,
  known: Awaited<ReturnType<typeof findKnown>>,
  { format, isAnotherLog, onCompare }: StartOptions,
): Promise<LogStart> {
  const position = await locate(source.open(), known, onCompare);
  if (position.longer.length > 0 && !position.isAtEnd) {
    if (!isAnotherLog) throw beginsLikeLongerLog(source.name, position);
    position.others.push(...position.longer.map(({ id }) => id));
  }
  const parser = format.createParser();
  if (format.remembers) {
    const lines = { onLine: parseOnly, onLongLine: () => {}, onBytes: async () => {} };
    await readLines(limit(source.open(), position.bytes), false, lines);
  }
  return { position, content: skip(source.open(), position.bytes), parser, source };

  function parseOnly(...line: Parameters<typeof parser.parse> extends [...infer Line, unknown] ? Line : never): void {
    parser.parse(...line, () => {});
  }
}

function beginsLikeLongerLog(name: string, { longer }: LogPosition): CommandError {
  const bytes = Math.max(...longer.map((each) => each.bytes));
  return new CommandError(
    `${name} begins with the first line of a log that is imported further, up to byte ${bytes}, than this one goes. Nothing of it was counted, since it may be an earlier copy of that log.`,
    "If it is another log, pass --another-log.",
  );
}

async function* resume({ read, rest }: LogHead): AsyncGenerator<Buffer, void, void> {
  yield* read;
  yield* rest;
}

async function* skip(content: AsyncIterable<Buffer>, bytes: number): AsyncGenerator<Buffer, void, void> {
  let left = bytes;
  for await (const piece of content) {
    if (left < piece.length) yield left === 0 ? piece : piece.subarray(left);
    left = Math.max(0, left - piece.length);
  }
}

async function* limit(content: AsyncIterable<Buffer>, bytes: number): AsyncGenerator<Buffer, void, void> {
  let left = bytes;
  for await (const piece of content) {
    if (left <= 0) return;
    yield piece.subarray(0, left);
    left -= piece.length;
  }
}
