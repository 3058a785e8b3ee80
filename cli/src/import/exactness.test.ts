import { gzipSync } from "node:zlib";
import { createDocent, DocentError, type Docent } from "@docent/sdk";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startImportServer, type ImportServer } from "../testing/import-server.ts";
import { CommandError } from "../failure.ts";
import { decompress } from "./compression.ts";
import { combined } from "./formats/combined.ts";
import { importLog } from "./import-log.ts";
import { openInput, type LogSource } from "./source.ts";

/**
 * Whatever happens to logs and to those who import them, each page view in them is stored once: logs that grow in the middle of a
 * line, are rotated, compressed and copied, and imports that end at any moment, also while the service still works for them.
 */

let server: ImportServer;
beforeAll(async () => {
  server = await startImportServer({ clock: () => new Date(Date.UTC(2026, 11, 1)) });
});
afterAll(() => server.close());

/** What an import dies of, or what it lives through, at one of its chunks. */
type Fate = "killed before" | "killed meanwhile" | "killed after" | "answer lost" | "busy";
interface Fault {
  chunk: number;
  fate: Fate;
}
interface Reading {
  /** Which of the logs, from the newest. */
  log: number;
  as: "file" | "gzip" | "members" | "stdin";
  /** Where the content is split into pieces, as shares of it. */
  splits: number[];
  chunkViews: number;
  fault: Fault | undefined;
}
type Step = { append: number[]; cut: number } | { rotate: true } | { read: Reading };

class Killed extends Error {}

const line = fc.integer({ min: 0, max: 9 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ append: fc.array(line, { maxLength: 12 }), cut: fc.integer({ min: 0, max: 60 }) }),
  },
  { weight: 1, arbitrary: fc.constant({ rotate: true as const }) },
  {
    weight: 5,
    arbitrary: fc.record({
      read: fc.record({
        log: fc.integer({ min: 0, max: 3 }),
        as: fc.constantFrom("file", "gzip", "members", "stdin"),
        splits: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 }),
        chunkViews: fc.integer({ min: 1, max: 5 }),
        fault: fc.option(
          fc.record({
            chunk: fc.integer({ min: 0, max: 3 }),
            fate: fc.constantFrom<Fate>("killed before", "killed meanwhile", "killed after", "answer lost", "busy"),
          }),
          { nil: undefined },
        ),
      }),
    }),
  },
);

/** The ten lines of all logs. The same line again is another view. */
function textOf(kind: number): { text: string; view: string | undefined } {
  const write = (path: string, status: number) =>
    `192.0.2.${kind} - - [21/Nov/2026:10:00:0${kind} +0000] "GET ${path} HTTP/1.1" ${status} 9 "-" "Firefox"\n`;
  const time = Date.UTC(2026, 10, 21, 10, 0, kind) / 1000;
  if (kind < 6) return { text: write(`/page-${kind}`, kind === 5 ? 404 : 200), view: `/page-${kind} ${time}` };
  if (kind === 6) return { text: write("/app.js", 200), view: undefined };
  if (kind === 7) return { text: write("/old", 301), view: undefined };
  return { text: kind === 8 ? "broken\r\n" : "\n", view: undefined };
}

interface Log {
  text: string;
  views: string[];
  /** The rest of a line whose beginning is written. */
  pending: string;
}

let logs = 0;
function createLog(): Log {
  // The first lines of logs differ, as their times do.
  logs += 1;
  const path = `/first-${logs}`;
  const text = `192.0.2.99 - - [21/Nov/2026:10:00:10 +0000] "GET ${path} HTTP/1.1" 200 9 "-" "Firefox"\n`;
  return { text, views: [`${path} ${Date.UTC(2026, 10, 21, 10, 0, 10) / 1000}`], pending: "" };
}

function append(log: Log, kinds: readonly number[], cut: number): void {
  const added = kinds.map(textOf);
  const whole = log.pending + added.map(({ text }) => text).join("");
  log.views.push(...added.flatMap(({ view }) => view ?? []));
  const written = Math.max(0, whole.length - cut);
  log.text += whole.slice(0, written);
  log.pending = whole.slice(written);
}

function pieces(content: Buffer, splits: readonly number[]): Buffer[] {
  const ends = [...splits.map((share) => Math.floor(share * content.length)), content.length].toSorted((a, b) => a - b);
  return ends.map((end, index) => content.subarray(ends[index - 1] ?? 0, end));
}

function openReading(log: Log, { as, splits }: Reading): LogSource {
  const plain = Buffer.from(log.text);
  const half = Math.floor(plain.length / 2);
  const stored =
    as === "gzip"
      ? gzipSync(plain)
      : as === "members"
        ? Buffer.concat([gzipSync(plain.subarray(0, half)), gzipSync(plain.subarray(half))])
        : plain;
  async function* read(): AsyncGenerator<Buffer, void, void> {
    yield* pieces(stored, splits);
  }
  if (as === "stdin") return openInput(read());
  const source: LogSource = {
    name: as,
    size: stored.length,
    bytesPassed: () => 0,
    open: () => decompress(read(), as),
    reopenable: async () => source,
    close: async () => {},
  };
  return source;
}

/** Lets an import die, or the way to the service fail, at a chunk. What the service has begun it ends, alone. */
function withFault(
  imports: Docent["imports"],
  fault: Fault | undefined,
  leftAlone: Promise<unknown>[],
): Docent["imports"] {
  let chunks = 0;
  let isKilled = false;
  let isOver = fault === undefined;
  return {
    ...imports,
    async storeChunk(...call) {
      if (isKilled) throw new Killed();
      const isHit = !isOver && chunks === fault?.chunk;
      chunks += 1;
      if (!isHit || fault === undefined) {
        const answer = imports.storeChunk(...call);
        leftAlone.push(answer.catch(() => {}));
        const result = await answer;
        if (isKilled) throw new Killed();
        return result;
      }
      isOver = true;
      isKilled = fault.fate.startsWith("killed");
      if (fault.fate === "killed before") throw new Killed();
      if (fault.fate === "busy") throw new DocentError("Later.", { status: 503, code: "unavailable", retryAfter: 1 });
      const answer = imports.storeChunk(...call);
      leftAlone.push(answer.catch(() => {}));
      if (fault.fate === "killed meanwhile") throw new Killed();
      await answer;
      if (fault.fate === "killed after") throw new Killed();
      throw new DocentError("The connection broke.", { status: 0, code: "unreachable" });
    },
  };
}

test("every page view of every log is stored once", { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 20 }), async (steps) => {
      const { projectId, key } = await server.createProject();
      const { imports } = createDocent({ baseUrl: server.url, apiKey: key });
      const leftAlone: Promise<unknown>[] = [];
      const all = [createLog()];

      const read = async (reading: Reading): Promise<void> => {
        const log = all[reading.log % all.length];
        if (log === undefined) return;
        const source = openReading(log, reading);
        try {
          await importLog(source, {
            imports: withFault(imports, reading.fault, leftAlone),
            projectId,
            format: combined,
            filter: { hosts: [], basePath: "" },
            isAnotherLog: false,
            chunkViews: reading.chunkViews,
            now: () => new Date(),
            pause: async () => {},
            onWait: () => {},
            onLines: () => {},
          });
        } catch (error) {
          // What cannot be read again is left to whoever else imports it: here, a chunk that was left alone.
          const isLeft =
            reading.as === "stdin" && error instanceof CommandError && error.message.includes("Something else");
          if (!(error instanceof Killed) && !isLeft) throw error;
        } finally {
          await source.close();
        }
      };

      for (const each of steps) {
        const [newest] = all;
        if ("read" in each) await read(each.read);
        else if ("rotate" in each) all.unshift(createLog());
        else if (newest !== undefined) append(newest, each.append, each.cut);
      }
      await Promise.all(leftAlone);
      for (const [index, log] of all.entries()) {
        append(log, [], 0);
        await read({ log: index, as: "file", splits: [0.3, 0.6], chunkViews: 3, fault: undefined });
      }
      expect(await server.storedViews(projectId)).toEqual(all.flatMap(({ views }) => views).toSorted());
    }),
    { numRuns: 60, endOnFailure: false },
  );
});
