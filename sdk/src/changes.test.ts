import { afterEach, beforeEach, expect, test } from "vitest";
import { createDocent, type Docent } from "./sdk.ts";
import { sendJson, startTestServer, type TestServer } from "./testing/http-server.ts";

let server: TestServer;
let docent: Docent;

beforeEach(async () => {
  server = await startTestServer(({ path }, response) => {
    if (path.endsWith("/diff")) response.writeHead(200, { "content-type": "text/plain" }).end("diff --git");
    else sendJson(response, 200, {});
  });
  docent = createDocent({ baseUrl: server.url, apiKey: "k" });
});
afterEach(() => server.close());

test("what a job changed, and the files of pull requests, are asked for by path", async () => {
  await docent.jobs.changes("prj_1", "job_1");
  expect(await docent.jobs.diff("prj_1", "job_1")).toBe("diff --git");
  await docent.jobs.file("prj_1", "job_1", "a b/ü&.mdx");
  await docent.pulls.file("prj_1", 7, "a?.mdx");
  await docent.jobs.list("prj_1", { search: "100% & more" });
  await docent.pulls.list("prj_1", { state: "open", cursor: "9" });
  expect(server.requests.map(({ path }) => path)).toEqual([
    "/v2/agent/prj_1/job/job_1/changes",
    "/v2/agent/prj_1/job/job_1/changes/diff",
    "/v2/agent/prj_1/job/job_1/changes/file?path=a+b%2F%C3%BC%26.mdx",
    "/v1/projects/prj_1/pulls/7/file?path=a%3F.mdx",
    "/v2/agent/prj_1/jobs?search=100%25+%26+more",
    "/v1/projects/prj_1/pulls?state=open&cursor=9",
  ]);
});

test("a comment takes an idempotency key along", async () => {
  await docent.pulls.comment("prj_1", 7, { body: "Shorter, please." }, { idempotencyKey: "once" });
  const [request] = server.requests;
  expect([request?.method, request?.path]).toEqual(["POST", "/v1/projects/prj_1/pulls/7/comments"]);
  expect(request?.headers["idempotency-key"]).toBe("once");
  expect(JSON.parse(request?.body ?? "")).toEqual({ body: "Shorter, please." });
});
