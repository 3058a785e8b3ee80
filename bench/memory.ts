import { readFile } from "node:fs/promises";
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

/** Watches the children of a process, and gives the most memory that they held at one moment, and which one held the most. */
export function watchChildren(pid: number, everyMs: number): { stop(): Promise<{ sum: number; largest: number }> } {
  let sum = 0;
  let largest = 0;
  let watching = true;
  const watch = (async () => {
    while (watching) {
      const children = (await readTree(pid)).filter((child) => child !== pid);
      const sizes = await Promise.all(children.map((child) => readResident(child).catch(() => ({ now: 0, peak: 0 }))));
      sum = Math.max(
        sum,
        sizes.reduce((total, { now }) => total + now, 0),
      );
      largest = Math.max(largest, ...sizes.map(({ peak }) => peak));
      await new Promise((resolve) => setTimeout(resolve, everyMs));
    }
  })();
  return {
    async stop() {
      watching = false;
      await watch;
      return { sum, largest };
    },
  };
}

function kilobytes(text: string, field: string): number {
  const found = new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(text)?.[1];
  return found === undefined ? 0 : Number(found) * 1024;
}
