import { BROKEN_PIPE_EXIT_CODE, onBrokenPipe } from "./broken-pipe.ts";
import { runCli } from "./cli.ts";
import { createTerminal } from "./terminal.ts";

const isService = ["serve", "worker"].includes(process.argv[2] ?? "");
// A service outlives whoever read its banner.
onBrokenPipe([process.stdout, process.stderr], () => isService || process.exit(BROKEN_PIPE_EXIT_CODE));

const terminal = createTerminal(process, process.env);
const stopped = new AbortController();
const watching = ["job", "rebuild", "erase", "eval"].includes(process.argv[2] ?? "");
if (watching) process.once("SIGINT", () => stopped.abort());

process.exitCode = await runCli(process.argv.slice(2), {
  terminal,
  env: process.env,
  fetch: globalThis.fetch,
  now: () => new Date(),
  signal: stopped.signal,
});
