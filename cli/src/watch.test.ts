import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createDocent } from "@docent/sdk";
import { sendJson, startTestServer, type TestServer } from "../../sdk/src/testing/http-server.ts";
import { createTerminal } from "./terminal.ts";
import { watchJob } from "./watch.ts";

let server: TestServer;
let stream: string;
beforeEach(async () => {
  server = await startTestServer(({ path }, response: ServerResponse) => {
    if (path.endsWith("/events")) response.end(stream);
    else sendJson(response, 200, { id: "job_1", status: "completed" });
  });
});
afterEach(() => server.close());

const event = (position: number, type: string, data: object): string =>
  `id: ${position}\nevent: ${type}\ndata: ${JSON.stringify({ position, type, data, createdAt: "2026-01-01T00:00:00Z" })}\n\n`;
const delta = (offset: number, text: string): string =>
  `event: delta\ndata: ${JSON.stringify({ type: "delta", data: { offset, text } })}\n\n`;
const done = event(4, "status", { status: "completed" });

/** What a watcher's live line and the lines above it were, in order. */
async function watch(isTTY: boolean, fromPrompt?: string): Promise<string> {
  let out = "";
  const output = { write: (text: string) => (out += text), isTTY, columns: 33 };
  const terminal = createTerminal({ stdin: Readable.from([]), stdout: output, stderr: output }, { NO_COLOR: "1" });
  const docent = createDocent({ baseUrl: server.url, apiKey: "k" });
  const job = await watchJob(terminal, docent, "prj_1", "job_1", { fromPrompt });
  expect(job.status).toBe("completed");
  return out;
}

test("on a terminal the live line has the last words of what the model writes", async () => {
  const said = { content: [{ type: "text", text: "I read the page first,\nthen I mend it." }] };
  stream =
    event(1, "message", { prompt: "mend it" }) +
    event(2, "prompt", {}) +
    delta(0, "I read the") +
    delta(10, " page first,\nthen") +
    delta(40, "\u001b]0;a gap") +
    delta(49, " was here") +
    delta(0, "   ") +
    event(3, "answer", said) +
    done;
  const out = await watch(true);
  expect(out).toMatch(/Waiting for a worker\r.* Thinking\r.* I read the\r/s);
  expect(out).toContain(" I read the page first, then\r");
  expect(out).toContain(" ]0;a gap was here\r");
  expect(out).toContain("· I read the page first, …\n");
  expect(out).not.toContain("\u001b]0");
});

test("a log has the finished lines alone", async () => {
  stream = event(1, "message", { prompt: "mend it" }) + delta(0, "I read") + done;
  expect(await watch(false)).toBe("› mend it\n");
});

test("what belongs to the messages before is not shown", async () => {
  stream = delta(0, "an old thought") + event(1, "message", { prompt: "go on" }) + delta(0, "a new one") + done;
  const out = await watch(true, "go on");
  expect(out).not.toContain("old thought");
  expect(out).toContain(" a new one\r");
});
