import { cpus, totalmem } from "node:os";
import { runGit } from "../server/src/git/git.ts";

/** The machine in one line, for the head of a table. */
export async function describeMachine(): Promise<string> {
  const processors = cpus();
  const version = (await runGit(["--version"])).stdout.toString("utf8").replace("git version", "git").trim();
  const memory = `${Math.round(totalmem() / 1024 ** 3)} GiB`;
  const model = (processors[0]?.model ?? "unknown").trim();
  return `${processors.length} × ${model}, ${memory}, ${process.platform} ${process.arch}, Node ${process.versions.node}, ${version}`;
}
