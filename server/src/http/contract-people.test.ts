import { afterAll, beforeAll, expect, test } from "vitest";
import { whileAway } from "../database/testing/away.ts";
import { addPerson, PASSWORD, signIn } from "../testing/people.ts";
import { startTestService, type TestService } from "../testing/service.ts";
import { openContract, type ContractAnswer, type ContractCall } from "./testing/contract.ts";

type Contract = Awaited<ReturnType<typeof openContract>>;

const OF_OWNERS = [
  "createInvitation",
  "listInvitations",
  "revokeInvitation",
  "listMembers",
  "changeMemberRole",
  "removeMember",
  "getAuditLog",
];
const OF_ONESELF = ["getAccount", "updateAccount", "changePassword", "listSessions", "endSession", "endSessions"];
const WITH_BODY: Readonly<Record<string, object>> = {
  signIn: { email: "owner@example.com", password: PASSWORD },
  lookUpInvitation: { token: "x" },
  acceptInvitation: { token: "x", password: PASSWORD },
  createInvitation: { role: "viewer" },
  recoverOwner: { email: "owner@example.com" },
  changeMemberRole: { role: "viewer" },
  updateAccount: { name: "Ada" },
  changePassword: { currentPassword: PASSWORD, newPassword: PASSWORD },
};
const PUBLIC = ["signIn", "lookUpInvitation", "acceptInvitation"];
const nothing = { id: "usr_0", sessionId: "ses_0" };

let service: TestService;
let contract: Contract;
/** One whose people sign in elsewhere, at a provider that is away. */
let elsewhere: TestService;
let contractElsewhere: Contract;
/** What a page of the service itself sends. */
let page: Record<string, string>;
let owner: Record<string, string>;

beforeAll(async () => {
  service = await startTestService();
  elsewhere = await startTestService({
    DOCENT_PASSWORD_SIGN_IN: "off",
    DOCENT_OIDC_ISSUER: "http://127.0.0.1:1",
    DOCENT_OIDC_CLIENT_ID: "docent",
    DOCENT_OIDC_ROLES: "*=viewer",
  });
  contract = await openContract(service.url);
  contractElsewhere = await openContract(elsewhere.url);
  page = { origin: service.url };
  await addPerson(service, "owner@example.com", "owner");
  await addPerson(service, "viewer@example.com", "viewer");
  owner = await sessionOf("owner@example.com");
});
afterAll(async () => {
  await service?.close();
  await elsewhere?.close();
});

async function sessionOf(email: string): Promise<Record<string, string>> {
  const { cookies } = await signIn(service, email);
  return { ...page, cookie: [...cookies].map((pair) => pair.join("=")).join("; ") };
}

async function expectStatus(operation: string, status: number, request: ContractCall): Promise<ContractAnswer> {
  const body = WITH_BODY[operation];
  const answer = await contract.call(operation, { ...(body === undefined ? {} : { body }), ...request });
  expect([operation, answer.status, answer.text.slice(0, 200)]).toEqual([operation, status, expect.anything()]);
  return answer;
}

test("everybody", async () => {
  for (const operation of [...OF_OWNERS, ...OF_ONESELF, "recoverOwner"]) {
    await expectStatus(operation, 401, { parameters: nothing });
  }
  for (const operation of [...PUBLIC, "signOut"]) await expectStatus(operation, 403, {});
  await expectStatus("getSession", 200, {});
  await expectStatus("signOut", 204, { headers: page });
});

test("bodies that are none", async () => {
  const token = service.adminToken;
  const requests: Record<string, ContractCall> = {
    createInvitation: { token },
    changeMemberRole: { token, parameters: nothing },
    recoverOwner: { token },
    updateAccount: { headers: owner },
    changePassword: { headers: owner },
    ...Object.fromEntries(PUBLIC.map((operation) => [operation, { headers: page }])),
  };
  for (const [operation, request] of Object.entries(requests)) {
    await expectStatus(operation, 400, { ...request, body: "{" });
    await expectStatus(operation, 400, { ...request, body: {} });
    await expectStatus(operation, 413, { ...request, body: `"${"x".repeat(3_000_000)}"` });
    const headers = { ...request.headers, "content-type": "text/plain" };
    await expectStatus(operation, 415, { ...request, headers, body: "x" });
  }
});

test("invitations", async () => {
  const token = service.adminToken;
  const viewer = await sessionOf("viewer@example.com");
  for (const operation of [...OF_OWNERS, "recoverOwner"]) {
    await expectStatus(operation, 403, { headers: viewer, parameters: nothing });
  }
  const invite = async (): Promise<Record<string, string>> =>
    (await expectStatus("createInvitation", 201, { headers: owner })).body as Record<string, string>;
  const first = await invite();
  await expectStatus("listInvitations", 200, { token });
  await expectStatus("revokeInvitation", 204, { token, parameters: { id: first["id"] ?? "" } });
  await expectStatus("revokeInvitation", 404, { token, parameters: { id: first["id"] ?? "" } });
  await expectStatus("recoverOwner", 201, { token });

  const link = (await invite())["url"]?.split("#")[1];
  await expectStatus("lookUpInvitation", 200, { headers: page, body: { token: link } });
  const person = { name: "Ada", password: PASSWORD };
  const accept = (status: number, email: string) =>
    expectStatus("acceptInvitation", status, { headers: page, body: { token: link, email, ...person } });
  await accept(409, "owner@example.com");
  await accept(200, "ada@example.com");
  await accept(404, "eve@example.com");
  await expectStatus("lookUpInvitation", 404, { headers: page, body: { token: link } });
  const administrator = { token: elsewhere.adminToken, body: { role: "viewer" } };
  expect(await contractElsewhere.call("createInvitation", administrator)).toMatchObject({ status: 409 });
});

test("members and the audit log", async () => {
  const token = service.adminToken;
  const { members } = (await expectStatus("listMembers", 200, { token })).body as {
    members: { id: string; role: string }[];
  };
  const idOf = (role: string) => ({ id: members.find((member) => member.role === role)?.id ?? "" });
  await expectStatus("changeMemberRole", 409, { token, parameters: idOf("owner") });
  await expectStatus("removeMember", 409, { token, parameters: idOf("owner") });
  await expectStatus("changeMemberRole", 200, { token, parameters: idOf("viewer"), body: { role: "editor" } });
  await expectStatus("removeMember", 204, { token, parameters: idOf("viewer") });
  await expectStatus("changeMemberRole", 404, { token, parameters: nothing });
  await expectStatus("removeMember", 404, { token, parameters: nothing });
  await expectStatus("getAuditLog", 200, { token, query: "limit=2" });
  await expectStatus("getAuditLog", 400, { token, query: "limit=0" });
});

test("one's own account", async () => {
  const token = service.adminToken;
  for (const operation of OF_ONESELF) await expectStatus(operation, 403, { token, parameters: nothing });
  await addPerson(service, "self@example.com", "viewer");
  const headers = await sessionOf("self@example.com");
  await expectStatus("getSession", 200, { headers });
  await expectStatus("getAccount", 200, { headers });
  await expectStatus("updateAccount", 200, { headers });
  await expectStatus("changePassword", 204, { headers });
  const { sessions } = (await expectStatus("listSessions", 200, { headers })).body as { sessions: { id: string }[] };
  await expectStatus("endSession", 204, { headers, parameters: { sessionId: sessions[0]?.id ?? "" } });

  const again = { headers: await sessionOf("self@example.com") };
  await expectStatus("endSession", 404, { ...again, parameters: nothing });
  await service.database.pool.query(
    "delete from accounts where user_id in (select id from users where email like 'self%')",
  );
  for (let count = 0; count < 19; count += 1) await expectStatus("changePassword", 409, again);
  await expectStatus("changePassword", 429, again);
  await expectStatus("endSessions", 204, again);
});

test("the way to the provider and back", async () => {
  const call = async (operation: string, status: number, request: ContractCall = {}) =>
    expect([operation, (await contractElsewhere.call(operation, { headers: {}, ...request })).status]).toEqual([
      operation,
      status,
    ]);
  await call("beginOidcSignIn", 302, { query: "next=%2F" });
  await call("beginOidcSignIn", 400, { query: `next=${"x".repeat(3000)}` });
  for (let count = 2; count < 201; count += 1) await call("finishOidcSignIn", 302, { query: "code=x&state=x" });
  await call("finishOidcSignIn", 429);
  await call("beginOidcSignIn", 429);
});

test("who tries too often", async () => {
  await expectStatus("signIn", 200, { headers: page });
  const wrong = { email: "owner@example.com", password: "a guess that is wrong" };
  for (let count = 0; count < 20; count += 1) await expectStatus("signIn", 401, { headers: page, body: wrong });
  await expectStatus("signIn", 429, { headers: page });
  await service.database.pool.query("update rate_limit_windows set count = 100 where subject like 'invitation %'");
  await expectStatus("lookUpInvitation", 429, { headers: page });
  await expectStatus("acceptInvitation", 429, { headers: page });
});

test("everybody while the database is away", async () => {
  await whileAway(service.database, async () => {
    for (const operation of [...OF_ONESELF, "getSession", "signOut", ...PUBLIC]) {
      await expectStatus(operation, 503, { headers: owner, parameters: nothing });
    }
    for (const operation of [...OF_OWNERS, "recoverOwner"]) {
      await expectStatus(operation, 503, { token: service.adminToken, parameters: nothing });
    }
  });
  await whileAway(elsewhere.database, async () => {
    for (const operation of ["beginOidcSignIn", "finishOidcSignIn"]) {
      expect(await contractElsewhere.call(operation)).toMatchObject({ status: 503 });
    }
  });
});

test("every documented status was seen", () => {
  const isPeoples = (tags: readonly string[]) => tags.includes("People");
  const unseen = new Set(contractElsewhere.unseen(isPeoples));
  const ofPeople = [...contract.operations.keys()];
  expect(ofPeople).toEqual(expect.arrayContaining([...OF_OWNERS, ...OF_ONESELF, ...PUBLIC]));
  const isOfOidc = (name: string) => name.includes("OidcSignIn");
  expect([...contract.unseen(isPeoples).filter((name) => unseen.has(name)), ...[...unseen].filter(isOfOidc)]).toEqual(
    [],
  );
});
