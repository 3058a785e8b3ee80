import { afterEach, beforeEach, expect, test } from "vitest";
import { createViewMiddleware, type ViewMiddleware } from "./middleware.ts";
import { startCollector, type Collector } from "./testing/collector.ts";
import { createPauses, type TestPauses } from "./testing/pauses.ts";

let collector: Collector;
let pauses: TestPauses;
let problems: string[];
let views: ViewMiddleware;

beforeEach(async () => {
  collector = await startCollector();
  pauses = createPauses();
  problems = [];
  views = create();
});
afterEach(() => collector.close());

function create(options: Partial<Parameters<typeof createViewMiddleware>[0]> = {}): ViewMiddleware {
  return createViewMiddleware({
    baseUrl: collector.url,
    projectId: "prj_1",
    apiKey: "docent_test",
    addressHeader: "cf-connecting-ip",
    clock: () => Date.UTC(2026, 0, 31, 12),
    pause: pauses.pause,
    onProblem: (problem) => problems.push(problem),
    ...options,
  });
}

function ask(path: string, headers: Record<string, string> = {}): Request {
  return new Request(`https://docs.example.com${path}`, {
    headers: { "cf-connecting-ip": "192.0.2.1", "user-agent": "agent", ...headers },
  });
}

function answer(contentType: string, status = 200): Response {
  return new Response("body", { status, headers: { "content-type": contentType } });
}

/** As an edge's: it waits for what it was given, after the answer. */
function createContext() {
  const promises: Promise<unknown>[] = [];
  return {
    promises,
    waitUntil(promise: Promise<unknown>): void {
      if (this.promises !== promises) throw new TypeError("Illegal invocation");
      promises.push(promise);
    },
  };
}

test("a view that a handler answers is recorded, and the response is left as it is", async () => {
  const context = createContext();
  const response = answer("text/html; charset=utf-8");
  views.recordResponse(
    ask("/guide?token=secret", { referer: "https://docs.example.com/", accept: "*/*" }),
    response,
    context,
  );
  expect(await response.text()).toBe("body");
  await Promise.all(context.promises);
  expect(collector.stored).toEqual([
    {
      path: "/guide",
      ip: "192.0.2.1",
      userAgent: "agent",
      accept: "*/*",
      method: "GET",
      status: 200,
      timestamp: "2026-01-31T12:00:00.000Z",
      source: "middleware",
    },
  ]);
});

test("assets, prefetches and errors are not", async () => {
  const context = createContext();
  views.recordResponse(ask("/logo.png"), answer("image/png"), context);
  views.recordResponse(ask("/guide", { "sec-purpose": "prefetch" }), answer("text/html"), context);
  views.recordResponse(ask("/guide"), answer("text/html", 500), context);
  views.recordResponse(new Request("https://docs.example.com/", { method: "POST" }), answer("text/html"), context);
  expect(context.promises).toEqual([]);
});

test("without waitUntil, views go together", async () => {
  views.recordResponse(ask("/a"), answer("text/html"));
  views.recordResponse(ask("/b"), answer("text/markdown"));
  expect(collector.batches).toEqual([]);
  await pauses.endNext();
  expect((await collector.storedUpTo(2)).map(({ path }) => path)).toEqual(["/a", "/b"]);
});

test("within waitUntil, a view is tried three times, and then counted as lost", async () => {
  collector.behaviour = { status: 503, headers: { "retry-after": "60" } };
  const context = createContext();
  views.recordResponse(ask("/guide"), answer("text/html"), context);
  expect(views.counts().waiting).toBe(1);
  expect(await pauses.endNext()).toBe(5000);
  await pauses.endNext();
  await Promise.all(context.promises);
  expect(collector.batches).toHaveLength(3);
  expect(views.counts()).toEqual({ accepted: 0, rejected: 0, dropped: 1, waiting: 0 });
  expect(problems).toHaveLength(1);
});

test("within waitUntil, a failure that passes loses nothing", async () => {
  collector.behaviour = "reset";
  const context = createContext();
  views.recordResponse(ask("/guide"), answer("text/html"), context);
  await collector.requested(1);
  collector.behaviour = "store";
  await pauses.endNext();
  await Promise.all(context.promises);
  expect(collector.stored).toHaveLength(1);
});

test("where Docent hangs, only so many views are kept", async () => {
  collector.behaviour = "hang";
  views = create({ queueSize: 2 });
  const context = createContext();
  for (const path of ["/a", "/b", "/c"]) views.recordResponse(ask(path), answer("text/html"), context);
  expect(views.counts()).toMatchObject({ dropped: 1, waiting: 2 });
});

test("close waits for what is being sent within waitUntil", async () => {
  collector.behaviour = "hang";
  const context = createContext();
  views.recordResponse(ask("/guide"), answer("text/html"), context);
  await collector.requested(1);
  let isClosed = false;
  const closed = views.close().then(() => {
    isClosed = true;
  });
  expect(isClosed).toBe(false);
  expect(await pauses.endNext((milliseconds) => milliseconds === 5000)).toBe(5000);
  await closed;
});

test("the runtime may tell the address", async () => {
  views = create({ addressHeader: undefined });
  views.recordResponse(ask("/guide"), answer("text/html"), { address: "2001:db8::1" });
  views.recordResponse(ask("/guide"), answer("text/html"));
  await views.flush();
  expect(collector.stored.map(({ ip }) => ip)).toEqual(["2001:db8::1"]);
  expect(problems).toEqual([expect.stringContaining("addressHeader")]);
});

test("where the answer cannot be seen, what looks like a page counts, without a status", async () => {
  const context = createContext();
  views.recordRequest(ask("/guide", { accept: "text/markdown" }), context);
  views.recordRequest(ask("/guide", { rsc: "1" }), context);
  views.recordRequest(ask("/_next/static/app.js"), context);
  await Promise.all(context.promises);
  expect(collector.stored).toMatchObject([{ path: "/guide", accept: "text/markdown" }]);
  expect(collector.stored[0]).not.toHaveProperty("status");
});

test("whatever fails here, the handler does not", () => {
  const broken = { method: "GET", url: "no address", headers: { get: () => null } };
  views.recordResponse(broken, answer("text/html"));
  views.recordRequest(broken);
  views.recordResponse(ask("/guide"), answer("text/html"), {
    waitUntil() {
      throw new Error("too late");
    },
  });
  views = create({
    includes() {
      throw new Error("theirs");
    },
    onProblem() {
      throw new Error("theirs too");
    },
  });
  views.recordResponse(ask("/guide"), answer("text/html"));
  expect(problems).toEqual([expect.stringContaining("could not be recorded")]);
});
