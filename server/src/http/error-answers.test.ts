import Fastify from "fastify";
import { expect, test } from "vitest";
import { ApiError } from "../errors.ts";
import { createErrorHandler } from "./error-answers.ts";

function createApp(fail: () => Error) {
  const lines: string[] = [];
  let time = 0;
  const app = Fastify();
  app.setErrorHandler(
    createErrorHandler(
      (line) => lines.push(line),
      () => time,
    ),
  );
  for (const path of ["/a", "/b"]) {
    app.get(path, async () => {
      throw fail();
    });
  }
  const get = async (path: string): Promise<number> => (await app.inject(path)).statusCode;
  return { get, lines, wait: (milliseconds: number) => (time += milliseconds) };
}

test("an overload is logged once a second for each operation, and without a stack", async () => {
  const { get, lines, wait } = createApp(() => new ApiError("unavailable", { message: "Too much waits." }));
  for (const path of ["/a", "/a", "/b", "/a"]) expect(await get(path)).toBe(503);
  expect(lines).toEqual([
    expect.stringMatching(/^unavailable: GET \/a, request \S+: Too much waits\.$/),
    expect.stringMatching(/^unavailable: GET \/b, request \S+: Too much waits\.$/),
  ]);
  wait(1_000);
  await get("/a");
  expect(lines).toHaveLength(3);
});

test("a fault of the service is logged each time, with its stack", async () => {
  const { get, lines } = createApp(() => new Error("broken inside"));
  for (const path of ["/a", "/a"]) expect(await get(path)).toBe(500);
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatch(/^internal: GET \/a, request \S+: Error: broken inside\n +at /);
});
