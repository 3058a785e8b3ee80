import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createAnalytics, type Analytics } from "../analytics/analytics.ts";
import { createClassifier } from "../analytics/classify/classify.ts";
import { createCollect } from "../analytics/collect/collect.ts";
import { createCollectSettings } from "../analytics/collect/settings.ts";
import type { Engine } from "../analytics/store/engine.ts";
import { createTestStore } from "../analytics/testing/store.ts";
import type { AnalyticsSettings, KeyScope } from "../database/schema.ts";
import { createLog } from "../log.ts";
import { startTestService, type TestService } from "../testing/service.ts";
import { createCollectRoutes } from "./collect.ts";
import { startTestServer, type TestServer } from "./testing/server.ts";

const DOCS = "https://docs.example.com";
const CHROME =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36";
const CLAUDE_CODE = "Claude-User (claude-code/2.1.86; +https://support.anthropic.com/)";

let service: TestService;
let projectId: string;
let key: string;

beforeAll(async () => {
  service = await startTestService({ DOCENT_TRUSTED_PROXIES: "127.0.0.1" });
});
afterAll(() => service.close());

/** Each test has a project of its own. */
async function createProject(analytics: AnalyticsSettings = {}): Promise<void> {
  ({ projectId, key } = await service.createProject({ settings: { analytics } }));
}

interface Sent {
  project?: string;
  token?: string | null;
  headers?: Record<string, string>;
}

async function send(body: unknown, { project = projectId, token = key, headers = {} }: Sent = {}) {
  const response = await fetch(`${service.url}/v1/collect/${project}`, {
    method: "POST",
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      "content-type": "application/json",
      ...headers,
    },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, json: text === "" ? null : JSON.parse(text) };
}

const fromBrowser = (headers: Record<string, string> = {}): Sent => ({
  token: null,
  headers: { origin: DOCS, "content-type": "text/plain;charset=UTF-8", "user-agent": CHROME, ...headers },
});

async function report(name: string) {
  const response = await fetch(`${service.url}/v1/analytics/${projectId}/${name}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  expect(response.status).toBe(200);
  return JSON.parse(await response.text());
}

describe("a server", () => {
  test("sends one event, an array, or an object with events, and reads them back at once", async () => {
    await createProject();
    const accepted = (count: number) => ({ accepted: count, rejected: [] });
    const one = await send({ url: `${DOCS}/guides/start.md?x`, ip: "192.0.2.1", userAgent: CHROME });
    expect([one.status, one.json]).toEqual([202, accepted(1)]);
    const array = await send([
      { path: "/", ip: "192.0.2.2", userAgent: CHROME },
      { path: "/guides/start", ip: "192.0.2.2", userAgent: CLAUDE_CODE },
    ]);
    expect([array.status, array.json]).toEqual([202, accepted(2)]);
    const object = await send({ events: [{ path: "/guides/start/", visitorId: "reader-1" }], later: 1 });
    expect([object.status, object.json]).toEqual([202, accepted(1)]);
    expect((await send([])).json).toEqual(accepted(0));
    expect(await report("visitors")).toEqual({
      totals: { human: 3, ai: 1, total: 4 },
      visitors: [
        { path: "/guides/start", human: 2, ai: 1, total: 3 },
        { path: "/", human: 1, ai: 0, total: 1 },
      ],
      hasMore: false,
    });
    expect(await report("agents")).toEqual({
      agents: [{ name: "Claude Code", operator: "Anthropic", purpose: "assistant", visitors: 1, views: 1 }],
    });
  });

  test("learns of each event that does not count, and why, while the others do", async () => {
    await createProject();
    const good = { path: "/good", visitorId: "reader-1" };
    const { status, json } = await send([
      good,
      5,
      { ...good, path: "/app.js" },
      { ...good, status: 404 },
      { path: "/x" },
    ]);
    expect(status).toBe(202);
    expect(json).toEqual({
      accepted: 2,
      rejected: [
        { index: 1, code: "invalid_event", message: "An event must be an object." },
        { index: 2, code: "not_a_page", message: "This is an asset, not a page." },
        { index: 4, code: "no_visitor", message: "Give visitorId, or ip and userAgent: who looked at the page?" },
      ],
    });
    expect((await report("visitors")).totals).toEqual({ human: 1, ai: 0, total: 1 });
    expect((await report("not-found")).paths).toEqual([{ path: "/good", human: 1, ai: 0, total: 1 }]);
  });

  test("sends up to 1,000 events", async () => {
    await createProject();
    const events = Array.from({ length: 1_001 }, (_, number) => ({
      path: `/${number % 7}`,
      visitorId: String(number),
    }));
    const tooMany = await send(events);
    expect([tooMany.status, tooMany.json.code]).toEqual([413, "body_too_large"]);
    expect(tooMany.json.error).toContain("at most 1000 events");
    expect((await send({ events: events.slice(0, 1_000) })).json).toEqual({ accepted: 1_000, rejected: [] });
    expect((await report("visitors")).totals.total).toBe(1_000);
  });

  test("tells a program that reads Markdown from one that reads HTML", async () => {
    await createProject();
    const curl = { ip: "192.0.2.1", userAgent: "curl/8.9.1" };
    await send([
      { path: "/a.md", ...curl },
      { path: "/b", accept: "text/markdown", ...curl },
      { path: "/llms.txt", ...curl },
      { path: "/c", accept: "*/*", ...curl },
      { path: "/d.md", ...curl, userAgent: CHROME },
    ]);
    const { totals, visitors } = await report("visitors");
    expect(totals).toEqual({ human: 1, ai: 1, total: 2 });
    expect(visitors.map(({ path, ai }: { path: string; ai: number }) => [path, ai])).toEqual([
      ["/a", 1],
      ["/b", 1],
      ["/d", 0],
      ["/llms.txt", 1],
    ]);
  });

  test.each([
    ["{", 400, "The body is not valid JSON."],
    ["5", 400, "The body must be an event, an array of events, or an object with events."],
    ["null", 400, "The body must be an event, an array of events, or an object with events."],
    ["", 400, "The body must be an event, an array of events, or an object with events."],
    ['{"events":{}}', 400, "events must be an array."],
    [`["${"x".repeat(2_100_000)}"]`, 413, "The request body is too large."],
  ])("is refused the body %.30s: %i", async (body, status, error) => {
    const answer = await send(body);
    expect([answer.status, answer.json.error]).toEqual([status, error]);
  });

  test("is refused other types of bodies", async () => {
    for (const headers of [{ "content-type": "text/html" }, { "content-encoding": "gzip" }]) {
      const answer = await send("{}", { headers });
      expect([answer.status, answer.json.code]).toEqual([415, "unsupported_media_type"]);
    }
  });

  test("needs a key of the project that may collect", async () => {
    const event = { path: "/", visitorId: "reader-1" };
    const issue = async (scope: KeyScope): Promise<string> => {
      const response = await fetch(`${service.url}/v1/projects/${projectId}/keys`, {
        method: "POST",
        headers: { authorization: `Bearer ${service.adminToken}`, "content-type": "application/json" },
        body: JSON.stringify({ name: scope, scope }),
      });
      return ((await response.json()) as { key: string }).key;
    };
    expect((await send(event, { token: await issue("collect") })).status).toBe(202);
    expect((await send(event, { token: await issue("admin") })).status).toBe(202);
    for (const scope of ["read", "write"] as const) {
      expect((await send(event, { token: await issue(scope) })).json.code).toBe("forbidden");
    }
    expect((await send(event, { token: null })).json.code).toBe("unauthorized");
    expect((await send(event, { token: "docent_wrong" })).json.code).toBe("unauthorized");
    const other = await service.createProject();
    expect((await send(event, { token: other.key })).json.code).toBe("forbidden");
    expect((await send(event, { project: "prj_0" })).json.code).toBe("forbidden");
    // A key that does not count is not made up for by an origin.
    await createProject({ origins: [DOCS] });
    expect((await send(event, { token: other.key, headers: { origin: DOCS } })).status).toBe(403);
  });
});

describe("a browser", () => {
  test("of an allowed origin sends without a key, and is known by its connection alone", async () => {
    await createProject({ origins: ["https://www.example.com", DOCS] });
    const claims = { visitorId: "x", userAgent: "GPTBot/1.0", timestamp: "2001-01-01", source: "log" };
    for (const [address, claimed] of [
      ["192.0.2.1", "203.0.113.1"],
      ["192.0.2.1", "203.0.113.2"],
      ["192.0.2.2", "203.0.113.2"],
    ]) {
      const event = { url: `${DOCS}/guides`, ip: claimed, ...claims };
      const answer = await send(event, fromBrowser({ "x-forwarded-for": address ?? "" }));
      expect([answer.status, answer.json]).toEqual([202, { accepted: 1, rejected: [] }]);
      expect(answer.headers.get("access-control-allow-origin")).toBe(DOCS);
      expect(answer.headers.get("vary")).toBe("Origin");
    }
    expect((await report("visitors")).totals).toEqual({ human: 2, ai: 0, total: 2 });
    const today = new Date().toISOString().slice(0, 10);
    expect((await report("timeseries")).days.map(({ day }: { day: string }) => day)).toEqual([today]);
  });

  test("is the same visitor as in the log of a server that saw it", async () => {
    await createProject({ origins: [DOCS] });
    await send({ path: "/a" }, fromBrowser({ "x-forwarded-for": "2001:DB8::1" }));
    await send({ path: "/b", ip: "2001:db8:0::0:1", userAgent: CHROME });
    expect((await report("visitors")).totals).toEqual({ human: 1, ai: 0, total: 1 });
  });

  test("of another origin is refused, and learns nothing of which projects exist", async () => {
    await createProject({ origins: [DOCS] });
    const strangers = ["https://evil.example.net", "http://docs.example.com", `${DOCS}:8443`, "null"];
    for (const origin of strangers) {
      const answer = await send({ path: "/" }, fromBrowser({ origin }));
      expect([answer.status, answer.json.code]).toEqual([403, "forbidden"]);
      expect(answer.headers.get("access-control-allow-origin")).toBeNull();
      const nowhere = await send({ path: "/" }, { ...fromBrowser({ origin }), project: "prj_0" });
      expect(nowhere.json).toEqual(answer.json);
    }
    await createProject();
    expect((await send({ path: "/" }, fromBrowser())).status).toBe(403);
  });

  test("cannot spoil with a strange project what others ask at the same time", async () => {
    await createProject({ origins: [DOCS] });
    const strange = Array.from({ length: 20 }, () => send({ path: "/" }, { ...fromBrowser(), project: "prj_%00" }));
    const sent = send({ path: "/" }, fromBrowser());
    for (const answer of await Promise.all(strange))
      expect([answer.status, answer.json.code]).toEqual([403, "forbidden"]);
    expect((await sent).status).toBe(202);
  });

  test("is told before a request that it may send JSON, if it may", async () => {
    await createProject({ origins: [DOCS] });
    const ask = async (origin: string) => {
      const response = await fetch(`${service.url}/v1/collect/${projectId}`, {
        method: "OPTIONS",
        headers: { origin, "access-control-request-method": "POST", "access-control-request-headers": "content-type" },
      });
      expect(response.status).toBe(204);
      expect(response.headers.get("allow")).toBe("OPTIONS, POST");
      const names = ["origin", "credentials", "methods", "headers"] as const;
      return names.map((name) => response.headers.get(`access-control-allow-${name}`));
    };
    expect(await ask(DOCS)).toEqual([DOCS, "true", "POST", "content-type"]);
    expect(await ask("https://evil.example.net")).toEqual([null, null, null, null]);
    const answer = await send({ path: "/" }, fromBrowser({ "content-type": "application/json" }));
    expect(answer.status).toBe(202);
  });

  test("with Global Privacy Control counts, unless the project drops it; a prefetch never does", async () => {
    await createProject({ origins: [DOCS] });
    expect((await send({ path: "/" }, fromBrowser({ "sec-gpc": "1" }))).json.accepted).toBe(1);
    for (const purpose of ["prefetch", "prefetch;prerender"]) {
      const { json } = await send({ path: "/" }, fromBrowser({ "sec-purpose": purpose }));
      expect(json.rejected).toMatchObject([{ index: 0, code: "prefetch" }]);
    }
    await createProject({ origins: [DOCS], globalPrivacyControl: "drop" });
    const dropped = await send({ path: "/" }, fromBrowser({ "sec-gpc": "1" }));
    expect(dropped.json.rejected).toMatchObject([{ index: 0, code: "global_privacy_control" }]);
    expect((await send({ path: "/" }, fromBrowser())).json.accepted).toBe(1);
  });

  test("that sends more than 600 views a minute is told to come back; a server is not", async () => {
    await createProject({ origins: [DOCS] });
    const events = Array.from({ length: 600 }, (_, page) => ({ path: `/${page}`, visitorId: "reader-1" }));
    const office = fromBrowser({ "x-forwarded-for": "198.51.100.9" });
    const never = await send([...events, { path: "/" }], office);
    expect([never.status, never.json.code]).toEqual([413, "body_too_large"]);
    expect((await send(events, office)).json.accepted).toBe(600);
    const more = await send({ path: "/" }, office);
    expect([more.status, more.json.code]).toEqual([429, "rate_limited"]);
    expect(Number(more.headers.get("retry-after"))).toBeLessThanOrEqual(60);
    expect(more.headers.get("access-control-allow-origin")).toBe(DOCS);
    expect((await send({ path: "/" }, fromBrowser({ "x-forwarded-for": "198.51.100.10" }))).status).toBe(202);
    for (let request = 0; request < 3; request += 1) expect((await send(events)).status).toBe(202);
  });

  test("that is a program is counted as one", async () => {
    await createProject({ origins: [DOCS] });
    await send({ path: "/" }, fromBrowser({ "user-agent": CLAUDE_CODE }));
    await send({ path: "/" }, fromBrowser({ "user-agent": "curl/8.9.1" }));
    expect((await report("visitors")).totals).toEqual({ human: 0, ai: 1, total: 1 });
  });
});

test("a salt that rotates makes a visitor a new one in each period", async () => {
  const event = { path: "/", ip: "192.0.2.1", userAgent: CHROME };
  const days = ["2026-01-30", "2026-01-31", "2026-02-01"].map((day) => ({ ...event, timestamp: `${day}T12:00:00Z` }));
  for (const [saltRotation, visitors] of [
    ["never", 1],
    ["monthly", 2],
    ["daily", 3],
  ] as const) {
    await createProject({ saltRotation });
    expect((await send([...days, ...days])).json.accepted).toBe(6);
    expect((await report("visitors")).totals.human).toBe(visitors);
  }
});

test("views of days that are not kept are not taken", async () => {
  await createProject({ retentionDays: 2 });
  const at = (days: number) => ({
    path: "/",
    visitorId: "reader-1",
    timestamp: new Date(Date.now() - days * 86_400_000).toISOString(),
  });
  const { json } = await send([at(0), at(1), at(2), at(30)]);
  expect(json).toMatchObject({
    accepted: 2,
    rejected: [{ index: 2, code: "timestamp_before_retention" }, { index: 3 }],
  });
});

test("a new setting holds after two seconds at the latest", async () => {
  let now = Date.parse("2026-03-15T12:00:00Z");
  await createProject();
  const settings = createCollectSettings({ database: service.database.database, clock: () => new Date(now) });
  expect(await settings.find(projectId)).toEqual({});
  const change = (analytics: AnalyticsSettings) =>
    fetch(`${service.url}/v1/projects/${projectId}`, {
      method: "PATCH",
      headers: { authorization: `Bearer ${service.adminToken}`, "content-type": "application/json" },
      body: JSON.stringify({ settings: { analytics } }),
    });
  expect((await change({ origins: [DOCS] })).status).toBe(200);
  now += 1_999;
  expect(await settings.find(projectId)).toEqual({});
  now += 1;
  expect(await settings.find(projectId)).toEqual({ origins: [DOCS] });
  expect(await settings.find("prj_0")).toBeUndefined();
});

test("other methods are refused with those that are there", async () => {
  for (const method of ["GET", "HEAD", "PUT", "DELETE"]) {
    const response = await fetch(`${service.url}/v1/collect/${projectId}`, { method });
    expect([response.status, response.headers.get("allow")]).toEqual([405, "OPTIONS, POST"]);
  }
});

describe("when too much waits to be stored", () => {
  let engine: Engine;
  let analytics: Analytics;
  let server: TestServer;

  beforeAll(async () => {
    engine = await createTestStore();
    server = await startTestServer({
      async plugins({ authorization, database }) {
        const clock = (): Date => new Date();
        const log = createLog("silent", { write: () => undefined });
        const parts = { engine, database, owner: "test", isAlone: true, clock, log };
        analytics = await createAnalytics(parts, { waitingViewsMax: 100 });
        const collect = createCollect({ ...analytics, classify: createClassifier(), clock });
        const settings = createCollectSettings({ database, clock });
        return [createCollectRoutes({ collect, settings, authorization })];
      },
    });
  });
  afterAll(async () => {
    await server.close();
    await analytics.close();
    await engine.close();
  });

  test("senders are told to come back, and what was accepted counts once they all have", async () => {
    const project = await server.createProject("admin");
    const post = (first: number) =>
      fetch(`${server.url}/v1/collect/${project.projectId}`, {
        method: "POST",
        headers: { authorization: `Bearer ${project.key}`, "content-type": "application/json" },
        body: JSON.stringify(
          Array.from({ length: 60 }, (_, number) => ({ path: "/", visitorId: String(first + number) })),
        ),
      });
    let refused = 0;
    async function sendUntilAccepted(first: number): Promise<void> {
      for (;;) {
        const response = await post(first);
        const json = JSON.parse(await response.text());
        if (response.status === 202) return expect(json).toEqual({ accepted: 60, rejected: [] });
        expect([response.status, json.code]).toEqual([503, "unavailable"]);
        expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
        refused += 1;
      }
    }
    await Promise.all(Array.from({ length: 20 }, (_, number) => sendUntilAccepted(number * 60)));
    expect(refused).toBeGreaterThan(0);
    const all = { from: null, to: null };
    const { totals } = await analytics.reports.views(project.projectId, all, { limit: 1, offset: 0 });
    expect(totals).toEqual({ human: 1_200, ai: 0, total: 1_200 });
  });
});
