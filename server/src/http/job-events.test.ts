import { request as httpRequest, type IncomingMessage } from "node:http";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { JobDelta } from "../jobs/deltas.ts";
import type { JobEvent } from "../jobs/job.ts";
import { startTestServer, type TestServer } from "./testing/server.ts";

const HEARTBEAT_MS = 40;

let server: TestServer;
let projectId: string;
let key: string;
let jobId: string;

beforeEach(async () => {
  server = await startTestServer({ heartbeatMs: HEARTBEAT_MS });
  ({ projectId, key } = await server.createProject());
  const created = await server.jobs.create(projectId, { prompt: "First" });
  if ("refused" in created) throw new Error(created.refused);
  jobId = created.job.id;
});
afterEach(() => server.close());

/** Opens the stream and hands out what arrives. */
function open(headers: Record<string, string> = {}): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const url = `${server.url}/v2/agent/${projectId}/job/${jobId}/events`;
    httpRequest(url, { headers: { authorization: `Bearer ${key}`, ...headers } }, resolve)
      .on("error", reject)
      .end();
  });
}

/** Reads until the text so far satisfies the condition, or to the end. */
async function readUntil(stream: IncomingMessage, isEnough: (text: string) => boolean): Promise<string> {
  let text = "";
  stream.setEncoding("utf8");
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    text += chunk;
    if (isEnough(text)) break;
  }
  return text;
}

function eventsIn(text: string): JobEvent[] {
  return [...text.matchAll(/^data: (.*)$/gm)].map((match) => JSON.parse(match[1] ?? ""));
}

async function message(prompt: string): Promise<void> {
  await server.jobs.message(projectId, jobId, { prompt });
  server.announce(jobId);
}

test("tells what was, then what comes, and ends when the job is archived", async () => {
  const stream = await open();
  expect(stream.statusCode).toBe(200);
  expect(stream.headers["content-type"]).toBe("text/event-stream; charset=utf-8");
  expect(stream.headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
  const past = await readUntil(stream, (text) => text.includes("data:"));
  expect(past).toMatch(/^retry: \d+\n\nid: 1\nevent: message\ndata: \{.*\}\n\n/);
  await message("Second\nline");
  const next = await readUntil(stream, (text) => text.includes("Second"));
  expect(eventsIn(next)).toMatchObject([{ position: 2, type: "message", data: { prompt: "Second\nline" } }]);
  await server.jobs.archive(projectId, jobId);
  server.announce(jobId);
  const rest = await readUntil(stream, () => false);
  expect(eventsIn(rest)).toMatchObject([{ position: 3, type: "status", data: { status: "archived" } }]);
});

test("goes on after Last-Event-ID, and refuses one that is none", async () => {
  await message("Second");
  await server.jobs.archive(projectId, jobId);
  const events = eventsIn(await readUntil(await open({ "last-event-id": "1" }), () => false));
  expect(events.map((event) => event.position)).toEqual([2, 3]);
  expect(eventsIn(await readUntil(await open({ "last-event-id": "3" }), () => false))).toEqual([]);
  expect((await open({ "last-event-id": "first" })).statusCode).toBe(400);
});

test("keeps a quiet connection alive with comments", async () => {
  const stream = await open();
  const text = await readUntil(stream, (sofar) => sofar.split("\n: ").length > 3);
  expect(text.match(/^: .*\n\n/gm)?.length).toBeGreaterThan(2);
  stream.destroy();
});

test("sends no faster than it is read", async () => {
  // Far more than the sockets and buffers between the two ends hold.
  const total = 600;
  let taken = 0;
  async function* events(): AsyncGenerator<JobEvent> {
    const createdAt = new Date().toISOString();
    for (taken = 0; taken < total;) {
      taken += 1;
      yield { position: taken, type: "note", data: { text: "x".repeat(100_000) }, createdAt };
    }
  }
  await server.close();
  server = await startTestServer({ wrapJobs: (jobs) => ({ ...jobs, events: async () => events() }) });
  ({ projectId, key } = await server.createProject());
  const stream = await open();
  for (let before = -1, idleTurns = 0; idleTurns < 2_000; idleTurns += 1) {
    if (taken !== before) idleTurns = 0;
    before = taken;
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(taken).toBeLessThan(total);
  expect(eventsIn(await readUntil(stream, () => false))).toHaveLength(total);
});

test("tells text of an answer that is being written without an id, so that nobody resumes after it", async () => {
  async function* events(): AsyncGenerator<JobEvent | JobDelta> {
    yield { type: "delta", data: { offset: 0, text: "Hel\nlo" } };
    yield { position: 7, type: "answer", data: { content: [] }, createdAt: new Date().toISOString() };
  }
  await server.close();
  server = await startTestServer({ wrapJobs: (jobs) => ({ ...jobs, events: async () => events() }) });
  ({ projectId, key } = await server.createProject());
  const text = await readUntil(await open(), () => false);
  expect(text).toMatch(
    /^retry: \d+\n\nevent: delta\ndata: \{"type":"delta","data":\{"offset":0,"text":"Hel\\nlo"\}\}\n\nid: 7\nevent: answer\n/,
  );
});

test("ends when its reader may not follow it any more", async () => {
  const stream = await open();
  await readUntil(stream, (text) => text.includes("data:"));
  await server.database.pool.query("update api_keys set revoked_at = now() where project_id = $1", [projectId]);
  await readUntil(stream, () => false);
  expect((await open()).statusCode).toBe(401);
});

test("ends when the server closes", async () => {
  const stream = await open();
  await readUntil(stream, (text) => text.includes("data:"));
  const ended = readUntil(stream, () => false);
  await server.close();
  await ended;
});
