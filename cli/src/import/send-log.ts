import type { Docent, LogChunk, LogChunkResult } from "@docent/sdk";
import { createChunkBuilder } from "./chunk-builder.ts";
import type { Block, LoggedRequest, LogFormat } from "./formats/format.ts";
import { createPageViewCheck, type PageViewFilter } from "./page-view.ts";
import { readBlock, readLines } from "./read-lines.ts";
import { ImportMovedError, sendChunk, type ChunkSenderDependencies } from "./send-chunk.ts";
import type { LogStart } from "./start.ts";
import { addTally, createTally, reject, rejectLine, type Tally } from "./tally.ts";

/** The import is moved on at least this often, also where nothing counts. */
const CHUNK_BYTES_MAX = 64 * 1024 * 1024;
/** The service reads one chunk while it stores another. */
const IN_FLIGHT_MAX = 2;

export interface SendLogOptions extends ChunkSenderDependencies {
  imports: Docent["imports"];
  firstLine: string;
  format: LogFormat;
  filter: PageViewFilter;
  /** Lines are added when their chunk is stored. */
  tally: Tally;
  /** Lines read so far, stored or not. */
  onLines: (lines: number) => void;
  /** How many views a chunk has, about. */
  chunkViews?: number | undefined;
}

/**
 * Sends what is behind the start, chunk by chunk: they are stored while the next is read.
 * @returns How far it came, and whether it left the beginning of a line.
 * @throws ImportMovedError; nothing of the chunk that was refused is in the tally.
 */
export async function sendLog(
  { position, content, parser }: LogStart,
  options: SendLogOptions,
): Promise<{ bytes: number; leavesLine: boolean }> {
  const { format, filter, tally, firstLine } = options;
  const builder = createChunkBuilder(format.decode, { ownHosts: filter.hosts, viewsMax: options.chunkViews });
  const views = createPageViewCheck(filter);
  const hash = position.hash.copy();
  let bytes = position.bytes;
  let from = { bytes, sha256: hash.copy().digest("hex") };
  let ofChunk = createTally();
  let lines = 0;
  /** What is being sent, in order; the last two at most. */
  const sending: Promise<void>[] = [];

  // The line that is being parsed; a closure for each would cost more than the parsing.
  let current: { block: Block; start: number; end: number } = { block: readBlock(Buffer.alloc(0)), start: 0, end: 0 };
  const onRequest = (request: LoggedRequest): void => {
    const reason = views.check(request);
    if (reason === undefined) builder.add(request, views.path);
    else rejectLine(ofChunk, reason, current.block, current.start, current.end);
  };

  function onLine(block: Block, start: number, end: number): void {
    current.block = block;
    current.start = start;
    current.end = end;
    const kind = parser.parse(block, start, end, onRequest);
    if (kind === "header") return;
    ofChunk.lines += 1;
    lines += 1;
    if (kind === "malformed") rejectLine(ofChunk, "malformed_line", block, start, end);
    else if (kind === "other") rejectLine(ofChunk, "other_entry", block, start, end);
  }

  function onLongLine(block: Block): void {
    ofChunk.lines += 1;
    lines += 1;
    rejectLine(ofChunk, "line_too_long", block, 0, block.bytes.length);
  }

  async function onBytes(passed: Buffer): Promise<void> {
    hash.update(passed);
    bytes += passed.length;
    options.onLines(lines);
    if (builder.isFull() || bytes - from.bytes >= CHUNK_BYTES_MAX) await cut();
  }

  async function cut(): Promise<void> {
    if (bytes === from.bytes) return;
    const to = { bytes, sha256: hash.copy().digest("hex") };
    const chunk: LogChunk = { firstLine, from, to, others: position.others, ...builder.take() };
    const chunkTally = ofChunk;
    from = to;
    ofChunk = createTally();
    if (sending.length === IN_FLIGHT_MAX) await sending.shift();
    const storing = store(chunk, chunkTally, sending.at(-1));
    // Whoever waits for it learns of a failure.
    storing.catch(() => {});
    sending.push(storing);
  }

  async function store(chunk: LogChunk, chunkTally: Tally, before: Promise<void> | undefined): Promise<void> {
    const result = await sendInTurn(chunk, before);
    chunkTally.views = result.accepted;
    for (const { code, message, count, example } of result.rejected) {
      reject(chunkTally, code, { message, count, example: describeView(chunk, example) });
    }
    addTally(tally, chunkTally);
  }

  /** A chunk that overtook the one before it on its way is refused, and sent again in its turn. */
  async function sendInTurn(chunk: LogChunk, before: Promise<void> | undefined): Promise<LogChunkResult> {
    try {
      return await sendChunk(options, chunk);
    } catch (error) {
      if (before === undefined || !(error instanceof ImportMovedError)) throw error;
      await before;
      return await sendChunk(options, chunk);
    }
  }

  const unfinished = await readLines(content, position.isInsideLine, { onLine, onLongLine, onBytes });
  const isTaken = unfinished.length > 0 && takeUnfinished(unfinished);
  if (isTaken) await onBytes(unfinished);
  await cut();
  for (const each of sending) await each;
  return { bytes: from.bytes, leavesLine: unfinished.length > 0 && !isTaken };

  /** A whole request without a line end is one; anything else may still be written to. */
  function takeUnfinished(line: Buffer): boolean {
    const block = readBlock(line);
    const isRequest = parser.parse(block, 0, line.length, () => {}) === "requests";
    if (isRequest) onLine(block, 0, line.length);
    return isRequest;
  }
}

function describeView({ pages, views }: LogChunk, view: number): string {
  const page = pages[views.pages[view] ?? -1];
  const seconds = views.seconds.slice(0, view + 1).reduce((sum, each) => sum + each, 0);
  const time = new Date(seconds * 1000);
  return `${Number.isNaN(time.getTime()) ? "?" : time.toISOString()} ${page?.path ?? ""} ${page?.status ?? ""}`;
}
