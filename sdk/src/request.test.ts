import { afterEach, expect, test } from "vitest";
import { createDocent, DocentError } from "./sdk.ts";
import { sendJson, startTestServer, type TestServer } from "./testing/http-server.ts";

let server: TestServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function failureOf(promise: Promise<unknown>): Promise<DocentError> {
  const error: unknown = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof DocentError)) throw new Error(`Expected a DocentError, got ${String(error)}`);
  return error;
}

test("a refusal arrives with its code, details, request id and time to wait", async () => {
  server = await startTestServer((_, response) => {
    const body = { error: "Too many requests.", code: "rate_limited", details: [{ message: "100 an hour" }] };
    sendJson(response, 429, body, { "x-request-id": "req_1", "retry-after": "61" });
  });
  const docent = createDocent({ baseUrl: server.url, apiKey: "docent_test" });
  const error = await failureOf(docent.jobs.create("prj_1", { prompt: "x" }));
  expect(error).toMatchObject({
    status: 429,
    code: "rate_limited",
    message: "Too many requests.",
    details: [{ message: "100 an hour" }],
    requestId: "req_1",
    retryAfter: 61,
  });
});

test.each([
  ["a proxy's page", 502, "<html>Bad gateway</html>"],
  ["JSON of something else", 404, '{"message":"no such route"}'],
  ["nothing", 500, ""],
])("an error that is %s is said to be not from Docent", async (_, status, body) => {
  server = await startTestServer((__, response) => response.writeHead(status).end(body));
  const error = await failureOf(createDocent({ baseUrl: server.url, apiKey: "k" }).jobs.get("prj_1", "job_1"));
  expect(error).toMatchObject({ status, code: "unexpected_answer" });
  expect(error.message).toContain(String(status));
});

test("a success that is not JSON is an error that names the address", async () => {
  server = await startTestServer((_, response) => response.end("<html>Welcome</html>"));
  const error = await failureOf(createDocent({ baseUrl: server.url, adminToken: "t" }).projects.list());
  expect(error.code).toBe("unexpected_answer");
  expect(error.message).toContain(server.url);
});

test("no connection is `unreachable` with the reason", async () => {
  server = await startTestServer(() => undefined);
  const { url } = server;
  await server.close();
  server = undefined;
  const error = await failureOf(createDocent({ baseUrl: url, apiKey: "k" }).jobs.get("prj_1", "job_1"));
  expect(error).toMatchObject({ status: 0, code: "unreachable" });
  expect(error.message).toContain("ECONNREFUSED");
});

test("without its credential a request is not sent, and the other credential is never sent in its place", async () => {
  server = await startTestServer((_, response) => sendJson(response, 200, { projects: [] }));
  const withKey = createDocent({ baseUrl: server.url, apiKey: "k" });
  const withToken = createDocent({ baseUrl: server.url, adminToken: "t" });
  expect((await failureOf(withKey.projects.list())).code).toBe("credential_missing");
  expect((await failureOf(withToken.jobs.get("prj_1", "job_1"))).code).toBe("credential_missing");
  expect(server.requests).toHaveLength(0);
});

test("a base URL with a path and slashes is kept, and ids are encoded", async () => {
  server = await startTestServer((_, response) => sendJson(response, 200, {}));
  const docent = createDocent({ baseUrl: `${server.url}/docent/`, apiKey: "k" });
  await docent.jobs.get("a/b", "c?d");
  await docent.jobs.list("prj_1", { limit: 5, status: "failed" });
  expect(server.requests.map(({ path }) => path)).toEqual([
    "/docent/v2/agent/a%2Fb/job/c%3Fd",
    "/docent/v2/agent/prj_1/jobs?limit=5&status=failed",
  ]);
});

test("the idempotency key is sent as a header", async () => {
  server = await startTestServer((_, response) => sendJson(response, 201, {}));
  const docent = createDocent({ baseUrl: server.url, apiKey: "k" });
  await docent.jobs.create("prj_1", { prompt: "x" }, { idempotencyKey: "once" });
  expect(server.requests[0]).toMatchObject({ method: "POST", body: '{"prompt":"x"}' });
  expect(server.requests[0]?.headers).toMatchObject({ "idempotency-key": "once", authorization: "Bearer k" });
});

test("an aborted request throws the abort, not an `unreachable`", async () => {
  server = await startTestServer(() => undefined);
  const stopped = new AbortController();
  const pending = createDocent({ baseUrl: server.url, apiKey: "k" }).jobs.get("prj_1", "job_1", {
    signal: stopped.signal,
  });
  stopped.abort();
  await expect(pending).rejects.toMatchObject({ name: "AbortError" });
});
