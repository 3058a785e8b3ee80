import { readFile } from "node:fs/promises";
import { databaseProcesses, readTree } from "./process-tree.ts";
import type { Service } from "./service.ts";

/** Linux counts in ticks of a hundredth of a second, whatever the kernel's own clock: sysconf(3), `_SC_CLK_TCK`. */
const TICK_MS = 10;

/** The milliseconds of processor time that processes used themselves, and that their ended children used. From `/proc/<pid>/stat`. */
async function readCpuTime(pids: readonly number[]): Promise<{ own: number; children: number }> {
  let own = 0;
  let children = 0;
  for (const pid of pids) {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
    // The program's name in parentheses may hold anything; after it, utime is the 12th field and cstime the 15th: proc(5).
    const fields = stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .map(Number);
    own += ((fields[11] ?? 0) + (fields[12] ?? 0)) * TICK_MS;
    children += ((fields[13] ?? 0) + (fields[14] ?? 0)) * TICK_MS;
  }
  return { own, children };
}

/** The processor time in milliseconds that the service's parts used so far. `children`: git and the page parser. */
export async function readServiceCpuTime(
  service: Service,
): Promise<{ serve: number; children: number; postgres: number }> {
  const postgres = await databaseProcesses(service);
  const serve = await readCpuTime([service.pid]);
  // The long-lived ones count while they live, the others once they have ended.
  const live = (await readTree(service.pid)).filter((pid) => pid !== service.pid && !postgres.includes(pid));
  const children = await readCpuTime(live);
  const database = await readCpuTime(postgres);
  return { serve: serve.own, children: serve.children + children.own, postgres: database.own + database.children };
}
