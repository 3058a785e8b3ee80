import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createAnalytics, type Analytics } from "../analytics/analytics.ts";
import type { Engine } from "../analytics/store/engine.ts";
import { describeAgent } from "../analytics/classify/agents.ts";
import { createTestStore } from "../analytics/testing/store.ts";
import type { View } from "../analytics/view.ts";
import { createLog } from "../log.ts";
import { createAnalyticsRoutes } from "./analytics.ts";
import { startTestServer, type TestServer } from "./testing/server.ts";

const NOW = new Date("2026-03-31T12:00:00Z");

interface Seen extends Partial<Omit<View, "visitor">> {
  day: string;
  visitor: "ada" | "bob" | "eve" | "gpt";
  path: string;
}

const VISITORS: Record<Seen["visitor"], bigint> = { ada: 1n, bob: 2n, eve: 3n, gpt: 2n ** 64n - 1n };
const byAgent = { class: "ai", purpose: "training", agent: "GPTBot", source: "log" } as const;

const SEEN: readonly Seen[] = [
  { day: "2026-01-31", visitor: "ada", path: "/" },
  { day: "2026-02-01", visitor: "ada", path: "/" },
  { day: "2026-02-01", visitor: "ada", path: "/", ...byAgent },
  { day: "2026-02-01", visitor: "gpt", path: "/guides", ...byAgent },
  { day: "2026-02-28", visitor: "bob", path: "/guides" },
  { day: "2026-02-28", visitor: "bob", path: "/a,b" },
  { day: "2026-03-01", visitor: "eve", path: "/" },
  { day: "2026-03-31", visitor: "ada", path: "/today" },
  { day: "2026-02-02", visitor: "gpt", path: "/gone", ...byAgent, isMissing: true },
  { day: "2026-02-02", visitor: "eve", path: "/guides", class: "bot", agent: "Bingbot", source: "log" },
];

function toView({ day, visitor, ...rest }: Seen): View {
  return {
    time: Date.parse(`${day}T10:00:00Z`),
    visitor: VISITORS[visitor],
    class: "human",
    purpose: "none",
    agent: "",
    source: "tracker",
    isMissing: false,
    referrer: "",
    ...rest,
  };
}

let engine: Engine;
let analytics: Analytics;
let server: TestServer;
let project: { projectId: string; key: string };

beforeAll(async () => {
  const clock = (): Date => NOW;
  engine = await createTestStore();
  server = await startTestServer({
    clock,
    async plugins({ authorization, database }) {
      const log = createLog("silent", { write: () => undefined });
      analytics = await createAnalytics({ engine, database, owner: "test", isAlone: true, clock, log });
      const { reports } = analytics;
      return [createAnalyticsRoutes({ reports, describeAgent, authorization, clock })];
    },
  });
  project = await server.createProject("read");
  // Reports see what is folded and what is not.
  const [first = [], second = []] = [SEEN.slice(0, 5), SEEN.slice(5)].map((some) => some.map(toView));
  await analytics.visits.add({ projectId: project.projectId, views: first });
  await analytics.fold();
  await analytics.visits.add({ projectId: project.projectId, views: second });
});
afterAll(async () => {
  await server.close();
  await analytics.close();
  await engine.close();
});

async function get(report: string, query = "", headers: Record<string, string> = {}) {
  const response = await fetch(`${server.url}/v1/analytics/${project.projectId}/${report}?${query}`, {
    headers: { authorization: `Bearer ${project.key}`, ...headers },
  });
  const text = await response.text();
  const type = response.headers.get("content-type") ?? "";
  const body: unknown = type.startsWith("application/json") ? JSON.parse(text) : {};
  return { status: response.status, headers: response.headers, text, body: body as Record<string, unknown> };
}

describe("the parameters", () => {
  test.each([
    ["limit=0", "limit"],
    ["limit=251", "limit"],
    ["limit=-1", "limit"],
    ["limit=abc", "limit"],
    ["limit=", "limit"],
    ["limit=1.5", "limit"],
    ["limit=1e2", "limit"],
    ["limit=+5", "limit"],
    ["limit=05", "limit"],
    ["limit=5&limit=5", "limit"],
    ["offset=-1", "offset"],
    ["offset=abc", "offset"],
    ["offset=", "offset"],
    ["offset=99999999999999999999", "offset"],
    ["offset=0&offset=1", "offset"],
    ["dateFrom=yesterday", "dateFrom"],
    ["dateFrom=", "dateFrom"],
    ["dateFrom=2026-02-30", "dateFrom"],
    ["dateFrom=2026-02-01&dateFrom=2026-02-01", "dateFrom"],
    ["sort=visitors", "sort"],
    ["sort=", "sort"],
    ["sort=ai&sort=ai", "sort"],
    ["order=down", "order"],
    ["order=asc&order=desc", "order"],
    ["search=a&search=b", "search"],
    [`search=${"a".repeat(1_001)}`, "search"],
    ["dateTo=2026-W05", "dateTo"],
    ["dateTo=2026-02-01T24:00:00Z", "dateTo"],
    ["dateFrom=2026-02-02&dateTo=2026-02-01", "dateFrom"],
  ])("%s is refused by its name", async (query, field) => {
    const { status, body } = await get("visitors", query);
    expect([status, body["code"]]).toEqual([400, "invalid_request"]);
    expect(body["details"]).toEqual([{ message: expect.stringMatching(new RegExp(`^${field} must `)) }]);
  });

  test("limits and offsets at their bounds are taken, and what nobody knows is passed over", async () => {
    for (const query of ["limit=1", "limit=250", "offset=0", "offset=999999999", "page=x&limit[]=0&__proto__=1"]) {
      expect((await get("visitors", query)).status, query).toBe(200);
    }
  });

  test("an offset beyond the end leaves the totals", async () => {
    const { body } = await get("visitors", "offset=1000");
    expect(body).toEqual({ totals: { human: 3, ai: 2, total: 4 }, visitors: [], hasMore: false });
  });

  test("dateFrom is included and dateTo is not, also as timestamps in any offset", async () => {
    const february = { totals: { human: 2, ai: 2, total: 3 } };
    for (const query of [
      "dateFrom=2026-02-01&dateTo=2026-03-01",
      "dateFrom=2026-02-01T00:00:00Z&dateTo=2026-03-01T23:59:59Z",
      "dateFrom=2026-02-01T01:00:00%2B01:00&dateTo=2026-02-28T23:30:00-01:00",
      "dateFrom=2026-02-01T01:00:00+01:00&dateTo=2026-03-01",
    ]) {
      expect((await get("visitors", query)).body, query).toMatchObject(february);
    }
    expect((await get("visitors", "dateTo=2026-02-01")).body).toMatchObject({ totals: { human: 1, ai: 0, total: 1 } });
    expect((await get("visitors", "dateFrom=2026-03-31")).body).toMatchObject({ visitors: [{ path: "/today" }] });
  });

  test("equal dates and days to come are empty", async () => {
    const nothing = { totals: { human: 0, ai: 0, total: 0 }, visitors: [], hasMore: false };
    for (const query of [
      "dateFrom=2026-02-01&dateTo=2026-02-01",
      "dateFrom=2200-01-01",
      "dateFrom=9999-12-31",
      "dateTo=0000-01-01",
      "dateFrom=1969-12-31&dateTo=1970-01-02",
    ]) {
      expect((await get("visitors", query)).body, query).toEqual(nothing);
    }
  });
});

describe("the answers", () => {
  test("visitors", async () => {
    const { status, body, headers } = await get("visitors", "dateFrom=2026-02-01&dateTo=2026-03-01");
    expect(status).toBe(200);
    expect(body).toEqual({
      totals: { human: 2, ai: 2, total: 3 },
      visitors: [
        { path: "/guides", human: 1, ai: 1, total: 2 },
        { path: "/", human: 1, ai: 1, total: 1 },
        { path: "/a,b", human: 1, ai: 0, total: 1 },
      ],
      hasMore: false,
    });
    expect(headers.get("docent-sources")).toBe("log, tracker");
    expect(headers.get("docent-ai-definition")).toBe("all");
    expect(headers.has("docent-retained-from")).toBe(false);
    expect(headers.has("link")).toBe(false);
    expect(headers.get("vary")).toBe("Accept");
  });

  test("views, missing pages, agents and days", async () => {
    expect((await get("views", "limit=1")).body).toEqual({
      totals: { human: 6, ai: 2, total: 8 },
      views: [{ path: "/", human: 3, ai: 1, total: 4 }],
      hasMore: true,
    });
    expect((await get("not-found")).body).toEqual({
      totals: { human: 0, ai: 1, total: 1 },
      paths: [{ path: "/gone", human: 0, ai: 1, total: 1 }],
      hasMore: false,
    });
    expect((await get("agents")).body).toEqual({
      agents: [{ name: "GPTBot", operator: "OpenAI", purpose: "training", visitors: 2, views: 2 }],
    });
    expect((await get("timeseries", "dateFrom=2026-02-28&dateTo=2026-03-02")).body).toEqual({
      days: [
        { day: "2026-02-28", visitors: { human: 1, ai: 0, total: 1 }, views: { human: 2, ai: 0, total: 2 } },
        { day: "2026-03-01", visitors: { human: 1, ai: 0, total: 1 }, views: { human: 1, ai: 0, total: 1 } },
      ],
    });
  });

  test("pages of any limit hold each row once, and each links to the next", async () => {
    const { body: whole } = await get("visitors", "dateTo=2026-03-01");
    for (const limit of [1, 2, 3, 250]) {
      const rows: unknown[] = [];
      let next: string | undefined = `/v1/analytics/${project.projectId}/visitors?dateTo=2026-03-01&limit=${limit}`;
      while (next !== undefined) {
        const response: Response = await fetch(server.url + next, {
          headers: { authorization: `Bearer ${project.key}` },
        });
        const page = (await response.json()) as { visitors: unknown[]; hasMore: boolean };
        rows.push(...page.visitors);
        next = /^<([^>]+)>; rel="next"$/.exec(response.headers.get("link") ?? "")?.[1];
        expect(page.hasMore).toBe(next !== undefined);
      }
      expect(rows).toEqual(whole["visitors"]);
    }
  });

  test("rows are searched for in any case, and the totals stay", async () => {
    const { body: whole } = await get("visitors");
    const paths = async (query: string, report = "visitors"): Promise<unknown> => {
      const { body } = await get(report, query);
      expect(body["totals"]).toEqual(whole["totals"]);
      return (body["visitors"] as { path: string }[]).map(({ path }) => path);
    };
    expect(await paths("search=GUID")).toEqual(["/guides"]);
    expect(await paths("search=%2Ca,b")).toEqual([]);
    expect(await paths("search=,B")).toEqual(["/a,b"]);
    expect(await paths("search=")).toEqual((whole["visitors"] as { path: string }[]).map(({ path }) => path));
    expect(await paths("search=.*")).toEqual([]);
    expect((await get("not-found", "search=GO")).body).toMatchObject({ paths: [{ path: "/gone" }] });
    expect((await get("views", "search=today")).body).toMatchObject({ totals: { total: 8 }, views: [{ total: 1 }] });
  });

  test("rows come in the order that is asked for, equal ones by path", async () => {
    const order = async (query: string): Promise<string[]> =>
      ((await get("visitors", query)).body["visitors"] as { path: string }[]).map(({ path }) => path);
    expect(await order("sort=total&order=desc")).toEqual(await order(""));
    expect(await order("order=asc")).toEqual(["/a,b", "/today", "/", "/guides"]);
    expect(await order("sort=human")).toEqual(["/", "/a,b", "/guides", "/today"]);
    expect(await order("sort=human&order=asc")).toEqual(["/a,b", "/guides", "/today", "/"]);
    expect(await order("sort=ai")).toEqual(["/", "/guides", "/a,b", "/today"]);
    expect(await order("sort=path")).toEqual(["/", "/a,b", "/guides", "/today"]);
    expect(await order("sort=path&order=desc")).toEqual(["/today", "/guides", "/a,b", "/"]);
  });

  test.each(["sort=path&order=desc", "sort=ai&order=asc", "search=A&sort=human"])(
    "pages of %s hold each row once, as JSON and as CSV, and link to the next",
    async (query) => {
      const { body: whole } = await get("visitors", query);
      for (const accept of ["application/json", "text/csv"]) {
        const rows: string[] = [];
        let next: string | undefined = `/v1/analytics/${project.projectId}/visitors?${query}&limit=1`;
        while (next !== undefined) {
          const response: Response = await fetch(server.url + next, {
            headers: { authorization: `Bearer ${project.key}`, accept },
          });
          const text = await response.text();
          rows.push(
            accept === "text/csv"
              ? (text.split("\r\n")[1] ?? "").replaceAll('"', "").replace(/(?:,\d+){3}$/, "")
              : JSON.parse(text).visitors[0].path,
          );
          next = /^<([^>]+)>; rel="next"$/.exec(response.headers.get("link") ?? "")?.[1];
        }
        expect(rows).toEqual((whole["visitors"] as { path: string }[]).map(({ path }) => path));
      }
    },
  );

  test("other bots are in a report of their own", async () => {
    const { body } = await get("bots");
    expect(body).toEqual({ bots: [{ name: "Bingbot", visitors: 1, views: 1 }] });
    expect((await get("bots", "dateFrom=2026-03-01")).body).toEqual({ bots: [] });
    const { headers, text } = await get("bots", "", { accept: "text/csv" });
    expect(text).toBe("name,visitors,views\r\nBingbot,1,1\r\n");
    expect(headers.get("docent-sources")).toBe("log, tracker");
  });

  test("CSV has the same rows, and goes on by its link", async () => {
    const { headers, text } = await get("visitors", "dateFrom=2026-02-01&dateTo=2026-03-01&limit=1&offset=2", {
      accept: "text/csv",
    });
    expect(headers.get("content-type")).toBe("text/csv; charset=utf-8; header=present");
    expect(headers.get("vary")).toBe("Accept");
    expect(headers.get("docent-sources")).toBe("log, tracker");
    expect(text).toBe('path,human,ai,total\r\n"/a,b",1,0,1\r\n');
    const first = await get("visitors", "limit=1", { accept: "text/csv" });
    expect(first.headers.get("link")).toContain("limit=1&offset=1>");

    const csv = async (report: string): Promise<string> => (await get(report, "", { accept: "text/csv" })).text;
    expect(await csv("agents")).toBe("name,operator,purpose,visitors,views\r\nGPTBot,OpenAI,training,2,2\r\n");
    expect((await csv("timeseries")).split("\r\n").slice(0, 2)).toEqual([
      "day,humanVisitors,aiVisitors,totalVisitors,humanViews,aiViews,totalViews",
      "2026-01-31,1,0,1,1,0,1",
    ]);
    expect(await csv("not-found")).toBe("path,human,ai,total\r\n/gone,0,1,1\r\n");
  });

  test("the headers say which agents count and from which day on views are kept", async () => {
    const { projectId, key } = await server.createProject();
    const settings = JSON.stringify({ analytics: { ai: "assistants", retentionDays: 31 } });
    await server.database.database.updateTable("projects").set({ settings }).where("id", "=", projectId).execute();
    await analytics.visits.add({ projectId, views: SEEN.map(toView) });
    await analytics.fold();
    await analytics.tidy();
    const response = await fetch(`${server.url}/v1/analytics/${projectId}/visitors?dateFrom=2020-01-01`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(response.headers.get("docent-ai-definition")).toBe("assistants");
    expect(response.headers.get("docent-retained-from")).toBe("2026-03-01");
    expect(await response.json()).toMatchObject({ totals: { human: 2, ai: 0, total: 2 } });
  });

  test("errors are JSON, whatever was asked for", async () => {
    const { status, body } = await get("visitors", "limit=0", { accept: "text/csv" });
    expect([status, body["code"]]).toEqual([400, "invalid_request"]);
  });
});

describe("who may read them", () => {
  test.each([
    ["read", 200],
    ["write", 200],
    ["admin", 200],
    ["collect", 403],
  ] as const)("a key of scope %s: %i", async (scope, status) => {
    const { projectId, key } = await server.createProject(scope);
    for (const report of ["visitors", "views", "agents", "bots", "timeseries", "not-found"]) {
      const response = await fetch(`${server.url}/v1/analytics/${projectId}/${report}`, {
        headers: { authorization: `Bearer ${key}` },
      });
      expect(response.status).toBe(status);
    }
  });

  test("nobody learns anything from the parameters or the project without a key for it", async () => {
    for (const [projectId, headers, status] of [
      [project.projectId, {}, 401],
      [project.projectId, { authorization: "Bearer docent_nobody" }, 401],
      ["prj_00000000000000000000000000", { authorization: `Bearer ${project.key}` }, 403],
      ["%00", { authorization: `Bearer ${project.key}` }, 403],
    ] as const) {
      const response = await fetch(`${server.url}/v1/analytics/${projectId}/visitors?limit=0`, { headers });
      expect(response.status).toBe(status);
    }
  });
});
