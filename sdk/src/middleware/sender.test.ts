import { afterEach, beforeEach, expect, test } from "vitest";
import { createViewMiddleware, type ViewMiddleware, type ViewMiddlewareOptions } from "./middleware.ts";
import { startCollector, type Collector } from "./testing/collector.ts";
import { createPauses, type TestPauses } from "./testing/pauses.ts";

let collector: Collector;
let pauses: TestPauses;
let problems: string[];
let now: number;
let views: ViewMiddleware;

beforeEach(async () => {
  collector = await startCollector();
  pauses = createPauses();
  problems = [];
  now = Date.UTC(2026, 0, 31);
  views = create();
});
afterEach(() => collector.close());

function create(options: Partial<ViewMiddlewareOptions> = {}): ViewMiddleware {
  return createViewMiddleware({
    baseUrl: `${collector.url}/`,
    projectId: "prj_1",
    apiKey: "docent_secret",
    clock: () => now,
    pause: pauses.pause,
    onProblem: (problem) => problems.push(problem),
    ...options,
  });
}

/** Records views of the pages `/1`, `/2`, … */
function record(count: number): void {
  for (let number = 1; number <= count; number += 1) {
    views.recordResponse(
      new Request(`https://docs.example.com/${number}`),
      new Response("", { headers: { "content-type": "text/html" } }),
      { address: "192.0.2.1" },
    );
  }
}

const pathsOf = (batch: readonly { path: string }[]) => batch.map(({ path }) => path);

test("views wait for others, and go together", async () => {
  record(3);
  expect(collector.batches).toEqual([]);
  expect(await pauses.endNext()).toBe(2000);
  await collector.storedUpTo(3);
  expect(collector.batches.map(pathsOf)).toEqual([["/1", "/2", "/3"]]);
});

test("a full batch goes at once, and what is left over waits for others again", async () => {
  views = create({ batchSize: 2, batchDelayMs: 500 });
  record(5);
  await collector.storedUpTo(4);
  expect(await pauses.endNext()).toBe(500);
  await collector.storedUpTo(5);
  expect(collector.batches.map(pathsOf)).toEqual([["/1", "/2"], ["/3", "/4"], ["/5"]]);
});

test("a batch never holds more than fits into a request", async () => {
  views = create({ batchSize: 10_000 });
  record(300);
  await views.flush();
  expect(collector.batches.map(({ length }) => length)).toEqual([250, 50]);
});

test("the time that the service asks for is kept, and every view arrives once", async () => {
  collector.behaviour = { status: 503, headers: { "retry-after": "7" } };
  record(2);
  await pauses.endNext();
  await collector.requested(1);
  collector.behaviour = "store";
  expect(await pauses.endNext()).toBe(7000);
  expect(pathsOf(await collector.storedUpTo(2))).toEqual(["/1", "/2"]);
  expect(problems).toEqual([expect.stringContaining("answered 503")]);
});

test.each([
  ["a far date", "Fri, 31 Dec 9999 23:59:59 GMT", 300_000, 300_000],
  ["a date that has passed", new Date(0).toUTCString(), 0, 0],
  ["a day", "86400", 300_000, 300_000],
  ["nonsense", "soon", 500, 1000],
])("Retry-After may be %s", async (_, retryAfter, least, most) => {
  collector.behaviour = { status: 429, headers: { "retry-after": retryAfter } };
  record(1);
  await pauses.endNext();
  await collector.requested(1);
  const length = await pauses.endNext();
  expect(length).toBeGreaterThanOrEqual(least);
  expect(length).toBeLessThanOrEqual(most);
});

test("without it, each failure doubles the wait, up to a minute", async () => {
  collector.behaviour = "reset";
  record(1);
  await pauses.endNext();
  for (const longest of [1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]) {
    const length = await pauses.endNext();
    expect(length).toBeGreaterThanOrEqual(longest / 2);
    expect(length).toBeLessThanOrEqual(longest);
  }
  collector.behaviour = "store";
  await collector.storedUpTo(1);
  await views.flush();
  collector.behaviour = "reset";
  record(1);
  await pauses.endNext();
  expect(await pauses.endNext()).toBeLessThanOrEqual(1000);
});

test("views come while the service is down, and arrive when it is up again", async () => {
  collector.behaviour = { status: 502, body: "<html>Bad gateway</html>" };
  views = create({ batchSize: 2 });
  record(3);
  await collector.requested(1);
  record(2);
  collector.behaviour = "store";
  await pauses.endNext();
  await collector.storedUpTo(4);
  await pauses.endNext();
  await collector.storedUpTo(5);
  await views.flush();
  expect(pathsOf(collector.stored)).toEqual(["/1", "/2", "/3", "/1", "/2"]);
  expect(views.counts()).toEqual({ accepted: 5, rejected: 0, dropped: 0, waiting: 0 });
});

test("an answer that does not come is given up", async () => {
  collector.behaviour = "hang";
  views = create({ requestTimeoutMs: 1 });
  record(1);
  await pauses.endNext();
  collector.behaviour = "store";
  await pauses.endNext();
  await collector.storedUpTo(1);
  expect(problems).toEqual([expect.stringContaining("cannot be reached")]);
});

test("what does not fit is dropped, counted, and said once a minute", async () => {
  collector.behaviour = "reset";
  views = create({ queueSize: 3 });
  record(5);
  expect(views.counts()).toEqual({ accepted: 0, rejected: 0, dropped: 2, waiting: 3 });
  expect(problems).toEqual([expect.stringContaining("Lost so far: 1.")]);
  now += 60_000;
  record(1);
  expect(problems).toEqual([expect.anything(), expect.stringContaining("Lost so far: 3.")]);
  collector.behaviour = "store";
  await views.flush();
  expect(pathsOf(collector.stored)).toEqual(["/1", "/2", "/3"]);
});

test.each([
  [401, "Send an API key"],
  [403, "This key may not do that."],
  [413, "too large"],
])(
  "a request that is refused with %i is not repeated, and the reason is said without the key",
  async (status, error) => {
    collector.behaviour = { status, body: { error, code: "refused" } };
    record(2);
    await views.flush();
    expect(views.counts()).toEqual({ accepted: 0, rejected: 0, dropped: 2, waiting: 0 });
    expect(problems).toEqual([expect.stringContaining(error)]);
    expect(problems.join()).not.toContain("docent_secret");
    expect(collector.batches).toHaveLength(1);
  },
);

test.each([
  ["a page", { status: 200, body: "<html>" }],
  ["other JSON", { status: 200, body: { ok: true } }],
  ["a redirect", { status: 301, headers: { location: "/elsewhere" } }],
])("an address that answers with %s is said to be none of Docent's", async (_, behaviour) => {
  collector.behaviour = behaviour;
  record(1);
  await views.flush();
  expect(views.counts().dropped).toBe(1);
  expect(problems).toHaveLength(1);
});

test("views that the service rejects are counted", async () => {
  const rejected = [{ index: 1, code: "not_a_page", message: "This is an asset, not a page." }];
  collector.behaviour = { status: 202, body: { accepted: 2, rejected } };
  record(3);
  await views.flush();
  expect(views.counts()).toEqual({ accepted: 2, rejected: 1, dropped: 0, waiting: 0 });
  expect(problems).toEqual([]);
});

test("flush tries once, and gives nothing up", async () => {
  collector.behaviour = "reset";
  record(2);
  await views.flush();
  expect(views.counts().waiting).toBe(2);
  await views.flush();
  expect(collector.batches).toHaveLength(2);
  collector.behaviour = "store";
  await views.flush();
  expect(pathsOf(collector.stored)).toEqual(["/1", "/2"]);
  await views.flush();
  expect(collector.batches).toHaveLength(3);
});

test("close sends what waits, trying again while there is time; what comes later is dropped", async () => {
  collector.behaviour = "reset";
  record(2);
  const closed = views.close({ deadlineMs: 4321 });
  await collector.requested(1);
  collector.behaviour = "store";
  await pauses.endNext((milliseconds) => milliseconds <= 1000);
  await closed;
  expect(pauses.lengths).toContain(4321);
  record(1);
  expect(views.counts()).toEqual({ accepted: 2, rejected: 0, dropped: 1, waiting: 0 });
});

test("close gives up at its deadline, and says what is lost", async () => {
  collector.behaviour = "hang";
  record(2);
  const closed = views.close({ deadlineMs: 0 });
  await collector.requested(1);
  await pauses.endNext();
  await closed;
  expect(views.counts()).toEqual({ accepted: 0, rejected: 0, dropped: 2, waiting: 0 });
  expect(problems.at(-1)).toContain("Lost so far: 2.");
  await views.close();
});
