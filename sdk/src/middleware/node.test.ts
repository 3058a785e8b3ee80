import { once } from "node:events";
import { createServer, request as sendRequest, type RequestListener } from "node:http";
import { connect, createServer as createHttp2Server } from "node:http2";
import type { Server } from "node:net";
import fc from "fast-check";
import fastify from "fastify";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createViewMiddleware, type ViewMiddleware } from "./middleware.ts";
import { startCollector, type Behaviour, type Collector } from "./testing/collector.ts";

const NOW = Date.UTC(2026, 0, 31, 12);

let collector: Collector;
let views: ViewMiddleware;
let problems: string[];
const releases: (() => unknown)[] = [];

beforeEach(async () => {
  collector = await startCollector();
  problems = [];
  views = create();
  releases.push(() => collector.close());
});
afterEach(async () => {
  for (const release of releases.splice(0).toReversed()) await release();
  expect(problems).toEqual([]);
});

function create(options: Partial<Parameters<typeof createViewMiddleware>[0]> = {}): ViewMiddleware {
  return createViewMiddleware({
    baseUrl: collector.url,
    projectId: "prj_1",
    apiKey: "docent_test",
    clock: () => NOW,
    onProblem: (problem) => problems.push(problem),
    ...options,
  });
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  releases.push(() => server.close());
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
}

/** A server as one without a framework is written. */
function serve(listener: RequestListener): Promise<string> {
  return listen(createServer((request, response) => views.node(request, response, () => listener(request, response))));
}

/** What the collector got, with nothing left to come. */
async function recorded() {
  await views.flush();
  return collector.stored;
}

test("a view tells what the request said, and nothing else", async () => {
  const site = await serve((_, response) => response.setHeader("content-type", "text/html").end("<h1>Guide</h1>"));
  await fetch(`${site}/guide/install?token=secret#part`, {
    headers: {
      "user-agent": "Mozilla/5.0",
      accept: "text/html",
      referer: "https://search.example.com/results?q=private",
      "sec-gpc": "1",
      cookie: "session=secret",
    },
  });
  expect(await recorded()).toEqual([
    {
      path: "/guide/install",
      ip: "127.0.0.1",
      userAgent: "Mozilla/5.0",
      referrer: "https://search.example.com",
      accept: "text/html",
      method: "GET",
      status: 200,
      timestamp: "2026-01-31T12:00:00.000Z",
      source: "middleware",
      globalPrivacyControl: true,
    },
  ]);
  expect([...collector.paths]).toEqual(["/v1/collect/prj_1"]);
  expect([...collector.authorizations]).toEqual(["Bearer docent_test"]);
  expect(views.counts()).toEqual({ accepted: 1, rejected: 0, dropped: 0, waiting: 0 });
});

test("the site itself is no referrer", async () => {
  const site = await serve((_, response) => response.setHeader("content-type", "text/html").end());
  await fetch(`${site}/guide`, { headers: { referer: `${site}/` } });
  await fetch(`${site}/guide`, {
    headers: { referer: "https://docs.example.com/", "x-forwarded-host": "docs.example.com" },
  });
  await fetch(`${site}/guide`, { headers: { referer: "not an address" } });
  expect((await recorded()).map(({ referrer }) => referrer)).toEqual([undefined, undefined, undefined]);
});

const TYPE = "text/markdown; charset=utf-8";
test.each<[string, RequestListener]>([
  ["set before", (_, response) => response.setHeader("Content-Type", TYPE).end()],
  ["written with the status", (_, response) => response.writeHead(200, { "Content-Type": TYPE }).end()],
  ["written after the reason", (_, response) => response.writeHead(200, "Fine", { "content-type": TYPE }).end()],
  [
    "written among lists",
    (_, response) => response.writeHead(200, { "set-cookie": ["a=1", "b=2"], "content-type": TYPE }).end(),
  ],
  ["written flat", (_, response) => response.writeHead(200, ["x-a", "1", "Content-Type", TYPE]).end()],
  [
    "written over another",
    (_, response) => response.setHeader("content-type", "image/png").writeHead(200, { "content-type": TYPE }).end(),
  ],
])("the type is known when it is %s", async (_, listener) => {
  const site = await serve(listener);
  const response = await fetch(`${site}/guide`);
  expect(response.headers.get("content-type")).toBe(TYPE);
  expect(await recorded()).toHaveLength(1);
});

test("what is no page's view is not sent", async () => {
  const site = await serve((request, response) => {
    const status = Number(request.url?.slice(1));
    response.writeHead(Number.isNaN(status) ? 200 : status, {
      "content-type": request.url?.endsWith(".png") ? "image/png" : "text/html",
    });
    response.end();
  });
  await fetch(`${site}/logo.png`);
  await fetch(`${site}/guide`, { method: "HEAD" });
  await fetch(`${site}/guide`, { method: "POST", body: "x" });
  await fetch(`${site}/guide`, { headers: { "sec-purpose": "prefetch" } });
  await fetch(`${site}/500`);
  await fetch(`${site}/302`, { redirect: "manual" });
  await fetch(`${site}/404`);
  expect((await recorded()).map(({ path, status }) => [path, status])).toEqual([["/404", 404]]);
});

test("a response that broke off is no view", async () => {
  const seen = Promise.withResolvers<void>();
  const site = await serve((request, response) => {
    response.writeHead(200, { "content-type": "text/html" });
    if (request.url === "/whole") {
      response.end("<h1>");
      return;
    }
    response.on("close", seen.resolve);
    response.write("<h1>");
  });
  const broken = sendRequest(`${site}/broken`, (response) => response.destroy());
  broken.on("error", () => {});
  broken.end();
  await seen.promise;
  await fetch(`${site}/whole`);
  expect((await recorded()).map(({ path }) => path)).toEqual(["/whole"]);
});

test("only the paths that are documentation are recorded, wherever a router is mounted", async () => {
  views = create({ includes: (path) => path.startsWith("/docs/") });
  // What Express and Connect do for `app.use("/docs", …)`.
  const site = await listen(
    createServer((request, response) => {
      const mounted = Object.assign(request, { originalUrl: request.url, url: request.url?.replace("/docs", "") });
      views.node(mounted, response, () => response.setHeader("content-type", "text/html").end());
    }),
  );
  await fetch(`${site}/docs/guide?q=1`);
  await fetch(`${site}/app`);
  expect((await recorded()).map(({ path }) => path)).toEqual(["/docs/guide"]);
});

test("a view is recorded once, however often the middleware is mounted", async () => {
  const site = await serve((request, response) =>
    views.node(request, response, () => response.setHeader("content-type", "text/html").end()),
  );
  await fetch(`${site}/guide`);
  expect(await recorded()).toHaveLength(1);
});

test("behind a proxy, the client is whom the proxy names", async () => {
  views = create({ addressHeader: "x-forwarded-for" });
  const site = await serve((_, response) => response.setHeader("content-type", "text/html").end());
  await fetch(`${site}/guide`, { headers: { "x-forwarded-for": "203.0.113.9, 192.0.2.1" } });
  expect((await recorded()).map(({ ip }) => ip)).toEqual(["192.0.2.1"]);
});

test("a view from nowhere is not recorded, and said to be missing", async () => {
  views = create({ addressHeader: "cf-connecting-ip" });
  const site = await serve((_, response) => response.setHeader("content-type", "text/html").end());
  await fetch(`${site}/guide`);
  await fetch(`${site}/guide`);
  expect(await recorded()).toEqual([]);
  expect(problems.splice(0)).toEqual([expect.stringContaining("cf-connecting-ip")]);
});

test("Fastify, by its hook", async () => {
  const app = fastify();
  app.addHook("onRequest", (request, reply, done) => views.node(request.raw, reply.raw, done));
  app.get("/guide", async (_, reply) => reply.type("text/html").send("<h1>Guide</h1>"));
  releases.push(() => app.close());
  const site = await app.listen({ host: "127.0.0.1", port: 0 });
  expect(await (await fetch(`${site}/guide`)).text()).toBe("<h1>Guide</h1>");
  await fetch(`${site}/gone`);
  expect((await recorded()).map(({ path, status }) => [path, status])).toEqual([
    ["/guide", 200],
    ["/gone", 404],
  ]);
});

test("HTTP/2", async () => {
  const server = createHttp2Server((request, response) =>
    views.node(request, response, () => {
      response.writeHead(200, { "content-type": "text/html" });
      response.end();
    }),
  );
  const site = await listen(server);
  const client = connect(site);
  const stream = client.request({ ":path": "/guide?q=1", referer: `${site}/`, "user-agent": "agent" });
  stream.resume();
  await once(stream, "close");
  client.close();
  expect(await recorded()).toMatchObject([{ path: "/guide", ip: "127.0.0.1", userAgent: "agent", status: 200 }]);
  expect(collector.stored[0]?.referrer).toBeUndefined();
});

/** Everything of an answer but its date, as it came over the connection. */
async function rawAnswer(site: string, path: string): Promise<string> {
  const request = sendRequest(`${site}${path}`, { agent: false });
  request.end();
  const [response] = await once(request, "response");
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  const headers: string[] = response.rawHeaders;
  const dated = headers.findIndex((name) => name === "Date");
  return JSON.stringify([
    response.statusCode,
    response.statusMessage,
    headers.toSpliced(dated, 2),
    Buffer.concat(chunks).toString(),
  ]);
}

test.each<[string, Behaviour | "refuse"]>([
  ["stores", "store"],
  ["hangs", "hang"],
  ["breaks off", "reset"],
  ["fails", { status: 500 }],
  ["answers nonsense", { status: 200, body: "<html>" }],
  ["is not there", "refuse"],
])("responses are the same, byte for byte, while Docent %s", async (_, behaviour) => {
  if (behaviour === "refuse") await collector.close();
  else collector.behaviour = behaviour;
  views = create({ batchSize: 1, onProblem: () => {} });

  type Answer = { status: number; type: string; how: "set" | "write" | "flat"; chunks: string[] };
  const answers = new Map<string, Answer>();
  const listener: RequestListener = (request, response) => {
    const answer = answers.get(request.url ?? "");
    if (answer === undefined) throw new Error("unexpected");
    if (answer.how === "set") {
      response.statusCode = answer.status;
      response.setHeader("Content-Type", answer.type);
    } else if (answer.how === "write")
      response.writeHead(answer.status, "Said", { "Content-Type": answer.type, "X-A": ["1", "2"] });
    else response.writeHead(answer.status, ["X-B", "3", "Content-Type", answer.type]);
    for (const chunk of answer.chunks) response.write(chunk);
    response.end();
  };
  const withViews = await serve(listener);
  const without = await listen(createServer(listener));

  let number = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        status: fc.constantFrom(200, 203, 301, 404, 410, 500),
        type: fc.constantFrom("text/html", "text/markdown", "image/png", "application/json"),
        how: fc.constantFrom("set" as const, "write" as const, "flat" as const),
        chunks: fc.array(fc.string({ minLength: 1 }), { maxLength: 4 }),
      }),
      async (answer) => {
        number += 1;
        answers.set(`/page-${number}`, answer);
        const [measured, expected] = await Promise.all([
          rawAnswer(withViews, `/page-${number}`),
          rawAnswer(without, `/page-${number}`),
        ]);
        expect(measured).toBe(expected);
      },
    ),
    { numRuns: 60 },
  );
  // None of these answers waited for Docent: where it hangs, its first request is still open.
  if (behaviour === "hang") {
    await collector.requested(1);
    expect(collector.batches).toHaveLength(1);
  }
  await views.close({ deadlineMs: 0 });
});

test("next is called at once, and its error is the application's", () => {
  const request = { method: "GET", url: "/", headers: {}, socket: null };
  const response = { statusCode: 200, getHeader: () => undefined, writeHead: () => {}, once: () => {} };
  let calls = 0;
  views.node(request, response, () => {
    calls += 1;
  });
  expect(calls).toBe(1);
  expect(() =>
    views.node(request, { ...response }, () => {
      throw new Error("theirs");
    }),
  ).toThrow("theirs");
  views.node(request, Object.freeze({ ...response }), () => {
    calls += 1;
  });
  expect(calls).toBe(2);
  expect(problems.splice(0)).toEqual([expect.stringContaining("could not be recorded")]);
});
