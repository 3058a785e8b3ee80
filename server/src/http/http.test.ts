import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestServer, type TestServer } from "./testing/server.ts";

let server: TestServer;
let projectId: string;
let key: string;

beforeAll(async () => {
  server = await startTestServer({
    wrapJobs: (jobs) => ({
      ...jobs,
      get: (project, id) => {
        if (id === "job_BROKEN") throw new Error("a secret of the inside");
        return jobs.get(project, id);
      },
    }),
  });
  ({ projectId, key } = await server.createProject());
});
afterAll(() => server.close());

interface Call {
  method?: string;
  token?: string | null;
  headers?: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
}

async function call(path: string, { method = "GET", token = key, headers = {}, body }: Call = {}) {
  const response = await fetch(server.url + path, {
    method,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
  });
  expect(response.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  const text = await response.text();
  return { status: response.status, headers: response.headers, json: text === "" ? null : JSON.parse(text) };
}

const create = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
  call(`/v2/agent/${projectId}/job`, { method: "POST", body, headers });

/** Writes bytes to the socket and answers everything that comes back until the server closes or half a second passes. */
function raw(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { port, hostname } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    let answer = "";
    socket.setTimeout(500, () => socket.destroy());
    socket.on("data", (chunk) => (answer += chunk.toString("latin1")));
    socket.on("close", () => resolve(answer));
    socket.on("error", reject);
    socket.write(bytes);
  });
}

describe("a job over HTTP", () => {
  test("is created, read, listed, messaged and archived", async () => {
    const created = await create(JSON.stringify({ prompt: "Fix broken links", later: { nobody: "knows" } }));
    expect(created.status).toBe(201);
    const path = `/v2/agent/${projectId}/job/${created.json.id}`;
    expect(created.headers.get("location")).toBe(path);
    expect(created.json).toEqual({
      id: expect.stringMatching(/^job_/),
      title: "Fix broken links",
      author: { type: "key", name: "test" },
      status: "active",
      source: { repository: expect.stringContaining(projectId), ref: "main" },
      model: "docent:offline",
      prLink: null,
      createdAt: expect.stringMatching(/Z$/),
      archivedAt: null,
      branch: null,
      pullRequest: null,
      failureReason: null,
      waiting: null,
      usage: { steps: 0, inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, costUsd: 0 },
    });
    expect((await call(path)).json).toEqual(created.json);
    expect((await call(`/v2/agent/${projectId}/jobs?limit=1`)).json.jobs).toEqual([created.json]);
    expect((await call(`${path}/message`, { method: "POST", body: '{"prompt":"And images"}' })).status).toBe(200);
    const archived = await call(`${path}/archive`, { method: "POST" });
    expect(archived.json).toMatchObject({ status: "archived", archivedAt: expect.any(String) });
    const late = await call(`${path}/message`, { method: "POST", body: '{"prompt":"More"}' });
    expect([late.status, late.json.code]).toEqual([409, "job_archived"]);
  });

  test("is listed in pages, newest first", async () => {
    const { projectId: own, key: token } = await server.createProject();
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      const made = await call(`/v2/agent/${own}/job`, { method: "POST", token, body: '{"prompt":"x"}' });
      ids.unshift(made.json.id);
    }
    const seen: string[] = [];
    let query = "limit=2";
    for (;;) {
      const { json } = await call(`/v2/agent/${own}/jobs?${query}`, { token });
      seen.push(...json.jobs.map((job: { id: string }) => job.id));
      if (json.nextCursor === null) break;
      query = `limit=2&cursor=${json.nextCursor}`;
    }
    expect(seen).toEqual(ids);
    expect((await call(`/v2/agent/${own}/jobs?status=failed`, { token })).json).toEqual({ jobs: [], nextCursor: null });
  });

  test("is created once for an Idempotency-Key", async () => {
    const headers = { "idempotency-key": "one of mine" };
    const first = await create('{"prompt":"Once"}', headers);
    const again = await create('{ "prompt": "Once", "ignored": 1 }', headers);
    expect(again.json).toEqual(first.json);
    const other = await create('{"prompt":"Twice"}', headers);
    expect([other.status, other.json.code]).toEqual([409, "idempotency_conflict"]);
    const bad = await create('{"prompt":"x"}', { "idempotency-key": "ü".repeat(3) });
    expect(bad.json.details[0].message).toMatch(/^Idempotency-Key /);
  });
});

describe("a prompt", () => {
  test("has 100,000 characters at most, however they are written", async () => {
    const escaped = "\\ud83d\\ude00".repeat(100_000);
    expect((await create(`{"prompt":"${escaped}"}`)).status).toBe(201);
    const long = await create(JSON.stringify({ prompt: "a".repeat(100_001) }));
    expect([long.status, long.json.details[0].message]).toEqual([
      400,
      "prompt must not have more than 100000 characters",
    ]);
  });

  test.each([
    ["{}", "prompt is required"],
    ["[]", "The body must be an object"],
    ['"text"', "The body must be an object"],
    ["null", "The body must be an object"],
    ['{"prompt":1}', "prompt must be a string"],
    ['{"prompt":null}', "prompt must be a string"],
    ['{"prompt":["a"]}', "prompt must be a string"],
    ['{"prompt":""}', "prompt must not be blank"],
    ['{"prompt":" \\n\\u00a0"}', "prompt must not be blank"],
    ['{"prompt":"a\\u0000b"}', "prompt must not contain NUL characters or unpaired surrogates"],
    ['{"prompt":"\\ud800"}', "prompt must not contain NUL characters or unpaired surrogates"],
    ['{"prompt":"\\udc00\\ud800"}', "prompt must not contain NUL characters or unpaired surrogates"],
    ['{"__proto__":{"prompt":"x"}}', "prompt is required"],
    ['{"constructor":{"prototype":{"prompt":"x"}}}', "prompt is required"],
  ])("%s is refused by name", async (body, message) => {
    const answer = await create(body);
    expect([answer.status, answer.json.code, answer.json.details]).toEqual([400, "invalid_request", [{ message }]]);
  });
});

describe("a body", () => {
  test("that is broken is 400, too large 413, of another kind 415", async () => {
    expect((await create('{"prompt":')).json.error).toBe("The body is not valid JSON.");
    expect((await create(new Uint8Array([0x7b, 0xff, 0x7d]))).json.error).toBe("The body is not valid UTF-8.");
    expect((await create("[".repeat(500_000) + "]".repeat(500_000))).status).toBe(400);
    const large = await create(JSON.stringify({ prompt: "x", padding: "y".repeat(2 ** 21) }));
    expect([large.status, large.json.code]).toEqual([413, "body_too_large"]);
    for (const headers of [
      { "content-type": "text/plain" },
      { "content-type": "application/xml" },
      { "content-type": "nonsense" },
      { "content-type": "application/json; charset=utf-16" },
      { "content-encoding": "gzip" },
    ]) {
      const answer = await create('{"prompt":"x"}', headers);
      expect([answer.status, answer.json.code]).toEqual([415, "unsupported_media_type"]);
    }
    expect((await create('\uFEFF{"prompt":"x"}', { "content-type": "Application/JSON;charset=UTF-8" })).status).toBe(
      201,
    );
    expect((await call(`/v2/agent/${projectId}/job`, { method: "POST" })).status).toBe(400);
  });

  test("is ignored where an operation takes none", async () => {
    const job = await create('{"prompt":"x"}');
    const path = `/v2/agent/${projectId}/job/${job.json.id}/archive`;
    const answer = await call(path, { method: "POST", body: "<broken>", headers: { "content-type": "text/html" } });
    expect(answer.status).toBe(200);
  });
});

describe("a caller", () => {
  test("without a key that counts gets 401 and a challenge, whatever the path and the body", async () => {
    for (const token of [null, "docent_nothing", `docent_${"A".repeat(43)}`, server.adminToken]) {
      const answer = await call(`/v2/agent/${projectId}/job`, { method: "POST", token, body: "{" });
      expect([answer.status, answer.json.code]).toEqual([401, "unauthorized"]);
      expect(answer.headers.get("www-authenticate")).toMatch(/^Bearer /);
    }
    const basic = await call(`/v2/agent/${projectId}/jobs`, { token: null, headers: { authorization: "Basic eDp5" } });
    expect(basic.status).toBe(401);
  });

  test("with another project's key gets 403, whether that project exists or not", async () => {
    const other = await server.createProject();
    const answers = await Promise.all(
      [other.projectId, "prj_00000000000000000000000000", "%00", "..%2f"].map((id) =>
        call(`/v2/agent/${id}/job/job_1/message`, { method: "POST", body: "{" }),
      ),
    );
    for (const answer of answers) expect(answer.json).toEqual(answers[0]?.json);
    expect(answers[0]?.status).toBe(403);
  });

  test("is held to its scope", async () => {
    const statuses = [];
    for (const scope of ["read", "write", "admin", "collect"] as const) {
      const own = await server.createProject(scope);
      const post = await call(`/v2/agent/${own.projectId}/job`, {
        method: "POST",
        token: own.key,
        body: '{"prompt":"x"}',
      });
      const list = await call(`/v2/agent/${own.projectId}/jobs`, { token: own.key });
      statuses.push([scope, post.status, list.status]);
    }
    expect(statuses).toEqual([
      ["read", 403, 200],
      ["write", 201, 200],
      ["admin", 201, 200],
      ["collect", 403, 403],
    ]);
  });
});

describe("the administration", () => {
  test("takes the admin token and nothing else", async () => {
    expect((await call("/v1/projects", { token: null })).status).toBe(401);
    expect((await call("/v1/projects", { token: "wrong" })).status).toBe(401);
    expect((await call("/v1/projects", { token: key })).status).toBe(403);
    expect((await call("/v1/projects", { token: server.adminToken })).status).toBe(200);
  });

  test("makes, changes and deletes a project with its keys", async () => {
    const token = server.adminToken;
    const analytics = { origins: ["https://docs.example.com"], saltRotation: "daily", retentionDays: 30 };
    const settings = { docsPath: "docs", newMdxCode: "refuse", unknown: 1, analytics: { ...analytics, unknown: 1 } };
    const made = await call("/v1/projects", {
      method: "POST",
      token,
      body: JSON.stringify({ name: " Mine ", settings }),
    });
    expect(made.status).toBe(201);
    expect(made.json).toMatchObject({ name: "Mine" });
    expect(made.json.settings).toEqual({ docsPath: "docs", newMdxCode: "refuse", analytics });
    const path = made.headers.get("location") ?? "";
    const patched = await call(path, { method: "PATCH", token, body: '{"name":"Yours"}' });
    expect(patched.json).toEqual({ ...made.json, name: "Yours" });

    const newKey = { name: "ci", scope: "write", cidrs: ["127.0.0.0/8"], expiresAt: "2999-01-01T00:00:00Z" };
    const issued = await call(`${path}/keys`, { method: "POST", token, body: JSON.stringify(newKey) });
    expect(issued.json).toMatchObject({ ...newKey, expiresAt: "2999-01-01T00:00:00.000Z", key: expect.any(String) });
    const { key: ownKey, ...shown } = issued.json;
    expect((await call(`${path}/keys`, { token })).json).toEqual({ keys: [shown] });
    const jobs = `/v2/agent/${made.json.id}/jobs`;
    const job = await call(jobs.slice(0, -1), { method: "POST", token: ownKey, body: '{"prompt":"x"}' });
    expect(job.status).toBe(201);
    expect((await call(`${path}/keys/${shown.id}`, { method: "DELETE", token })).status).toBe(204);
    expect((await call(`${path}/keys/${shown.id}`, { method: "DELETE", token })).status).toBe(404);
    expect((await call(jobs, { token: ownKey })).status).toBe(401);

    expect((await call(path, { method: "DELETE", token })).status).toBe(204);
    expect((await call(path, { token })).status).toBe(404);
    expect((await call(`${path}/keys`, { token })).status).toBe(404);
    expect(await server.jobs.get(made.json.id, job.json.id)).toMatchObject({ status: "archived" });
  });

  test.each([
    ["POST", "/v1/projects", "{}", "name is required"],
    ["POST", "/v1/projects", '{"name":"a\\nb"}', "name must be one line without control characters"],
    ["POST", "/v1/projects", '{"name":"a","settings":{"allow":[1]}}', "settings.allow.0 must be a string"],
    [
      "POST",
      "/v1/projects",
      '{"name":"a","settings":{"newMdxCode":"x"}}',
      "settings.newMdxCode must be one of list, refuse",
    ],
    ...[
      "https://docs.example.com/",
      "docs.example.com",
      "https://Docs.example.com",
      "https://a.test:443",
      "null",
      "*",
    ].map((origin) => [
      "POST",
      "/v1/projects",
      JSON.stringify({ name: "a", settings: { analytics: { origins: [origin] } } }),
      "settings.analytics.origins.0 must be an origin like https://docs.example.com, without a path",
    ]),
    [
      "POST",
      "/v1/projects",
      '{"name":"a","settings":{"analytics":{"peopleSources":["tracker","ears"]}}}',
      "settings.analytics.peopleSources.1 must be one of tracker, middleware, log, api",
    ],
    [
      "POST",
      "/v1/projects",
      '{"name":"a","settings":{"analytics":{"retentionDays":0}}}',
      "settings.analytics.retentionDays must be >= 1",
    ],
    ["POST", "keys", '{"name":"a","scope":"root"}', "scope must be one of admin, write, read, collect"],
    [
      "POST",
      "keys",
      '{"name":"a","cidrs":["10.0.0.0/33"]}',
      "cidrs.0 must be an IP address or a CIDR range like 10.0.0.0/8",
    ],
    ["POST", "keys", '{"name":"a","expiresAt":"2001-01-01T00:00:00Z"}', "expiresAt must be a time in the future"],
    ["POST", "keys", '{"name":"a","expiresAt":"tomorrow"}', 'expiresAt must match format "date-time"'],
  ])("%s %s %s is refused by name", async (method, path, body, message) => {
    const url = path === "keys" ? `/v1/projects/${projectId}/keys` : path;
    const answer = await call(url, { method, token: server.adminToken, body });
    expect([answer.status, answer.json.details]).toEqual([400, [{ message }]]);
  });
});

describe("an error", () => {
  test.each([
    ["limit=0", "limit must be >= 1"],
    ["limit=101", "limit must be <= 100"],
    ["limit=1e1", "limit must be an integer"],
    ["limit=%20", "limit must be an integer"],
    ["limit=", "limit must be an integer"],
    ["limit=1&limit=2", "limit must be an integer"],
    ["status=gone", "status must be one of active, completed, failed, archived"],
    ["cursor=%00", "cursor must be the nextCursor of an earlier page"],
    ["cursor=", "cursor must be the nextCursor of an earlier page"],
  ])("of the query %s names the parameter", async (query, message) => {
    const answer = await call(`/v2/agent/${projectId}/jobs?${query}`);
    expect([answer.status, answer.json.details]).toEqual([400, [{ message }]]);
  });

  test("of an id is 404", async () => {
    for (const id of [
      "job_00000000000000000000000000",
      "%00",
      "job_%00",
      "%ED%A0%80",
      "x".repeat(200),
      "..%2f..",
      "job_'",
    ]) {
      const answer = await call(`/v2/agent/${projectId}/job/${id}`);
      expect([id, answer.status === 400 ? 404 : answer.status]).toEqual([id, 404]);
    }
  });

  test("of a path or a method is 404, 400 or 405", async () => {
    expect((await call("/nothing", { token: null })).json).toMatchObject({ code: "not_found" });
    expect((await call("/nothing", { token: null, method: "POST", body: "{" })).status).toBe(404);
    expect((await call("/v2/agent/%zz/jobs")).json).toMatchObject({ code: "invalid_request" });
    const answer = await call(`/v2/agent/${projectId}/job`, { method: "DELETE", token: null });
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "OPTIONS, POST"]);
    const options = await call(`/v1/projects/${projectId}`, { method: "OPTIONS", token: null });
    expect([options.status, options.headers.get("allow")]).toEqual([204, "DELETE, GET, HEAD, OPTIONS, PATCH"]);
    expect((await call(`/v2/agent/${projectId}/jobs`, { method: "HEAD" })).status).toBe(200);
  });

  test("of the server shows nothing of the inside, and is logged with its id", async () => {
    const answer = await call(`/v2/agent/${projectId}/job/job_BROKEN`);
    expect([answer.status, answer.json.code]).toEqual([500, "internal"]);
    expect(JSON.stringify(answer.json)).not.toContain("secret");
    const id = answer.headers.get("x-request-id");
    expect(server.lines.some((line) => line.includes(`request ${id}`) && line.includes("a secret"))).toBe(true);
  });

  test.each([
    { name: "no HTTP at all", bytes: "NONSENSE\r\n\r\n", status: 400 },
    {
      name: "two lengths",
      bytes: "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
      status: 400,
    },
    { name: "a long header", bytes: `GET / HTTP/1.1\r\nHost: a\r\nX: ${"y".repeat(20_000)}\r\n\r\n`, status: 431 },
    { name: "a long path", bytes: `GET /${"y".repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, status: 431 },
    { name: "no host", bytes: "GET /healthz HTTP/1.1\r\n\r\n", status: 200 },
    { name: "an expectation", bytes: "GET /healthz HTTP/1.1\r\nHost: a\r\nExpect: miracles\r\n\r\n", status: 200 },
    {
      name: "an upgrade",
      bytes: "GET /healthz HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n",
      status: 200,
    },
    {
      name: "broken chunks",
      bytes: "POST /v2/agent/x/job HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
      status: 400,
    },
    { name: "an unknown method", bytes: "BREW / HTTP/1.1\r\nHost: a\r\n\r\n", status: 400 },
    { name: "a rare method", bytes: "PROPFIND /healthz HTTP/1.1\r\nHost: a\r\n\r\n", status: 404 },
  ])("of HTTP itself, $name, is answered like any other", async ({ bytes, status }) => {
    const answer = await raw(bytes);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer).toMatch(/x-request-id: [0-9a-f-]{36}/i);
    if (status !== 200) expect(answer).toMatch(/"code":"/);
  });
});

describe("the reference", () => {
  test("loads nothing from elsewhere", async () => {
    const page = await fetch(`${server.url}/reference/`);
    const html = await page.text();
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
    const links = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] ?? "");
    expect(links.length).toBeGreaterThan(4);
    for (const link of links) {
      const url = new URL(link, page.url);
      expect(url.origin).toBe(server.url);
      const asset = await fetch(url);
      expect([link, asset.status]).toEqual([link, 200]);
      await asset.arrayBuffer();
    }
    const initializer = await (await fetch(`${server.url}/reference/static/swagger-initializer.js`)).text();
    expect(initializer).toContain("validatorUrl: null");
  });
});
