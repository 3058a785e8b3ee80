import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createDocent, type Docent } from "./sdk.ts";
import { startTestServer, type TestServer } from "./testing/http-server.ts";

let server: TestServer;
let answer: (response: ServerResponse) => void;
let docent: Docent;

beforeEach(async () => {
  server = await startTestServer((_, response) => answer(response));
  docent = createDocent({ baseUrl: server.url, adminToken: "t" });
});
afterEach(() => server.close());

const event = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;

test("progress is told until the work is done", async () => {
  answer = (response) => {
    response.write(event({ type: "progress", done: 1, total: 2 }));
    response.end(`: still at it\n\n${event({ type: "progress", done: 2, total: 2 })}${event({ type: "done" })}`);
  };
  const steps: number[][] = [];
  await docent.visits.rebuild("prj_1", { onProgress: (...step) => steps.push(step) });
  expect(steps).toEqual([
    [1, 2],
    [2, 2],
  ]);
  expect(server.requests[0]).toMatchObject({ method: "POST", path: "/v1/projects/prj_1/visits/rebuild" });
});

test("a visitor is named in the body", async () => {
  answer = (response) => response.end(event({ type: "done" }));
  await docent.visits.erase("prj_1", { ip: "192.0.2.1", userAgent: "x" });
  expect(JSON.parse(server.requests[0]?.body ?? "")).toEqual({ ip: "192.0.2.1", userAgent: "x" });
});

test("work that fails, and a stream that breaks off, throw", async () => {
  answer = (response) => response.end(event({ type: "failed", error: "The service stops." }));
  await expect(docent.visits.rebuild("prj_1")).rejects.toMatchObject({
    code: "work_failed",
    message: "The service stops.",
  });
  answer = (response) => response.end(event({ type: "progress", done: 1, total: 2 }));
  await expect(docent.visits.rebuild("prj_1")).rejects.toMatchObject({ code: "work_failed" });
});
