import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openPage, type TestPage } from "../testing/page.ts";
import { addPerson, signIn } from "../testing/people.ts";
import { startTestService, type TestService } from "../testing/service.ts";

const CALLERS = [
  "nobody",
  "an expired session",
  "a viewer",
  "an editor",
  "an owner",
  "the project's key",
  "another project's key",
  "the administrator",
] as const;
type Caller = (typeof CALLERS)[number];

/** 0: passes, to be judged by what it asks for. */
type Answers = Readonly<Record<number, 0 | 401 | 403>> & { length: 8 };

/** What each caller is answered, in the order of CALLERS. */
const RULES = {
  everybody: [0, 0, 0, 0, 0, 0, 0, 0],
  /** A signature of the body is what counts. */
  signature: [401, 401, 401, 401, 401, 401, 401, 401],
  /** Of an installation: people and the administrator, and no key. */
  viewer: [401, 401, 0, 0, 0, 403, 403, 0],
  editor: [401, 401, 403, 0, 0, 403, 403, 0],
  owner: [401, 401, 403, 403, 0, 403, 403, 0],
  administrator: [401, 401, 403, 403, 403, 403, 403, 0],
  /** Of oneself. */
  person: [401, 401, 0, 0, 0, 403, 403, 403],
  /** Of a project: its keys and people. */
  read: [401, 401, 0, 0, 0, 0, 403, 401],
  write: [401, 401, 403, 0, 0, 0, 403, 401],
  /** The same, and the administrator. */
  readToo: [401, 401, 0, 0, 0, 0, 403, 0],
  writeToo: [401, 401, 403, 0, 0, 0, 403, 0],
  /** Keys alone. Readers' browsers are let in by their origin, which a page of ours is not (collect.test.ts). */
  collect: [403, 403, 403, 403, 403, 0, 403, 401],
} as const satisfies Record<string, Answers>;

/** Every operation of the description. One that is new has to be entered here. */
const OPERATIONS: Readonly<Record<string, keyof typeof RULES>> = {
  isAlive: "everybody",
  isReady: "everybody",
  getOpenApi: "everybody",

  signIn: "everybody",
  getSession: "everybody",
  signOut: "everybody",
  beginOidcSignIn: "everybody",
  finishOidcSignIn: "everybody",
  lookUpInvitation: "everybody",
  acceptInvitation: "everybody",
  getAccount: "person",
  updateAccount: "person",
  changePassword: "person",
  listSessions: "person",
  endSession: "person",
  endSessions: "person",
  createInvitation: "owner",
  listInvitations: "owner",
  revokeInvitation: "owner",
  recoverOwner: "administrator",
  listMembers: "owner",
  changeMemberRole: "owner",
  removeMember: "owner",
  getAuditLog: "owner",

  createProject: "owner",
  deleteProject: "owner",
  listProjects: "viewer",
  getProject: "viewer",
  updateProject: "editor",
  listKeys: "viewer",
  createKey: "editor",
  revokeKey: "editor",
  listCredentials: "viewer",
  storeCredential: "editor",
  removeCredential: "editor",
  getSigningKey: "viewer",
  createSigningKey: "editor",
  listWebhookDeliveries: "viewer",
  redeliverWebhook: "editor",
  rotateWebhookSecret: "editor",
  connectCodeHostWebhook: "editor",
  receiveWebhook: "signature",
  rebuildVisits: "editor",
  eraseVisitor: "editor",

  createJob: "write",
  messageJob: "write",
  archiveJob: "write",
  getJob: "read",
  listJobs: "read",
  followJob: "read",
  getJobChanges: "read",
  getJobDiff: "read",
  getJobFile: "read",
  getVisitors: "read",
  getViews: "read",
  getNotFound: "read",
  getAgents: "read",
  getBots: "read",
  getTimeseries: "read",
  collect: "collect",
  findImports: "write",
  importChunk: "write",
  listPullRequests: "readToo",
  getPullRequest: "readToo",
  getPullRequestDiff: "readToo",
  getPullRequestFile: "readToo",
  commentPullRequest: "writeToo",
  mergePullRequest: "writeToo",
  closePullRequest: "writeToo",
};

interface Operation {
  operationId: string;
  method: string;
  path: string;
}

const ROLES = ["viewer", "editor", "owner"] as const;

let service: TestService;
let operations: Operation[];
let projectId = "";
let key = "";
let foreignKey = "";
let expired: TestPage;
const pages = new Map<string, TestPage>();

beforeAll(async () => {
  service = await startTestService({
    DOCENT_OIDC_ISSUER: "http://127.0.0.1:1",
    DOCENT_OIDC_CLIENT_ID: "docent",
    DOCENT_OIDC_ROLES: "*=viewer",
  });
  ({ projectId, key } = await service.createProject());
  foreignKey = (await service.createProject()).key;
  for (const role of ROLES) {
    await addPerson(service, `${role}@example.com`, role);
    pages.set(role, await signIn(service, `${role}@example.com`));
  }
  await addPerson(service, "expired@example.com", "owner");
  expired = await signIn(service, "expired@example.com");
  await service.database.pool.query(
    "update sessions set expires_at = now() - interval '1 s' from users where users.id = user_id and email = 'expired@example.com'",
  );
  operations = await readOperations();
});
afterAll(() => service?.close());

async function readOperations(): Promise<Operation[]> {
  const description = (await (await fetch(`${service.url}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { operationId: string }>>;
  };
  return Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => ({ operationId, method: method.toUpperCase(), path })),
  );
}

/** Asks for what is not there wherever it could change something that the others need. */
function pathOf({ operationId, path }: Operation): string {
  const nothing = { id: "job_0", number: "99", keyId: "key_0", name: "model-openai", importId: "imp_1" };
  const others = { ...nothing, deliveryId: "whd_0", sessionId: "ses_0", host: "gitea", projectId };
  const isOfProject = path.startsWith("/v1/projects/{id}") && operationId !== "deleteProject";
  const values: Record<string, string> = { ...others, ...(isOfProject ? { id: projectId } : {}) };
  const filled = path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => values[name] ?? "");
  return path.includes("file") ? `${filled}?path=x` : filled;
}

async function pageOf(caller: Caller, { operationId }: Operation): Promise<TestPage> {
  if (caller === "an expired session") return expired;
  const role = ROLES.find((each) => caller.endsWith(each));
  if (role === undefined) return openPage(service.url);
  // These end the session.
  if (["signOut", "endSessions"].includes(operationId)) {
    const page = await signIn(service, `${role}@example.com`);
    if (operationId === "endSessions") pages.delete(role);
    return page;
  }
  const page = pages.get(role) ?? (await signIn(service, `${role}@example.com`));
  pages.set(role, page);
  return page;
}

async function ask(caller: Caller, operation: Operation, headers: Record<string, string> = {}): Promise<number> {
  const tokens: Partial<Record<Caller, string>> = {
    "the project's key": key,
    "another project's key": foreignKey,
    "the administrator": service.adminToken,
  };
  const token = tokens[caller];
  const page = await pageOf(caller, operation);
  const { status } = await page.request(
    operation.method,
    pathOf(operation),
    ["GET", "DELETE"].includes(operation.method) ? undefined : {},
    { ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...headers },
  );
  return status;
}

test("every operation has its rule here", () => {
  expect(operations.map(({ operationId }) => operationId).toSorted()).toEqual(Object.keys(OPERATIONS).toSorted());
});

describe.each(CALLERS)("%s", (caller) => {
  test("may do what the table says, and nothing else", async () => {
    const answers: Record<string, number> = {};
    const expected: Record<string, number> = {};
    for (const operation of operations) {
      const { operationId } = operation;
      const status = await ask(caller, operation);
      expect(status, operationId).toBeLessThan(500);
      answers[operationId] = status === 401 || status === 403 ? status : 0;
      expected[operationId] = RULES[OPERATIONS[operationId] ?? "everybody"][CALLERS.indexOf(caller)] ?? 0;
    }
    expect(answers).toEqual(expected);
  });
});

test("no page of another site changes anything with somebody's session", async () => {
  const elsewhere = [
    { origin: "https://evil.example", "sec-fetch-site": "cross-site" },
    { origin: "http://sub.127.0.0.1", "sec-fetch-site": "same-site" },
    { origin: "null", "sec-fetch-site": "cross-site" },
  ];
  for (const operation of operations.filter(({ method }) => method !== "GET")) {
    const rule = OPERATIONS[operation.operationId] ?? "everybody";
    if (rule === "signature" || rule === "collect") continue;
    for (const headers of elsewhere) {
      expect(await ask("an owner", operation, headers), operation.operationId).toBe(403);
    }
  }
  expect(
    await ask(
      "an owner",
      operations.find(({ operationId }) => operationId === "getAccount")!,
    ),
  ).toBe(200);
});
