import { readFile, readlink } from "node:fs/promises";
import { basename } from "node:path";
import { readTree } from "./process-tree.ts";

/** Resident memory of a process in bytes, and the most that it ever had. From `/proc/<pid>/status`, so Linux only. */
export async function readResident(pid: number): Promise<{ now: number; peak: number }> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return { now: kilobytes(status, "VmRSS"), peak: kilobytes(status, "VmHWM") };
}

/** The memory of a group of processes in bytes, pages that they share counted once: the sum of their proportional sets. */
export async function readProportional(pids: readonly number[]): Promise<number> {
  let sum = 0;
  for (const pid of pids) {
    const rollup = await readFile(`/proc/${pid}/smaps_rollup`, "utf8").catch(() => "");
    sum += kilobytes(rollup, "Pss");
  }
  return sum;
}

export interface ChildrenMemory {
  /** The most that all of them held at one moment, in bytes. */
  sum: number;
  /** The most that one process ever held, by the name of its program (`git`, `node`). */
  largest: Map<string, number>;
}

/** Watches the processes that come from one, PostgreSQL's left out. Pages of a file that several map count for each. */
export function watchChildren(pid: number, everyMs: number): { stop(): Promise<ChildrenMemory> } {
  const seen: ChildrenMemory = { sum: 0, largest: new Map() };
  let watching = true;
  const watch = (async () => {
    while (watching) {
      let sum = 0;
      for (const child of await readTree(pid)) {
        const program = await readlink(`/proc/${child}/exe`).then(basename, () => "");
        if (child === pid || program === "" || program === "postgres") continue;
        const { now, peak } = await readResident(child).catch(() => ({ now: 0, peak: 0 }));
        sum += now;
        seen.largest.set(program, Math.max(seen.largest.get(program) ?? 0, peak));
      }
      seen.sum = Math.max(seen.sum, sum);
      await new Promise((resolve) => setTimeout(resolve, everyMs));
    }
  })();
  return {
    async stop() {
      watching = false;
      await watch;
      return seen;
    },
  };
}

function kilobytes(text: string, field: string): number {
  const found = new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(text)?.[1];
  return found === undefined ? 0 : Number(found) * 1024;
}
