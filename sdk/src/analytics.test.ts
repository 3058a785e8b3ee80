import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createDocent, type Docent } from "./sdk.ts";
import { sendJson, startTestServer, type ReceivedRequest, type TestServer } from "./testing/http-server.ts";

let server: TestServer;
let answer: (request: ReceivedRequest, response: ServerResponse) => void;
let docent: Docent;

beforeEach(async () => {
  server = await startTestServer((request, response) => answer(request, response));
  docent = createDocent({ baseUrl: server.url, apiKey: "k" });
});
afterEach(() => server.close());

const row = (path: string) => ({ path, human: 1, ai: 0, total: 1 });
const totals = { human: 1, ai: 0, total: 1 };

/** Answers pages of so many rows as a Docent service would, and CSV with its link. */
function answerRows(count: number): void {
  answer = ({ path, headers }, response) => {
    const query = new URL(path, server.url).searchParams;
    const limit = Number(query.get("limit"));
    const offset = Number(query.get("offset"));
    const rows = Array.from({ length: Math.min(limit, count - offset) }, (_, index) => row(`/${offset + index}`));
    const hasMore = offset + limit < count;
    if (headers.accept !== "text/csv") return sendJson(response, 200, { totals, visitors: rows, hasMore });
    const lines = rows.map((each) => `${each.path},1,0,1\r\n`);
    response.writeHead(200, { "content-type": "text/csv", ...(hasMore ? { link: '<x>; rel="next"' } : {}) });
    response.end(`path,human,ai,total\r\n${lines.join("")}`);
  };
}

test("a report says what it stands on", async () => {
  const headers = { "docent-sources": "tracker, log", "docent-ai-definition": "assistants" };
  answer = (_, response) => sendJson(response, 200, { totals, visitors: [], hasMore: false }, headers);
  const report = await docent.analytics.visitors("prj_1", { dateFrom: "2026-02-01T00:00:00+01:00", limit: 3 });
  const basis = { sources: ["tracker", "log"], ai: "assistants", retainedFrom: null };
  expect(report).toEqual({ totals, visitors: [], hasMore: false, basis });
  expect(server.requests[0]?.path).toBe(
    "/v1/analytics/prj_1/visitors?dateFrom=2026-02-01T00%3A00%3A00%2B01%3A00&limit=3",
  );
  answer = (_, response) => sendJson(response, 200, { days: [] }, { "docent-retained-from": "2026-01-01" });
  expect(await docent.analytics.timeseries("prj_1")).toMatchObject({
    basis: { sources: [], retainedFrom: "2026-01-01" },
  });
});

test("all rows are fetched page by page, and no further than they are asked for", async () => {
  answerRows(600);
  const paths: string[] = [];
  for await (const { path } of docent.analytics.all("prj_1", "visitors")) paths.push(path);
  expect(paths).toEqual(Array.from({ length: 600 }, (_, index) => `/${index}`));
  expect(server.requests).toHaveLength(3);
  server.requests.length = 0;
  for await (const { path } of docent.analytics.all("prj_1", "visitors")) if (path === "/1") break;
  expect(server.requests).toHaveLength(1);
});

test.each([
  [undefined, 600],
  [1, 1],
  [250, 250],
  [251, 251],
  [1_000, 600],
])("CSV of at most %s rows has one first line and %i rows", async (limit, count) => {
  answerRows(600);
  const parts: string[] = [];
  for await (const part of docent.analytics.csv("prj_1", "visitors", { limit })) parts.push(part);
  const rows = Array.from({ length: count }, (_, index) => `/${index},1,0,1\r\n`);
  expect(parts.join("")).toBe(`path,human,ai,total\r\n${rows.join("")}`);
});

test("what rows are searched for, and their order, go along with each page", async () => {
  answerRows(300);
  const rows = { search: "a&b", sort: "path", order: "desc" } as const;
  for await (const each of docent.analytics.all("prj_1", "visitors", rows)) void each;
  for await (const part of docent.analytics.csv("prj_1", "visitors", rows)) void part;
  expect(server.requests.map(({ path }) => path)).toEqual(
    [0, 250, 0, 250].map((offset) =>
      expect.stringMatching(`search=a%26b&sort=path&order=desc&limit=250&offset=${offset}$`),
    ),
  );
});

test("CSV of a report without pages is one answer", async () => {
  answer = (_, response) => response.end("name\r\n");
  const parts: string[] = [];
  for await (const part of docent.analytics.csv("prj_1", "agents", { dateTo: "2026-01-01" })) parts.push(part);
  expect(parts).toEqual(["name\r\n"]);
  expect(server.requests[0]?.path).toBe("/v1/analytics/prj_1/agents?dateTo=2026-01-01");
});
