import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startCollector, type Collector } from "./testing/collector.ts";

let collector: Collector;
beforeEach(async () => {
  collector = await startCollector();
});
afterEach(() => collector.close());

const SOURCE = join(import.meta.dirname, "middleware.ts");
/** The file that `npm run generate` writes for servers that know no TypeScript. */
const PLAIN = join(import.meta.dirname, "../../middleware.mjs");

async function startServer(middleware: string, deadlineMs = 30_000) {
  const program = join(import.meta.dirname, "testing/server-process.ts");
  const child = spawn(process.execPath, [program, middleware, collector.url, String(deadlineMs)], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const exited = once(child, "exit");
  const [port] = await once(child.stdout, "data");
  return {
    get: (path: string) =>
      fetch(`http://127.0.0.1:${String(port).trim()}${path}`, { headers: { connection: "close" } }),
    stop: () => child.kill("SIGTERM"),
    exited,
  };
}

test.each([
  ["from its source", SOURCE],
  ["as one plain file", PLAIN],
])("a server that is told to stop sends what waits before it ends, %s", async (_, middleware) => {
  const server = await startServer(middleware);
  await server.get("/a");
  await server.get("/b");
  server.stop();
  expect(await server.exited).toEqual([0, null]);
  expect(collector.stored.map(({ path }) => path)).toEqual(["/a", "/b"]);
});

test("a process that has nothing else to do ends by itself, and sends what waits", async () => {
  const server = await startServer(SOURCE);
  await server.get("/last");
  expect(await server.exited).toEqual([0, null]);
  expect(collector.stored.map(({ path }) => path)).toEqual(["/last"]);
});

test("a process ends within the time that it gave, also where Docent hangs", async () => {
  collector.behaviour = "hang";
  const server = await startServer(SOURCE, 100);
  await server.get("/last");
  await collector.requested(1);
  expect(await server.exited).toEqual([0, null]);
  expect(collector.stored).toEqual([]);
});
