import { createHash, createHmac } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createGiteaHarness } from "../codehost/gitea/testing/harness.ts";
import { whileAway } from "../database/testing/away.ts";
import { openContract, type ContractCall } from "./testing/contract.ts";
import { startTestService, type TestService } from "../testing/service.ts";

const PER_HOUR = 8;
const NOBODY = "job_00000000000000000000000000";
const NOTHING = "prj_00000000000000000000000000";
/** What stands in paths of the administration beside the project. */
const OTHERS = { keyId: "key_0", name: "model-openai", deliveryId: "whd_0" };

let service: TestService;
let contract: Awaited<ReturnType<typeof openContract>>;

beforeAll(async () => {
  const perHour = String(PER_HOUR);
  service = await startTestService({ DOCENT_CREATES_PER_HOUR: perHour, DOCENT_MESSAGES_PER_HOUR: perHour });
  contract = await openContract(service.url);
});
afterAll(() => service.close());

/** Calls an operation and demands a status of it, and the code when one is given. */
async function expectStatus(operation: string, status: number, request: ContractCall, code?: string) {
  const answer = await contract.call(operation, request);
  expect([operation, answer.status, code ?? answer.body["code"]]).toEqual([operation, status, answer.body["code"]]);
  return answer;
}

/** A body that is no JSON, too large, and of another kind. */
async function expectBodyRefusals(operation: string, request: ContractCall) {
  await expectStatus(operation, 400, { ...request, body: "{" }, "invalid_request");
  await expectStatus(operation, 400, { ...request, body: "[]" }, "invalid_request");
  await expectStatus(operation, 413, { ...request, body: `"${"x".repeat(3_000_000)}"` }, "body_too_large");
  const text = { ...request, body: "x", headers: { "content-type": "text/plain" } };
  await expectStatus(operation, 415, text, "unsupported_media_type");
}

async function createProject(): Promise<{ projectId: string; token: string }> {
  const token = service.adminToken;
  const project = await expectStatus("createProject", 201, { token, body: { name: "Docs" } });
  const parameters = { id: String(project.body["id"]) };
  const key = await expectStatus("createKey", 201, { token, parameters, body: { name: "ci" } });
  return { projectId: parameters.id, token: String(key.body["key"]) };
}

const JOB_OPERATIONS = ["createJob", "getJob", "messageJob", "listJobs", "archiveJob", "followJob"];
const JOB_CHANGES = ["getJobChanges", "getJobDiff", "getJobFile"];
const ADMINISTRATION = [
  "createProject",
  "listProjects",
  "getProject",
  "updateProject",
  "deleteProject",
  "createKey",
  "listKeys",
  "revokeKey",
  "storeCredential",
  "listCredentials",
  "removeCredential",
  "createSigningKey",
  "getSigningKey",
  "listWebhookDeliveries",
  "redeliverWebhook",
  "rotateWebhookSecret",
  "connectCodeHostWebhook",
];
const REPORTS = ["getVisitors", "getViews", "getNotFound", "getAgents", "getBots", "getTimeseries"];
const COLLECTION = ["collect", "findImports", "importChunk"];
const VISITS = ["rebuildVisits", "eraseVisitor"];
const OF_A_KEY = [...JOB_OPERATIONS, ...JOB_CHANGES, ...REPORTS, ...COLLECTION];
const PULL_REQUESTS = [
  "getPullRequest",
  "getPullRequestDiff",
  "mergePullRequest",
  "closePullRequest",
  "listPullRequests",
  "getPullRequestFile",
  "commentPullRequest",
];
const OF_A_PROJECT = ADMINISTRATION.slice(2);
const body = { prompt: "Fix broken links" };

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const firstLine = sha256("a line");
const CHUNK = {
  firstLine,
  from: { bytes: 0, sha256: sha256("") },
  to: { bytes: 7, sha256: sha256("a line\n") },
  addresses: ["192.0.2.1"],
  userAgents: ["Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0"],
  pages: [{ path: "/", status: 200 }],
  referrers: [""],
  views: { seconds: [1_767_225_600], addresses: [0], userAgents: [0], pages: [0], referrers: [0] },
};

/** What the operation takes, where it takes anything. */
function validRequest(operation: string): Pick<ContractCall, "body" | "query"> {
  if (operation === "findImports") return { query: `firstLine=${firstLine}` };
  if (operation === "importChunk") return { body: CHUNK };
  if (operation === "collect") return { body: { path: "/", visitorId: "ada" } };
  if (["createJob", "messageJob"].includes(operation)) return { body };
  if (operation === "storeCredential") return { body: { value: "sk-of-a-test" } };
  if (["getJobFile", "getPullRequestFile"].includes(operation)) return { query: "path=index.mdx" };
  if (operation === "commentPullRequest") return { body: { body: "Fix broken links" } };
  if (operation === "eraseVisitor") return { body: { visitorId: "ada" } };
  return ["createProject", "updateProject", "createKey"].includes(operation) ? { body: { name: "x" } } : {};
}

test("everybody", async () => {
  for (const operation of ["isAlive", "isReady", "getOpenApi"]) await expectStatus(operation, 200, {});
  for (const operation of OF_A_KEY) {
    const parameters = { projectId: NOTHING, id: NOBODY, importId: "imp_1" };
    await expectStatus(operation, 401, { parameters, ...validRequest(operation) }, "unauthorized");
  }
  for (const operation of [...ADMINISTRATION, ...VISITS]) {
    const parameters = { id: NOTHING, ...OTHERS };
    await expectStatus(operation, 401, { parameters, token: "wrong", ...validRequest(operation) }, "unauthorized");
  }
});

test("a holder of a key", async () => {
  const { projectId, token } = await createProject();
  const parameters = { projectId, id: NOBODY };
  for (const operation of OF_A_KEY) {
    const elsewhere = { projectId: NOTHING, id: NOBODY, importId: "imp_1" };
    await expectStatus(operation, 403, { token, parameters: elsewhere, ...validRequest(operation) }, "forbidden");
  }
  for (const operation of ["getJob", "messageJob", "archiveJob", "followJob", ...JOB_CHANGES]) {
    await expectStatus(operation, 404, { token, parameters, ...validRequest(operation) }, "not_found");
  }
  for (const operation of [...ADMINISTRATION, ...VISITS]) {
    await expectStatus(operation, 403, { token, parameters: { id: projectId, ...OTHERS } }, "forbidden");
  }
});

test("the life of a job", async () => {
  const { projectId, token } = await createProject();
  await expectBodyRefusals("createJob", { token, parameters: { projectId } });
  const headers = { "idempotency-key": "once" };
  const created = await expectStatus("createJob", 201, { token, parameters: { projectId }, headers, body });
  const parameters = { projectId, id: String(created.body["id"]) };
  const other = { prompt: "Something else" };
  await expectStatus("createJob", 409, { token, parameters, headers, body: other }, "idempotency_conflict");

  await expectBodyRefusals("messageJob", { token, parameters });
  await expectStatus("messageJob", 200, { token, parameters, headers, body });
  await expectStatus("messageJob", 409, { token, parameters, headers, body: other }, "idempotency_conflict");
  await expectStatus("getJob", 200, { token, parameters });
  await expectStatus("listJobs", 200, { token, parameters, query: "limit=1&status=active" });
  await expectStatus("listJobs", 400, { token, parameters, query: "limit=0" }, "invalid_request");
  await expectStatus("followJob", 200, { token, parameters });
  const beyond = { "last-event-id": "-1" };
  await expectStatus("followJob", 400, { token, parameters, headers: beyond }, "invalid_request");
  await expectStatus("archiveJob", 200, { token, parameters });
  await expectStatus("messageJob", 409, { token, parameters, body }, "job_archived");

  for (const [operation, success] of [
    ["createJob", 201],
    ["messageJob", 409],
  ] as const) {
    for (;;) {
      const answer = await contract.call(operation, { token, parameters, body });
      expect(answer.headers.get("ratelimit-limit")).toBe(String(PER_HOUR));
      if (answer.status !== success) {
        expect([answer.status, answer.body["code"]]).toEqual([429, "rate_limited"]);
        expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
        break;
      }
    }
  }
});

test("the administration", async () => {
  const { projectId } = await createProject();
  const token = service.adminToken;
  const parameters = { id: projectId };
  await expectBodyRefusals("createProject", { token });
  await expectBodyRefusals("updateProject", { token, parameters });
  await expectBodyRefusals("createKey", { token, parameters });
  await expectStatus("listProjects", 200, { token });
  await expectStatus("getProject", 200, { token, parameters });
  await expectStatus("updateProject", 200, { token, parameters, body: { settings: { docsPath: "docs" } } });
  const keys = await expectStatus("listKeys", 200, { token, parameters });
  const [key] = keys.body["keys"] as { id: string }[];
  await expectStatus("revokeKey", 204, { token, parameters: { ...parameters, keyId: key?.id ?? "" } });
  await expectStatus("deleteProject", 204, { token, parameters });
  for (const operation of OF_A_PROJECT) {
    const gone = { ...parameters, ...OTHERS, keyId: key?.id ?? "" };
    await expectStatus(operation, 404, { token, parameters: gone, ...validRequest(operation) }, "not_found");
  }
});

test("credentials", async () => {
  const { projectId } = await createProject();
  const token = service.adminToken;
  const request = { token, parameters: { id: projectId, name: "model-openai" } };
  await expectBodyRefusals("storeCredential", request);
  await expectStatus("storeCredential", 204, { ...request, body: { value: "sk-of-a-test" } });
  const unknown = { ...request, parameters: { id: projectId, name: "model-nobody" } };
  await expectStatus("storeCredential", 400, { ...unknown, body: { value: "x" } }, "invalid_request");
  await expectStatus("removeCredential", 400, unknown, "invalid_request");
  await expectStatus("getSigningKey", 404, request, "not_found");
  const { body: made } = await expectStatus("createSigningKey", 201, request);
  expect((await expectStatus("getSigningKey", 200, request)).body).toEqual(made);
  const listed = await expectStatus("listCredentials", 200, request);
  expect(listed.body).toMatchObject({ credentials: [{ name: "model-openai" }, { name: "signing-key" }] });
  expect(listed.text).not.toContain("sk-of-a-test");
  await expectStatus("removeCredential", 204, request);
  await expectStatus("removeCredential", 404, request, "not_found");
});

test("webhooks that go out", async () => {
  const token = service.adminToken;
  const settings = { webhookUrl: "https://hooks.invalid/" };
  const { body: project } = await expectStatus("createProject", 201, { token, body: { name: "x", settings } });
  const parameters = { id: String(project["id"]) };
  const key = await expectStatus("createKey", 201, { token, parameters, body: { name: "ci" } });
  const ofKey = { token: String(key.body["key"]), parameters: { projectId: parameters.id } };
  const job = await expectStatus("createJob", 201, { ...ofKey, body });
  await expectStatus("archiveJob", 200, { ...ofKey, parameters: { ...ofKey.parameters, id: String(job.body["id"]) } });
  const listed = await expectStatus("listWebhookDeliveries", 200, { token, parameters, query: "limit=1" });
  const [delivery] = listed.body["deliveries"] as { id: string }[];
  expect(listed.body).toMatchObject({
    deliveries: [{ type: "job.archived", jobId: job.body["id"] }],
    nextCursor: delivery?.id,
  });
  await expectStatus("listWebhookDeliveries", 400, { token, parameters, query: "limit=0" }, "invalid_request");
  const again = { token, parameters: { ...parameters, deliveryId: delivery?.id ?? "" } };
  expect((await expectStatus("redeliverWebhook", 200, again)).body).toMatchObject({ state: "waiting" });
  expect((await expectStatus("rotateWebhookSecret", 201, { token, parameters })).body).toMatchObject({
    secret: expect.stringMatching(/^whsec_/),
  });
  await expectStatus("connectCodeHostWebhook", 409, { token, parameters }, "conflict");
});

test("webhooks that come in", async () => {
  const harness = await createGiteaHarness();
  const repository = await harness.addRepository();
  const connection = {
    name: "x",
    codeHost: "gitea",
    codeHostUrl: harness.server.url,
    repository: repository.name,
    credential: { token: harness.token },
  };
  const created = await expectStatus("createProject", 201, { token: service.adminToken, body: connection });
  const projectId = String(created.body["id"]);
  const connected = await expectStatus("connectCodeHostWebhook", 201, {
    token: service.adminToken,
    parameters: { id: projectId },
  });
  const parameters = { projectId, host: "gitea" };
  const { database } = service.database;
  const job = { id: NOBODY, project_id: projectId, model: "docent:offline", repository_url: "u", ref: "main" };
  const pullRequest = { pull_request_number: 1, pull_request_url: "u", pull_request_state: "open" } as const;
  await database
    .insertInto("jobs")
    .values({ ...job, ...pullRequest, status: "failed", failure_reason: "It could not." })
    .execute();

  async function tell(status: number, text: string, code?: string) {
    const login = await repository.addPerson("write");
    const given = {
      action: "created",
      is_pull: true,
      repository: { full_name: repository.name },
      issue: { number: 1 },
      comment: { body: text, user: { login }, html_url: "https://code.test/1" },
    };
    const signed = JSON.stringify(given);
    const signature = createHmac("sha256", String(connected.body["secret"])).update(signed).digest("hex");
    const headers = { "x-gitea-delivery": signature, "x-gitea-signature": signature };
    return expectStatus("receiveWebhook", status, { parameters, headers, body: signed }, code);
  }
  expect((await tell(200, "No mention")).body).toMatchObject({ outcomes: [{ type: "ignored" }] });
  await expectStatus("receiveWebhook", 401, { parameters, body: {} }, "unauthorized");
  const elsewhere = { parameters: { projectId: NOTHING, host: "gitea" }, body: {} };
  await expectStatus("receiveWebhook", 401, elsewhere, "unauthorized");
  const nothing = { parameters: { projectId, host: "bitbucket" }, body: {} };
  await expectStatus("receiveWebhook", 401, nothing, "unauthorized");
  await expectStatus("receiveWebhook", 413, { parameters, body: "x".repeat(27_000_000) }, "body_too_large");
  for (let count = 0; count < PER_HOUR; count += 1) await tell(200, "@docent fix broken links");
  const limited = await tell(429, "@docent fix broken links", "rate_limited");
  expect(limited.headers.get("ratelimit-limit")).toBe(String(PER_HOUR));
  await harness.close();
});

test("reports", async () => {
  const { projectId, token } = await createProject();
  const request = { token, parameters: { projectId } };
  for (const operation of REPORTS) {
    const { headers } = await expectStatus(operation, 200, request);
    expect([headers.get("vary"), headers.get("docent-ai-definition")]).toEqual(["Accept", "all"]);
    const csv = await expectStatus(operation, 200, { ...request, headers: { accept: "text/csv" } });
    expect(csv.headers.get("content-type")).toMatch(/^text\/csv/);
    await expectStatus(operation, 400, { ...request, query: "dateFrom=2026-02-30" }, "invalid_request");
  }
});

test("visits that come in", async () => {
  const { projectId, token } = await createProject();
  const request = { token, parameters: { projectId, importId: "imp_1" } };
  for (const operation of ["collect", "importChunk"]) {
    await expectStatus(operation, 400, { ...request, body: "{" }, "invalid_request");
    await expectStatus(operation, 413, { ...request, body: `"${"x".repeat(34_000_000)}"` }, "body_too_large");
    const xml = { ...request, body: "<x/>", headers: { "content-type": "application/xml" } };
    await expectStatus(operation, 415, xml, "unsupported_media_type");
  }
  const { body: collected } = await expectStatus("collect", 202, {
    ...request,
    body: [{ path: "/", visitorId: "a" }, 1],
  });
  expect(collected).toMatchObject({ accepted: 1, rejected: [{ index: 1 }] });
  const origin = "https://docs.example.com";
  const settings = { analytics: { origins: [origin] } };
  const open = await expectStatus("createProject", 201, { token: service.adminToken, body: { name: "x", settings } });
  const flood = Array.from({ length: 400 }, () => ({ path: "/" }));
  const browser = { parameters: { projectId: String(open.body["id"]) }, headers: { origin }, body: flood };
  await expectStatus("collect", 202, browser);
  await expectStatus("collect", 429, browser, "rate_limited");
  await expectStatus("importChunk", 200, { ...request, body: CHUNK });
  const other = { ...request, parameters: { projectId, importId: "imp_2" }, body: CHUNK };
  await expectStatus("importChunk", 409, other, "conflict");
  const { body: found } = await expectStatus("findImports", 200, { ...request, query: `firstLine=${firstLine}` });
  expect(found).toMatchObject({ imports: [{ id: "imp_1", bytes: 7 }] });
  await expectStatus("findImports", 400, { ...request, query: "firstLine=x" }, "invalid_request");
  const { body: report } = await expectStatus("getVisitors", 200, request);
  expect(report["totals"]).toEqual({ human: 2, ai: 0, total: 2 });
});

test("the administration of visits", async () => {
  const { projectId } = await createProject();
  const request = { token: service.adminToken, parameters: { id: projectId } };
  await expectBodyRefusals("eraseVisitor", request);
  for (const operation of VISITS) {
    await expectStatus(operation, 200, { ...request, ...validRequest(operation) });
    const gone = { ...request, parameters: { id: NOTHING }, ...validRequest(operation) };
    await expectStatus(operation, 404, gone, "not_found");
  }
});

test("pull requests", async () => {
  const { projectId, token } = await createProject();

  /** Has a job make one, as its users do. */
  async function openPullRequest(page: string): Promise<{ projectId: string; number: string }> {
    const prompt = `Add a page guides/${page} titled "${page}" with the text: Hello`;
    const created = await expectStatus("createJob", 201, { token, parameters: { projectId }, body: { prompt } });
    const parameters = { projectId, id: String(created.body["id"]) };
    for (;;) {
      const { body: job } = await expectStatus("getJob", 200, { token, parameters });
      if (job["status"] === "active") continue;
      expect(job).toMatchObject({ status: "completed", prLink: expect.any(String), pullRequest: { state: "open" } });
      const { number } = job["pullRequest"] as { number: number };
      return { projectId, number: String(number) };
    }
  }

  const first = await openPullRequest("first");
  const { body: jobs } = await expectStatus("listJobs", 200, { token, parameters: first, query: "search=guides" });
  const [job] = jobs["jobs"] as { id: string }[];
  const changes = { token, parameters: { projectId, id: job?.id ?? "" } };
  expect((await expectStatus("getJobChanges", 200, changes)).body).toMatchObject({ complete: true, discarded: false });
  expect((await contract.call("getJobDiff", changes)).text).toContain("+Hello");
  await expectStatus("getJobFile", 200, { ...changes, query: "path=guides/first.mdx" });
  await expectStatus("getJobFile", 400, changes, "invalid_request");
  const second = await openPullRequest("second");
  const request = { token, parameters: first };
  await expectStatus("getPullRequest", 200, request);
  const diff = await contract.call("getPullRequestDiff", request);
  expect(diff.text).toContain("+Hello");
  await expectStatus("listPullRequests", 200, { ...request, query: "limit=1&state=open" });
  await expectStatus("listPullRequests", 400, { ...request, query: "cursor=x" }, "invalid_request");
  const nowhere = { token: service.adminToken, parameters: { projectId: NOTHING } };
  await expectStatus("listPullRequests", 404, nowhere, "not_found");
  await expectStatus("getPullRequestFile", 200, { ...request, query: "path=guides/first.mdx" });
  await expectStatus("getPullRequestFile", 400, request, "invalid_request");
  await expectStatus("closePullRequest", 200, request);
  await expectBodyRefusals("commentPullRequest", request);
  const comment = { ...request, headers: { "idempotency-key": "comment" }, ...validRequest("commentPullRequest") };
  expect((await expectStatus("commentPullRequest", 201, comment)).body).toMatchObject({
    jobId: null,
    reason: "The pull request is closed.",
  });
  await expectStatus("commentPullRequest", 409, { ...comment, body: { body: "Else" } }, "idempotency_conflict");
  await expectStatus("mergePullRequest", 409, request, "conflict");
  await expectStatus("mergePullRequest", 200, { token, parameters: second });
  await expectStatus("closePullRequest", 409, { token, parameters: second }, "conflict");
  for (const operation of ["mergePullRequest", "closePullRequest"]) {
    await expectStatus(operation, 400, { ...request, query: "head=main" }, "invalid_request");
  }
  for (const operation of PULL_REQUESTS) {
    const valid = validRequest(operation);
    await expectStatus(operation, 401, { parameters: first, ...valid }, "unauthorized");
    const elsewhere = { token, parameters: { projectId: NOTHING, number: "1" }, ...valid };
    await expectStatus(operation, 403, elsewhere, "forbidden");
    if (operation === "listPullRequests") continue;
    await expectStatus(operation, 404, { token, parameters: { projectId, number: "99" }, ...valid }, "not_found");
  }
  for (let count = 0; count < PER_HOUR; count += 1) await contract.call("commentPullRequest", comment);
  await expectStatus("commentPullRequest", 429, comment, "rate_limited");
});

test("everybody while the database is away", async () => {
  const { projectId, token } = await createProject();
  await whileAway(service.database, async () => {
    await expectStatus("isReady", 503, {}, "unavailable");
    for (const operation of OF_A_KEY) {
      const parameters = { projectId, id: NOBODY, importId: "imp_1" };
      const request = { token, parameters, ...validRequest(operation) };
      await expectStatus(operation, 503, request, "unavailable");
    }
    for (const operation of PULL_REQUESTS) {
      const request = { token, parameters: { projectId, number: "1" }, ...validRequest(operation) };
      await expectStatus(operation, 503, request, "unavailable");
    }
    await expectStatus("receiveWebhook", 503, { parameters: { projectId, host: "github" }, body: {} }, "unavailable");
    for (const operation of [...ADMINISTRATION, ...VISITS]) {
      const request = { parameters: { id: projectId, ...OTHERS }, ...validRequest(operation) };
      await expectStatus(operation, 503, { token: service.adminToken, ...request }, "unavailable");
    }
  });
  await expectStatus("isReady", 200, {});
});

test("every documented status was seen", () => {
  expect(contract.operations.size).toBeGreaterThan(15);
  // People's are in contract-people.test.ts.
  expect(contract.unseen((tags) => !tags.includes("People"))).toEqual([]);
});
