import fastify, { type FastifyInstance } from "fastify";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { serveTracker } from "./tracker.ts";

let app: FastifyInstance;
let url: string;

beforeAll(async () => {
  app = fastify();
  await app.register(serveTracker);
  url = `${await app.listen({ host: "127.0.0.1", port: 0 })}/tracker.js`;
});
afterAll(() => app.close());

test("the script is less than 1 kB gzipped, and any site may load and keep it", async () => {
  const response = await fetch(url);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
  expect(response.headers.get("cache-control")).toMatch(/^public, max-age=[1-9]/);
  expect(response.headers.get("cross-origin-resource-policy")).toBe("cross-origin");
  expect(response.headers.get("access-control-allow-origin")).toBe("*");
  const script = Buffer.from(await response.arrayBuffer());
  expect(script.length).toBeGreaterThan(0);
  expect(gzipSync(script).length).toBeLessThan(1000);
});

test.each([
  ["its tag", (etag: string) => etag],
  ["its tag, weakened by a proxy", (etag: string) => `W/${etag}`],
  ["its tag among others", (etag: string) => `"older", ${etag}`],
  ["any tag", () => "*"],
])("a copy is not sent again to who has it: %s", async (_, tagsOf) => {
  const etag = (await fetch(url)).headers.get("etag") ?? "";
  const response = await fetch(url, { headers: { "if-none-match": tagsOf(etag) } });
  expect(response.status).toBe(304);
  expect(response.headers.get("etag")).toBe(etag);
  expect(response.headers.get("cache-control")).toMatch(/max-age/);
  expect(await response.text()).toBe("");
});

test("a copy of another version is replaced", async () => {
  const response = await fetch(url, { headers: { "if-none-match": '"older"' } });
  expect(response.status).toBe(200);
});
