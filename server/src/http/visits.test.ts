import { afterAll, beforeAll, expect, test } from "vitest";
import { createAnalytics, type Analytics } from "../analytics/analytics.ts";
import { createClassifier } from "../analytics/classify/classify.ts";
import { createCollect, type Collect } from "../analytics/collect/collect.ts";
import { createSalts } from "../analytics/collect/salts.ts";
import type { Engine } from "../analytics/store/engine.ts";
import { createTestStore } from "../analytics/testing/store.ts";
import { createLog } from "../log.ts";
import { startTestServer, type TestServer } from "./testing/server.ts";
import { createVisitRoutes } from "./visits.ts";

const NOW = new Date("2026-03-31T12:00:00Z");
const CHROME = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36";

let engine: Engine;
let analytics: Analytics;
let collect: Collect;
let server: TestServer;

beforeAll(async () => {
  const clock = (): Date => NOW;
  engine = await createTestStore();
  server = await startTestServer({
    clock,
    async plugins({ authorization, database, projects }) {
      const log = createLog("silent", { write: () => undefined });
      analytics = await createAnalytics({ engine, database, owner: "test", isAlone: true, clock, log });
      const salts = createSalts({ database, clock });
      collect = createCollect({ visits: analytics.visits, classify: createClassifier(), salts, clock });
      return [createVisitRoutes({ analytics, salts, projects, authorization, log: () => undefined })];
    },
  });
});
afterAll(async () => {
  await server.close();
  await analytics.close();
  await engine.close();
});

async function post(path: string, body?: object, token = server.adminToken): Promise<{ status: number; text: string }> {
  const response = await fetch(server.url + path, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
}

async function totals(projectId: string): Promise<object> {
  const report = await analytics.reports.visitors(projectId, { from: null, to: null }, { limit: 10, offset: 0 });
  return report.totals;
}

const OF_SERVER = { browser: undefined };

test("counting anew tells how far it is and changes no figure", async () => {
  const { projectId, key } = await server.createProject();
  const events = ["ada", "bob"].map((visitorId) => ({ path: "/", visitorId }));
  await collect(projectId, events, { settings: {}, ...OF_SERVER });
  await analytics.fold();
  const before = await totals(projectId);
  const { status, text } = await post(`/v1/projects/${projectId}/visits/rebuild`);
  expect(status).toBe(200);
  expect(text).toMatch(/event: progress\ndata: \{"type":"progress","done":1,"total":1\}\n\n/);
  expect(text).toMatch(/event: done\ndata: \{"type":"done"\}\n\n$/);
  expect(await totals(projectId)).toEqual(before);
  expect((await post(`/v1/projects/${projectId}/visits/rebuild`, undefined, key)).status).toBe(403);
  expect((await post("/v1/projects/prj_nobody/visits/rebuild")).status).toBe(404);
});

test("a visitor is erased under every salt that is there, and nobody else is", async () => {
  const { projectId } = await server.createProject();
  const settings = { saltRotation: "daily" } as const;
  const client = { ip: "2001:db8::1", userAgent: CHROME };
  const events = ["2026-03-29T10:00:00Z", "2026-03-30T10:00:00Z", "2026-03-31T10:00:00Z"].flatMap((timestamp) => [
    { path: "/", timestamp, ...client },
    { path: "/", timestamp, visitorId: "ada" },
    { path: "/", timestamp, ip: "2001:db8::2", userAgent: CHROME },
  ]);
  expect(await collect(projectId, events, { settings, ...OF_SERVER })).toEqual({ accepted: 9, rejected: [] });
  await analytics.fold();
  expect(await totals(projectId)).toEqual({ human: 9, ai: 0, total: 9 });

  // Written in another way, the address is the same.
  const erased = await post(`/v1/projects/${projectId}/visits/erase`, { ...client, ip: "2001:DB8:0:0::1" });
  expect(erased.text).toMatch(/event: done\n/);
  expect(await totals(projectId)).toEqual({ human: 6, ai: 0, total: 6 });
  await post(`/v1/projects/${projectId}/visits/erase`, { visitorId: "ada" });
  expect(await totals(projectId)).toEqual({ human: 3, ai: 0, total: 3 });
  await post(`/v1/projects/${projectId}/visits/erase`, { visitorId: "nobody" });
  expect(await totals(projectId)).toEqual({ human: 3, ai: 0, total: 3 });
});

test("whatever collect takes can be erased, also what no browser would send", async () => {
  const { projectId } = await server.createProject();
  const strange = [
    { visitorId: "a\0b" },
    { ip: "192.0.2.1", userAgent: `${CHROME}\0` },
    { ip: "192.0.2.2", userAgent: `${CHROME}\ud800` },
  ];
  const events = strange.map((visitor) => ({ path: "/", ...visitor }));
  expect((await collect(projectId, events, { settings: {}, ...OF_SERVER })).accepted).toBe(3);
  for (const [index, visitor] of strange.entries()) {
    await post(`/v1/projects/${projectId}/visits/erase`, visitor);
    expect(await totals(projectId)).toMatchObject({ total: 2 - index });
  }
});

test.each([
  [{}, "either visitorId"],
  [{ ip: "192.0.2.1" }, "both ip and userAgent"],
  [{ userAgent: "x" }, "both ip and userAgent"],
  [{ visitorId: "ada", ip: "192.0.2.1", userAgent: "x" }, "either visitorId"],
  [{ ip: "192.0.2", userAgent: "x" }, "ip must be"],
  [{ visitorId: "" }, "visitorId"],
  [{ visitorId: "x".repeat(501) }, "visitorId"],
])("%j names nobody", async (body, hint) => {
  const { projectId } = await server.createProject();
  const { status, text } = await post(`/v1/projects/${projectId}/visits/erase`, body);
  expect(status).toBe(400);
  expect(text).toContain(hint);
});
