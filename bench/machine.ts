import { cpus, loadavg, totalmem } from "node:os";
import { runGit } from "../server/src/git/git.ts";

/** The machine in one line, for the head of a table. */
export async function describeMachine(): Promise<string> {
  const processors = cpus();
  const version = (await runGit(["--version"])).stdout.toString("utf8").replace("git version", "git").trim();
  const memory = `${Math.round(totalmem() / 1024 ** 3)} GiB`;
  const model = (processors[0]?.model ?? "unknown").trim();
  return `${processors.length} × ${model}, ${memory}, ${process.platform} ${process.arch}, Node ${process.versions.node}, ${version}`;
}

/** How many processes wanted a processor in the last 5 minutes: far above the measurement's own 2 to 3, something else was running. */
export function describeLoad(): string {
  return `load average over 5 minutes ${(loadavg()[1] ?? 0).toFixed(1)}`;
}
