import "../server/src/version-guard.ts";
import { join, relative } from "node:path";
import { createTerminal } from "../cli/src/terminal.ts";
import { markRunning, takeDirectory } from "./demo/directory.ts";
import { findFreePort } from "./demo/port.ts";
import { startService, type RunningService } from "./demo/service.ts";
import { tellStory } from "./demo/story.ts";

const PORT = 4000;

const root = join(import.meta.dirname, "..");
const terminal = createTerminal(process, process.env);
const interrupted = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => interrupted.abort());

const began = performance.now();
let service: RunningService | undefined;
try {
  terminal.write(
    `\n${terminal.style("bold", "Docent: an instruction becomes a pull request, readers become numbers")}\n`,
  );
  const directory = await chooseDirectory();
  service = await startService(root, { directory, port: await choosePort(), signal: interrupted.signal });
  await markRunning(directory, service.url);
  const where = `data in ${relative(root, directory)}, up in ${secondsSince(began)}`;
  terminal.write(`${terminal.style("green", "✓")} ${service.url}  ${terminal.style("dim", where)}\n`);
  await tellStory(terminal, { root, directory, signal: interrupted.signal, ...service });
  terminal.write(terminal.style("dim", `\nAll of this took ${secondsSince(began)}.\n`));
  if (process.stdin.isTTY && process.stdout.isTTY) await stayUp(service);
} catch (error) {
  if (interrupted.signal.aborted) {
    process.exitCode = 130;
  } else {
    const message = error instanceof Error ? error.message : String(error);
    terminal.writeError(`\n${terminal.styleError("red", "✗ The demo failed.")} ${message}\n`);
    process.exitCode = 1;
  }
} finally {
  await service?.stop();
}
// A request that was under way when Ctrl-C came must not hold the process.
process.exit();

async function chooseDirectory(): Promise<string> {
  const { directory, others } = await takeDirectory(join(root, ".docent/demo"));
  for (const { pid, url } of others) {
    const where = url === undefined ? "is starting" : `is up at ${url}`;
    terminal.write(`Another demo ${where} (process ${pid}). This one gets a directory of its own.\n`);
  }
  return directory;
}

async function choosePort(): Promise<number> {
  const port = await findFreePort(PORT, "127.0.0.1");
  if (port !== PORT) terminal.write(`Port ${PORT} is taken, so this one listens on ${port}.\n`);
  return port;
}

async function stayUp({ ended }: RunningService): Promise<void> {
  terminal.write(`\n${terminal.style("bold", "The service stays up.")} Ctrl-C stops it.\n`);
  const stopped = new Promise<"interrupted">((resolve) => {
    if (interrupted.signal.aborted) resolve("interrupted");
    interrupted.signal.addEventListener("abort", () => resolve("interrupted"), { once: true });
  });
  if ((await Promise.race([ended, stopped])) !== "interrupted") throw new Error("The service has ended by itself.");
  terminal.write("\nStopping …\n");
}

function secondsSince(start: number): string {
  return `${((performance.now() - start) / 1000).toFixed(1)} s`;
}
