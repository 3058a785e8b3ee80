import { Agent, request as httpRequest } from "node:http";
import { connect } from "node:net";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestService, type TestService } from "../testing/service.ts";

const REQUESTS = 10_000;
const BATCH = 50;
/** The documented answers of a server that is well. */
const STATUSES = [200, 201, 202, 204, 400, 401, 403, 404, 405, 409, 413, 415, 429, 431];

let service: TestService;
let known: { projectId: string; key: string; jobId: string };

beforeAll(async () => {
  // One job at a time: this is about requests.
  service = await startTestService({ DOCENT_JOBS_CONCURRENCY: "1" });
  const { projectId, key } = await service.createProject();
  const created = await fetch(`${service.url}/v2/agent/${projectId}/job`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: '{"prompt":"Fix broken links"}',
  });
  const { id } = (await created.json()) as { id: string };
  known = { projectId, key, jobId: id };
});
afterAll(() => service.close());

interface RandomRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Buffer | undefined;
}

/** Text as it breaks programs: NUL, half surrogates, line ends, right-to-left marks, names of prototypes. */
const nastyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.constantFrom("\0", "\ud800", "a\udc00b", "\u202e", "\r\n", "__proto__", "constructor", "null", "NaN", "1e999", ""),
  fc.integer({ min: 1, max: 200_000 }).map((length) => "a".repeat(length)),
  fc.integer({ min: 1, max: 30_000 }).map((length) => "😀".repeat(length)),
);

const segment = fc.oneof(
  { weight: 16, arbitrary: fc.constant(undefined) },
  { weight: 3, arbitrary: nastyText.map((text) => encodeURIComponent(text.toWellFormed().slice(0, 300))) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "%00",
      "%",
      "%zz",
      "%ED%A0%80",
      "..",
      "%2e%2e%2f",
      "job_00000000000000000000000000",
      "'",
      "\\",
    ),
  },
);

const QUERY_NAMES = [
  "limit",
  "offset",
  "cursor",
  "status",
  "dateFrom",
  "dateTo",
  "search",
  "sort",
  "order",
  "__proto__",
  "limit[]",
  "toString",
];

const query = fc.oneof(
  { weight: 3, arbitrary: fc.constant("") },
  {
    weight: 2,
    arbitrary: fc
      .array(
        fc.tuple(
          fc.constantFrom(...QUERY_NAMES),
          fc.oneof(
            fc.constantFrom(
              "1",
              "20",
              "100",
              "0",
              "-1",
              "1e3",
              "%00",
              "%",
              "active",
              "asc",
              "path",
              "job_0",
              "9".repeat(400),
            ),
            fc.constantFrom("2026-01-01", "0000-01-01", "9999-12-31", "2026-02-30", "2026-01-01T23:59:59%2B14:00"),
            nastyText.map((text) => encodeURIComponent(text.toWellFormed().slice(0, 200))),
          ),
        ),
        { maxLength: 4 },
      )
      .map((pairs) => `?${pairs.map(([name, value]) => `${name}=${value}`).join("&")}`),
  },
);

const deep = fc
  .tuple(fc.constantFrom("[", '{"a":'), fc.integer({ min: 1, max: 200_000 }))
  .map(([open, depth]) => open.repeat(depth) + (open === "[" ? "]" : "1}").repeat(open === "[" ? depth : 1));

/** Each is what its type allows, or anything. */
const settings = fc.dictionary(
  fc.constantFrom("docsPath", "allow", "model", "fallbackModel", "models", "allowedRefs", "costMaxUsd", "commits", "x"),
  fc.oneof(
    fc.jsonValue(),
    nastyText,
    fc.array(nastyText, { maxLength: 4 }),
    fc.double(),
    fc.constant("docent:offline"),
  ),
  { maxKeys: 3 },
);

const jsonBody = fc.oneof(
  {
    weight: 8,
    arbitrary: nastyText.map((prompt) =>
      JSON.stringify({ prompt, name: prompt.slice(0, 250), value: prompt.slice(0, 20_000) }),
    ),
  },
  { weight: 2, arbitrary: settings.map((given) => JSON.stringify({ prompt: "x", name: "x", settings: given })) },
  {
    weight: 3,
    arbitrary: fc.record({ prompt: fc.jsonValue(), name: fc.jsonValue() }).map((value) => JSON.stringify(value)),
  },
  {
    weight: 2,
    arbitrary: fc
      .array(fc.record({ path: nastyText.map((text) => `/${text}`), visitorId: nastyText, userAgent: nastyText }))
      .map((events) => JSON.stringify(events)),
  },
  { weight: 2, arbitrary: fc.json() },
  { weight: 1, arbitrary: deep },
  { weight: 1, arbitrary: fc.json().map((text) => `{"__proto__":${text},"constructor":${text},"prompt":"x"}`) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 400 }).map((digits) => `{"prompt":${"9".repeat(digits)}}`) },
  { weight: 1, arbitrary: fc.json().map((text) => text.slice(0, -1)) },
);

const body = fc.oneof(
  { weight: 8, arbitrary: jsonBody.map((text) => Buffer.from(text)) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)) },
  { weight: 1, arbitrary: jsonBody.map((text) => Buffer.from(text, "utf16le")) },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 0, max: 64 }).map((blocks) => Buffer.alloc(blocks * 65_536, '{"prompt":"')),
  },
);

/** Absent nine times out of ten. */
const rarely = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });

const headers = fc.record({
  "content-type": fc.oneof(
    { weight: 19, arbitrary: fc.constantFrom("application/json", "application/json; charset=utf-8") },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        "text/plain",
        "application/json; charset=utf-16",
        "multipart/form-data",
        "",
        "*/*",
        "a/b; c=;",
      ),
    },
  ),
  "idempotency-key": rarely(fc.string({ unit: fc.constantFrom("a", "b", " ", "~", "\u00e9", "\t"), maxLength: 300 })),
  "last-event-id": rarely(fc.constantFrom("0", "-1", "999999999", "99999999999", "x")),
  "content-encoding": rarely(fc.constantFrom("gzip", "identity", "identity", "identity", "br")),
  accept: rarely(fc.constantFrom("text/csv", "*/*;q=0", "text/csv;q=x", ";,", "a/b".repeat(2_000))),
  "x-forwarded-for": rarely(fc.constantFrom("1.2.3.4", "unknown", "1.2.3.4, ::1", ",,,")),
  expect: rarely(fc.constantFrom("100-continue", "miracles")),
  /** Browsers name it, and send no key. */
  origin: rarely(fc.constantFrom("https://docs.example.com", "null")),
});

type Route = [method: string, path: (projectId: string, jobId: string) => string];
const ROUTES: Route[] = [
  ["POST", (project) => `/v2/agent/${project}/job`],
  ["GET", (project, job) => `/v2/agent/${project}/job/${job}`],
  ["POST", (project, job) => `/v2/agent/${project}/job/${job}/message`],
  ["GET", (project) => `/v2/agent/${project}/jobs`],
  ["POST", (project, job) => `/v2/agent/${project}/job/${job}/archive`],
  ["GET", (project) => `/v1/analytics/${project}/visitors`],
  ["GET", (project) => `/v1/analytics/${project}/timeseries`],
  ["POST", (project) => `/v1/collect/${project}`],
  ["GET", (project) => `/v1/collect/${project}/imports`],
  ["POST", (project) => `/v1/collect/${project}/imports/imp_a/chunks`],
  ["POST", (project) => `/v1/projects/${project}/visits/erase`],
  ["PATCH", (project) => `/v1/projects/${project}`],
  ["GET", (project) => `/v1/projects/${project}/keys`],
  ["POST", (project) => `/v1/projects/${project}/keys`],
  ["DELETE", (project, key) => `/v1/projects/${project}/keys/${key}`],
  ["PUT", (project) => `/v1/projects/${project}/credentials/model-openai`],
  ["DELETE", (project, name) => `/v1/projects/${project}/credentials/${name}`],
  ["GET", (project) => `/v1/projects/${project}/credentials`],
  ["POST", (project) => `/v1/projects/${project}/signing-key`],
  ["GET", (project) => `/v1/projects/${project}/webhook-deliveries`],
  ["POST", (project, delivery) => `/v1/projects/${project}/webhook-deliveries/${delivery}/redeliver`],
  ["POST", (project) => `/v1/projects/${project}/webhook-secret`],
  ["POST", (project) => `/v1/projects/${project}/code-host-webhook`],
  ["POST", (project, host) => `/v1/webhooks/${project}/${host}`],
];

const randomRequest = fc
  .record({
    route: fc.oneof(
      { weight: 39, arbitrary: fc.constantFrom(...ROUTES) },
      // Rare, because each success makes a repository.
      { weight: 1, arbitrary: fc.constant<Route>(["POST", () => "/v1/projects"]) },
    ),
    project: segment,
    job: segment,
    query,
    headers,
    body,
    method: fc.oneof(
      { weight: 9, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: fc.constantFrom("PUT", "OPTIONS", "HEAD", "QUERY", "PROPFIND") },
    ),
    unauthorized: fc.integer({ min: 0, max: 19 }).map((number) => number === 0),
  })
  .map(({ route: [usual, path], ...random }): RandomRequest => {
    const method = random.method ?? usual;
    const isAdministration = path("", "").startsWith("/v1/projects");
    const token = random.unauthorized ? "nobody" : isAdministration ? service.adminToken : known.key;
    const takesBody = method !== "GET" && method !== "HEAD";
    return {
      method,
      path: path(random.project ?? known.projectId, random.job ?? known.jobId) + random.query,
      headers: {
        ...printable(random.headers),
        ...(random.headers.origin === undefined ? { authorization: `Bearer ${token}` } : {}),
      },
      body: takesBody ? random.body : undefined,
    };
  });

/** Node refuses to send header values outside Latin-1, and some inside it; those go over raw sockets. */
function printable(values: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value.trim()]])),
  );
}

const agent = new Agent({ keepAlive: true, maxSockets: BATCH });

function send({ method, path, headers: sent, body: payload }: RandomRequest): Promise<number> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(service.url);
    const outgoing = httpRequest({ agent, hostname, port, method, path, headers: sent, insecureHTTPParser: true });
    outgoing.on("response", (response) => {
      if (response.headers["x-request-id"] === undefined) reject(new Error("An answer has no X-Request-Id."));
      response.resume();
      response.on("end", () => resolve(response.statusCode ?? 0));
      response.on("error", reject);
    });
    // A server that has answered 413 closes while the rest is being sent.
    outgoing.on("error", (error) =>
      "code" in error && (error.code === "EPIPE" || error.code === "ECONNRESET") ? resolve(413) : reject(error),
    );
    outgoing.end(payload);
  });
}

test(`${REQUESTS} random requests get documented answers`, { timeout: 600_000 }, async () => {
  const random = fc.sample(randomRequest, { numRuns: REQUESTS, seed: 20_260_101 });
  const counts = new Map<number, number>();
  for (let start = 0; start < random.length; start += BATCH) {
    const statuses = await Promise.all(
      random.slice(start, start + BATCH).map(async (request) => [request, await send(request)] as const),
    );
    for (const [request, status] of statuses) {
      counts.set(status, (counts.get(status) ?? 0) + 1);
      expect(STATUSES, `${request.method} ${request.path} answered ${status}`).toContain(status);
    }
  }
  expect(service.log()).toBe("");
  // What a handler answered: successes, and refusals that only a handler makes.
  const handled = [200, 201, 204, 409].reduce((sum, status) => sum + (counts.get(status) ?? 0), 0);
  expect(handled, JSON.stringify(Object.fromEntries(counts))).toBeGreaterThanOrEqual(REQUESTS / 4);
});

const rawBytes = fc.oneof(
  fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes)),
  fc
    .tuple(
      fc.constantFrom("GET", "POST", "BREW", "get", "", "CONNECT", "PRI * HTTP/2.0\r\n\r\nSM"),
      fc.constantFrom("/", "/healthz", "*", "//", "http://x/healthz", "/%", "/\x01", "/v2/agent/a/jobs?\xff"),
      fc.constantFrom("HTTP/1.1", "HTTP/1.0", "HTTP/9.9", "", "HTTP/1.1 HTTP/1.1"),
      fc.array(
        fc.constantFrom(
          "Host: a",
          "Host: a\r\nHost: b",
          "Content-Length: 3",
          "Content-Length: -1",
          "Content-Length: 99999999999999999999",
          "Transfer-Encoding: chunked",
          "Transfer-Encoding: gzip",
          "Authorization: Bearer \x00",
          "Authorization: Bearer \xff",
          "Idempotency-Key: \x00",
          ": empty",
          "No colon",
          "Connection: upgrade\r\nUpgrade: h2c",
          `X: ${"y".repeat(17_000)}`,
        ),
        { maxLength: 4 },
      ),
      fc.constantFrom("", "abc", "zz\r\n", "5\r\nabc", "0\r\n\r\nGET /healthz HTTP/1.1\r\n\r\n"),
    )
    .map(([method, path, version, lines, rest]) =>
      Buffer.from([`${method} ${path} ${version}`, ...lines, "", rest].join("\r\n"), "latin1"),
    ),
);

/** Sends bytes and the end of them, and answers what came back. */
function sendRaw(bytes: Buffer): Promise<string> {
  return new Promise((resolve) => {
    const { hostname, port } = new URL(service.url);
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    let answer = "";
    socket.on("data", (chunk) => (answer += chunk.toString("latin1")));
    socket.on("end", () => socket.destroy());
    socket.on("close", () => resolve(answer));
    socket.on("error", () => {});
    socket.end(bytes);
  });
}

test("broken HTTP over raw sockets is refused or closed", { timeout: 120_000 }, async () => {
  for (const bytes of fc.sample(rawBytes, { numRuns: 500, seed: 20_260_102 })) {
    for (const [, status] of (await sendRaw(bytes)).matchAll(/^HTTP\/1\.1 (\d+)/gm)) {
      expect([100, ...STATUSES], JSON.stringify(bytes.toString("latin1"))).toContain(Number(status));
    }
  }
  expect(service.log()).toBe("");
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
});
