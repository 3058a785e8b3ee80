import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { TestPage } from "../testing/page.ts";
import { addPerson, PASSWORD, signIn } from "../testing/people.ts";
import { startTestService, type TestService } from "../testing/service.ts";

let service: TestService;
let ids: Record<"ada" | "grace" | "linus", string>;
let owner: TestPage;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());
beforeEach(async () => {
  await service.database.pool.query("delete from users");
  ids = {
    ada: await addPerson(service, "ada@example.com", "owner"),
    grace: await addPerson(service, "grace@example.com", "editor"),
    linus: await addPerson(service, "linus@example.com", "viewer"),
  };
  owner = await signIn(service, "ada@example.com");
});

const changeRole = (id: string, role: string, page = owner) => page.request("PATCH", `/v1/members/${id}`, { role });
const remove = (id: string, page = owner) => page.request("DELETE", `/v1/members/${id}`);

test("owners see who may sign in", async () => {
  const { body } = await owner.request("GET", "/v1/members");
  const member = { hasPassword: true, hasOidc: false, createdAt: expect.any(String) };
  expect(body.members).toEqual([
    { ...member, id: ids.grace, name: "Test editor", email: "grace@example.com", role: "editor", lastSeenAt: null },
    {
      ...member,
      id: ids.ada,
      name: "Test owner",
      email: "ada@example.com",
      role: "owner",
      lastSeenAt: expect.any(String),
    },
    { ...member, id: ids.linus, name: "Test viewer", email: "linus@example.com", role: "viewer", lastSeenAt: null },
  ]);
});

test("another role counts from the next request on", async () => {
  const grace = await signIn(service, "grace@example.com");
  expect(await grace.request("GET", "/v1/members")).toMatchObject({ status: 403 });
  expect(await changeRole(ids.grace, "owner")).toMatchObject({ status: 200, body: { id: ids.grace, role: "owner" } });
  expect(await grace.request("GET", "/v1/members")).toMatchObject({ status: 200 });
  expect(await changeRole(ids.ada, "viewer", grace)).toMatchObject({ status: 200 });
  expect(await owner.request("GET", "/v1/members")).toMatchObject({ status: 403 });
  expect(await changeRole(ids.linus, "king", grace)).toMatchObject({ status: 400 });
  expect(await changeRole("usr_0", "viewer", grace)).toMatchObject({ status: 404 });
});

test("whoever is removed is signed out at once and does not come back", async () => {
  const grace = await signIn(service, "grace@example.com");
  expect(await remove(ids.grace)).toMatchObject({ status: 204 });
  expect(await grace.request("GET", "/v1/projects")).toMatchObject({ status: 401 });
  const again = { email: "grace@example.com", password: PASSWORD };
  expect(await grace.request("POST", "/v1/session", again)).toMatchObject({ status: 401 });
  expect(await remove(ids.grace)).toMatchObject({ status: 404 });
});

test("nobody comes back through an invitation that they made as an owner", async () => {
  await changeRole(ids.grace, "owner");
  const grace = await signIn(service, "grace@example.com");
  const invite = async (page: TestPage): Promise<string> => {
    const { body } = await page.request("POST", "/v1/invitations", { role: "owner" });
    return body.url.split("#")[1];
  };
  const lookUp = (token: string) => grace.request("POST", "/v1/invitations/look-up", { token });
  const [ofAda, ofGrace] = [await invite(owner), await invite(grace)];
  await changeRole(ids.grace, "viewer");
  expect(await lookUp(ofGrace)).toMatchObject({ status: 404 });

  await changeRole(ids.grace, "owner");
  const another = await invite(grace);
  await remove(ids.grace);
  expect(await lookUp(another)).toMatchObject({ status: 404 });
  expect(await lookUp(ofAda)).toMatchObject({ status: 200 });
  const { body } = await owner.request("GET", "/v1/audit-log?limit=1");
  expect(body.entries).toMatchObject([{ action: "invitation.revoked", actor: { id: ids.ada } }]);
});

test("the last owner stays one, also when two demote or remove each other", async () => {
  for (const refused of [await changeRole(ids.ada, "editor"), await remove(ids.ada)]) {
    expect(refused).toMatchObject({ status: 409, body: { code: "conflict" } });
  }
  for (let round = 0; round < 10; round += 1) {
    await service.database.pool.query("update users set role = 'owner' where id in ($1, $2)", [ids.ada, ids.grace]);
    const grace = await signIn(service, "grace@example.com");
    const answers = await Promise.all([changeRole(ids.grace, "viewer"), changeRole(ids.ada, "viewer", grace)]);
    const { rows } = await service.database.pool.query("select id from users where role = 'owner'");
    expect(rows).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  }
  await service.database.pool.query("update users set role = 'owner' where id in ($1, $2)", [ids.ada, ids.grace]);
  const grace = await signIn(service, "grace@example.com");
  await Promise.all([remove(ids.grace), remove(ids.ada, grace)]);
  const { rows } = await service.database.pool.query("select id from users where role = 'owner'");
  expect(rows).toHaveLength(1);
});

test("what is done to members is in the audit log, with who did it and from where", async () => {
  await changeRole(ids.linus, "editor");
  await remove(ids.linus);
  const invited = await owner.request("POST", "/v1/invitations", { role: "viewer", email: "new@example.com" });
  await owner.request("DELETE", `/v1/invitations/${invited.body.id}`);
  const { body } = await owner.request("GET", "/v1/audit-log?limit=4");
  const actor = { type: "user", id: ids.ada, name: "Test owner" };
  const entry = { id: expect.any(String), at: expect.any(String), actor, address: "127.0.0.1", projectId: null };
  const linus = { id: ids.linus, name: "linus@example.com" };
  const invitation = { id: invited.body.id, name: "new@example.com" };
  expect(body.entries).toEqual([
    { ...entry, action: "invitation.revoked", subject: invitation, details: { role: "viewer" } },
    { ...entry, action: "member.invited", subject: invitation, details: { role: "viewer" } },
    { ...entry, action: "member.removed", subject: linus, details: { role: "editor" } },
    { ...entry, action: "member.role_changed", subject: linus, details: { from: "viewer", to: "editor" } },
  ]);
});
