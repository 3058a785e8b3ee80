import { randomBytes } from "node:crypto";
import { CommandError } from "../failure.ts";
import { DamagedLogError } from "./compression.ts";
import type { LogFormat } from "./formats/format.ts";
import { detectFormat, FORMATS, namesHosts } from "./formats/formats.ts";
import { readHead, type LogHead } from "./head.ts";
import type { PageViewFilter } from "./page-view.ts";
import { ImportMovedError } from "./send-chunk.ts";
import { sendLog, type SendLogOptions } from "./send-log.ts";
import type { LogSource } from "./source.ts";
import { askPatiently } from "./patience.ts";
import { findFirstStart, findNextStart } from "./start.ts";
import { createTally, type Tally } from "./tally.ts";

/** Somebody else who imports the same log moves it on; after this many times it is left to them. */
const STARTS_MAX = 4;

export interface ImportLogOptions extends Pick<
  SendLogOptions,
  "imports" | "projectId" | "now" | "pause" | "onWait" | "onLines" | "chunkViews"
> {
  /** Undefined to tell by the first lines. */
  format: LogFormat | undefined;
  filter: PageViewFilter;
  /** A log that begins like a longer one that is imported is another one. */
  isAnotherLog: boolean;
}

export interface LogReport {
  name: string;
  /** Null for a log without a line. */
  format: LogFormat | null;
  /** Uncompressed bytes that were imported before. */
  bytesBefore: number;
  /** And now. */
  bytes: number;
  tally: Tally;
  /** The last line is not finished; it is left for the next import. */
  leavesLine: boolean;
  /** Why the log could not be read to its end; what was read is imported. Null when it was. */
  damage: string | null;
}

/** Imports what is new of a log. @throws CommandError where the log or the options do not let it. */
export async function importLog(given: LogSource, options: ImportLogOptions): Promise<LogReport> {
  let damage: string | null = null;
  const source = tolerateDamage(given, (message) => (damage = message));
  const tally = createTally();
  const report = { name: given.name, format: null, bytesBefore: 0, bytes: 0, tally, leavesLine: false };
  const head = await readHead(source.open());
  const { firstLine } = head;
  if (firstLine === undefined) return { ...report, damage };

  const format = options.format ?? detect(given.name, head);
  requireHosts(given.name, head, format, options.filter);
  const { imports, projectId, isAnotherLog } = options;
  const onCompare = (): void => options.onLines(0);
  const startOptions = { imports, projectId, firstLine, format, isAnotherLog, onCompare };
  // A service that is away before anything began is more likely a wrong address.
  const patientImports: typeof imports = {
    ...imports,
    find: (...request) => askPatiently(() => imports.find(...request), options),
  };
  let start = await findFirstStart(source, head, startOptions);
  const bytesBefore = start.position.bytes;
  for (let starts = 1; ; starts += 1) {
    if (start.position.isAtEnd) {
      return { ...report, format, bytesBefore, bytes: start.position.bytes, damage };
    }
    try {
      const importId = `imp_${randomBytes(16).toString("hex")}`;
      const end = await sendLog(start, { ...options, format, firstLine, importId, tally });
      return { ...report, ...end, format, bytesBefore, damage };
    } catch (error) {
      if (!(error instanceof ImportMovedError)) throw error;
      if (start.source === null || starts === STARTS_MAX) throw importedElsewhere(given.name);
      start = await findNextStart(start.source, { ...startOptions, imports: patientImports });
    }
  }
}

/** What can be read of a damaged log is read. */
function tolerateDamage(source: LogSource, onDamage: (message: string) => void): LogSource {
  return {
    ...source,
    async *open() {
      try {
        yield* source.open();
      } catch (error) {
        if (!(error instanceof DamagedLogError)) throw error;
        onDamage(error.message);
      }
    },
    reopenable: async (read, rest) => tolerateDamage(await source.reopenable(read, rest), onDamage),
  };
}

function detect(name: string, { lines }: LogHead): LogFormat {
  const format = detectFormat(lines);
  if (format !== undefined) return format;
  const names = FORMATS.map((each) => each.name).join(", ");
  throw new CommandError(
    `The first lines of ${name} are of no log format that Docent knows.`,
    `It knows ${names}. If most lines are of one of these, name it with --format.`,
  );
}

function requireHosts(name: string, { lines }: LogHead, format: LogFormat, { hosts }: PageViewFilter): void {
  if (hosts.length === 0 || namesHosts(format, lines)) return;
  throw new CommandError(
    `The lines of ${name} do not name their host, so --host cannot filter them.`,
    "Leave --host out, or have the virtual host logged in front of each line.",
  );
}

function importedElsewhere(name: string): CommandError {
  return new CommandError(
    `Something else imports ${name} at this moment.`,
    "Run the command again when it has ended. Nothing is lost or counted twice.",
  );
}
