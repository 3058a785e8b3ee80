import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import type { Bench, Measurement } from "../measurement.ts";
import { timeJob } from "../project.ts";
import { setStage } from "../stage.ts";

const WARM_UP = 3;
const JOBS = 20;

/** The git processes that a two-step job starts, counted by a program called `git` that stands before git in the PATH. */
export const gitProcesses: Measurement = {
  name: "git",
  async run(bench: Bench) {
    const path = process.env["PATH"] ?? "";
    const programs = join(bench.directory, "programs");
    const calls = join(bench.directory, "git-calls.txt");
    await mkdir(programs);
    const script = `#!/bin/sh\necho "$*" >> '${calls}'\nPATH='${path}' exec git "$@"\n`;
    await writeFile(join(programs, "git"), script);
    await chmod(join(programs, "git"), 0o755);
    const { project, nextOrder } = await setStage(bench, { PATH: `${programs}${delimiter}${path}` });
    for (let index = 0; index < WARM_UP; index += 1) await timeJob(project, nextOrder().prompt);
    await writeFile(calls, "");
    for (let index = 0; index < JOBS; index += 1) await timeJob(project, nextOrder().prompt);

    const counts = new Map<string, number>();
    for (const call of (await readFile(calls, "utf8")).split("\n").filter(Boolean)) {
      const command = call.split(" ").find((word) => !word.startsWith("-")) ?? "";
      counts.set(command, (counts.get(command) ?? 0) + 1);
    }
    const sum = [...counts.values()].reduce((total, count) => total + count, 0);
    const each = [...counts].map(([command, count]) => `${command} ${count / JOBS}`).join(", ");
    const longLived = "one cat-file and one update-ref live on per repository";
    return [
      {
        what: "git processes per two-step job",
        aim: null,
        figure: String(sum / JOBS),
        met: null,
        machine: each === "" ? longLived : each,
      },
    ];
  },
};
