import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createDocent, type Docent, type JobEvent } from "./sdk.ts";
import { sendJson, startTestServer, type ReceivedRequest, type TestServer } from "./testing/http-server.ts";

let server: TestServer;
let answer: (request: ReceivedRequest, response: ServerResponse) => void;
let delays: number[];
let docent: Docent;

beforeEach(async () => {
  delays = [];
  server = await startTestServer((request, response) => answer(request, response));
  docent = createDocent({
    baseUrl: server.url,
    apiKey: "k",
    delay: async (milliseconds, signal) => {
      delays.push(milliseconds);
      signal?.throwIfAborted();
    },
  });
});
afterEach(() => server.close());

function event(position: number, type: JobEvent["type"] = "note"): string {
  const data = { position, type, data: {}, createdAt: "2026-01-01T00:00:00.000Z" };
  return `id: ${position}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
}

async function positions(events: AsyncIterable<JobEvent>): Promise<number[]> {
  const seen: number[] = [];
  for await (const { position } of events) seen.push(position);
  return seen;
}

test("events go on over broken connections, restarts and repeated events: each once, in order", async () => {
  const connections: ((response: ServerResponse) => void)[] = [
    (response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(`retry: 50\n\n${event(1)}${event(2)}data: {"half`, () => response.destroy());
    },
    (response) => sendJson(response, 503, { error: "Starting.", code: "unavailable" }),
    (response) => response.end(`${event(2)}${event(3)}`),
    (response) => response.end(event(4, "status")),
  ];
  let open = true;
  answer = ({ path }, response) => {
    if (!path.endsWith("/events")) return sendJson(response, 200, { status: open ? "active" : "archived" });
    const connection = connections.shift();
    open = connections.length > 0;
    connection?.(response);
  };
  expect(await positions(docent.jobs.events("prj_1", "job_1"))).toEqual([1, 2, 3, 4]);
  const resumed = server.requests
    .filter(({ path }) => path.endsWith("/events"))
    .map(({ headers }) => headers["last-event-id"]);
  expect(resumed).toEqual([undefined, "2", "2", "3"]);
  expect(delays[0]).toBe(50);
});

test("the text that the model writes comes between the events for those who ask, also after a broken connection", async () => {
  const delta = (offset: number, text: string): string =>
    `event: delta\ndata: ${JSON.stringify({ type: "delta", data: { offset, text } })}\n\n`;
  const answers = () => [
    `${event(1)}${delta(0, "I")}${delta(1, " read")}`,
    `${delta(1, " read")}${event(2, "answer")}`,
  ];
  let left: string[] = [];
  answer = ({ path }, response) => {
    if (!path.endsWith("/events")) return sendJson(response, 200, { status: left.length > 0 ? "active" : "archived" });
    response.end(left.shift());
  };
  for (const [deltas, expected] of [
    [true, [1, "I", " read", " read", 2]],
    [false, [1, 2]],
  ] as const) {
    left = answers();
    const seen: (number | string)[] = [];
    for await (const each of docent.jobs.events("prj_1", "job_1", { deltas })) {
      seen.push(each.type === "delta" ? each.data.text : each.position);
    }
    expect(seen).toEqual(expected);
  }
});

test("pauses between failed connections grow and stay under a limit", async () => {
  let failures = 0;
  answer = ({ path }, response) => {
    if (!path.endsWith("/events")) return sendJson(response, 200, { status: "archived" });
    failures += 1;
    if (failures <= 8) sendJson(response, 502, {});
    else response.end(event(1));
  };
  expect(await positions(docent.jobs.events("prj_1", "job_1"))).toEqual([1]);
  expect(delays).toEqual([1000, 2000, 4000, 8000, 15000, 15000, 15000, 15000]);
});

test("a refusal ends the events with its error", async () => {
  answer = (_, response) => sendJson(response, 404, { error: "There is nothing here.", code: "not_found" });
  await expect(positions(docent.jobs.events("prj_1", "job_1"))).rejects.toMatchObject({ code: "not_found" });
});

test("leaving the loop closes the connection", async () => {
  const closed = new Promise<void>((resolve) => {
    answer = (_, response) => {
      response.on("close", resolve);
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(event(1));
    };
  });
  for await (const { position } of docent.jobs.events("prj_1", "job_1")) {
    expect(position).toBe(1);
    break;
  }
  await closed;
});

test("the signal ends the events quietly", async () => {
  const stopped = new AbortController();
  answer = (_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(event(1));
  };
  const seen: number[] = [];
  for await (const { position } of docent.jobs.events("prj_1", "job_1", { signal: stopped.signal })) {
    seen.push(position);
    stopped.abort();
  }
  expect(seen).toEqual([1]);
});

test("waitFor polls over passing failures until the job rests", async () => {
  const answers: [number, unknown, Record<string, string>?][] = [
    [200, { status: "active" }],
    [503, { error: "Restarting.", code: "unavailable" }],
    [429, { error: "Slow down.", code: "rate_limited" }, { "retry-after": "3" }],
    [200, { status: "failed", failureReason: "no" }],
  ];
  answer = (_, response) => {
    const [status, body, headers] = answers.shift() ?? [500, {}];
    sendJson(response, status, body, headers);
  };
  const job = await docent.jobs.waitFor("prj_1", "job_1", { pollMs: 100 });
  expect(job.status).toBe("failed");
  expect(delays).toEqual([100, 100, 3000]);
});

test("waitFor gives up in time and does not hide a refusal", async () => {
  answer = (_, response) => sendJson(response, 200, { status: "active" });
  const late = docent.jobs.waitFor("prj_1", "job_1", { pollMs: 400, timeoutMs: 1000 });
  await expect(late).rejects.toMatchObject({ code: "timed_out" });
  answer = (_, response) => sendJson(response, 403, { error: "No.", code: "forbidden" });
  await expect(docent.jobs.waitFor("prj_1", "job_1")).rejects.toMatchObject({ code: "forbidden" });
});

test("all jobs are fetched page by page, and no further than they are asked for", async () => {
  const pages: Record<string, unknown> = {
    "": { jobs: [{ id: "3" }, { id: "2" }], nextCursor: "after 2" },
    "after 2": { jobs: [{ id: "1" }], nextCursor: null },
  };
  answer = ({ path }, response) => {
    sendJson(response, 200, pages[new URL(path, server.url).searchParams.get("cursor") ?? ""]);
  };
  const ids: string[] = [];
  for await (const job of docent.jobs.all("prj_1")) ids.push(job.id);
  expect(ids).toEqual(["3", "2", "1"]);

  server.requests.length = 0;
  for await (const job of docent.jobs.all("prj_1")) if (job.id === "2") break;
  expect(server.requests).toHaveLength(1);
});
