import type { RunningProcesses } from "./processes.ts";

/** One line of the table. */
export interface Row {
  what: string;
  /** What DESIGN asks for; null for a figure without an aim. */
  aim: string | null;
  figure: string;
  /** Null without an aim. */
  met: boolean | null;
  /** What the machine itself does in the same run, where the aim is absolute. */
  machine: string | null;
}

export interface Bench {
  /** The repository's root. */
  root: string;
  /** An empty directory of this measurement's own; removed after it. */
  directory: string;
  /** Where the service writes CPU profiles; undefined for none. */
  profileDirectory: string | undefined;
  /** Everything started here is stopped after the measurement, whatever became of it. */
  processes: RunningProcesses;
  /** Tells the person who waits what is going on. */
  say(line: string): void;
}

export interface Measurement {
  /** What selects it on the command line. */
  name: string;
  /** Takes minutes and gigabytes, so it runs only when it is asked for. */
  isBig?: boolean;
  run(bench: Bench): Promise<Row[]>;
}
