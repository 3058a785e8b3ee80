import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { readPidFile } from "../server/src/database/embedded/pid-file.ts";
import type { Service } from "./service.ts";

/** A process and all that came from it. */
export async function readTree(pid: number): Promise<number[]> {
  const parents = new Map<number, number[]>();
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    // The second field is the program's name in parentheses, which may hold anything; the parent is the second after it.
    const stat = await readFile(`/proc/${name}/stat`, "utf8").catch(() => "");
    const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
    parents.set(parent, [...(parents.get(parent) ?? []), Number(name)]);
  }
  const tree: number[] = [];
  for (const queue = [pid]; queue.length > 0;) {
    const next = queue.shift() ?? 0;
    tree.push(next);
    queue.push(...(parents.get(next) ?? []));
  }
  return tree;
}

/** PostgreSQL's processes. It is started by the service, but in no relation to it once it was adopted. */
export async function databaseProcesses({ data }: Service): Promise<number[]> {
  const server = await readPidFile(join(data, "postgres", "data"));
  return server === undefined ? [] : readTree(server.pid);
}
