import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startTestService, type TestService } from "../testing/service.ts";
import { openPage, type PageAnswer } from "../testing/page.ts";

const PASSWORD = "a long enough password";

let service: TestService;
let now = new Date();
beforeAll(async () => {
  service = await startTestService({}, { clock: () => now });
});
afterAll(() => service.close());
beforeEach(() => {
  now = new Date();
});

async function asAdministrator(method: string, path: string, body?: object): Promise<PageAnswer> {
  return await openPage(service.url).request(method, path, body, { authorization: `Bearer ${service.adminToken}` });
}

/** What stands in a link after the `#`. */
function tokenOf(answer: PageAnswer): string {
  expect(answer.status).toBe(201);
  expect(answer.body.url).toMatch(new RegExp(`^${service.url}/invitation#[\\w-]{43}$`));
  return answer.body.url.split("#")[1];
}

async function invite(invitation: object): Promise<string> {
  return tokenOf(await asAdministrator("POST", "/v1/invitations", invitation));
}

const lookUp = (token: string) => openPage(service.url).request("POST", "/v1/invitations/look-up", { token });
const accept = (token: string, person: object, page = openPage(service.url)) =>
  page.request("POST", "/v1/invitations/accept", { token, password: PASSWORD, ...person });

test("somebody who is invited makes an account and is signed in", async () => {
  const token = await invite({ role: "editor" });
  expect((await lookUp(token)).body).toMatchObject({ role: "editor", email: null, resetsPassword: false });
  const page = openPage(service.url);
  const accepted = await accept(token, { name: " Ada ", email: "Ada@Example.com" }, page);
  expect(accepted.body).toMatchObject({ user: { name: "Ada", email: "ada@example.com", role: "editor" } });
  expect(page.lastCookies()).toEqual([
    expect.stringMatching(/^docent\.session_token=[^;]+; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/),
  ]);
  expect((await page.request("GET", "/v1/session")).body.user).toMatchObject({ email: "ada@example.com" });

  const again = openPage(service.url);
  expect((await again.request("POST", "/v1/session", { email: "ada@example.com", password: PASSWORD })).status).toBe(
    200,
  );
  expect(await accept(token, { name: "Eve", email: "eve@example.com" })).toMatchObject({ status: 404 });
  expect(await lookUp(token)).toMatchObject({ status: 404, body: { code: "not_found" } });
});

test("of two who accept a link at the same time one gets in", async () => {
  const token = await invite({ role: "viewer" });
  const people = Array.from({ length: 6 }, (_, index) => ({ name: "x", email: `racer-${index}@example.com` }));
  const answers = await Promise.all(people.map((person) => accept(token, person)));
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404, 404, 404, 404, 404]);
  const { rows } = await service.database.pool.query("select 1 from users where email like 'racer-%'");
  expect(rows).toHaveLength(1);
});

test("a link for one address is for nobody else", async () => {
  const token = await invite({ role: "viewer", email: "Grace@example.com" });
  expect((await lookUp(token)).body).toMatchObject({ email: "grace@example.com" });
  expect(await accept(token, { name: "Eve", email: "eve@example.com" })).toMatchObject({ status: 400 });
  expect(await accept(token, {})).toMatchObject({ status: 400, body: { error: "name is required." } });
  expect(await accept(token, { name: "Grace", password: "short" })).toMatchObject({ status: 400 });
  expect(await accept(token, { name: "Grace" })).toMatchObject({ status: 200 });
  const second = await invite({ role: "owner" });
  expect(await accept(second, { name: "Grace", email: "GRACE@example.com" })).toMatchObject({ status: 409 });
  // The refusal has not used it up.
  expect(await lookUp(second)).toMatchObject({ status: 200 });
});

test("a link ends when it is revoked, and after seven days", async () => {
  const revoked = await invite({ role: "viewer", email: "revoked@example.com" });
  const { body: listed } = await asAdministrator("GET", "/v1/invitations");
  const [invitation] = listed.invitations;
  expect(invitation).toMatchObject({ email: "revoked@example.com", invitedBy: "the administrator" });
  expect(JSON.stringify(listed)).not.toContain(revoked);
  const path = `/v1/invitations/${invitation.id}`;
  expect(await asAdministrator("DELETE", path)).toMatchObject({ status: 204 });
  expect(await asAdministrator("DELETE", path)).toMatchObject({ status: 404 });
  expect(await accept(revoked, { name: "x" })).toMatchObject({ status: 404 });

  const late = await invite({ role: "viewer" });
  now = new Date(Date.now() + 7 * 86_400_000 - 1000);
  expect(await lookUp(late)).toMatchObject({ status: 200 });
  now = new Date(Date.now() + 7 * 86_400_000 + 1000);
  expect(await accept(late, { name: "x", email: "late@example.com" })).toMatchObject({ status: 404 });
});

test("only a hash of the token is stored", async () => {
  const token = await invite({ role: "viewer" });
  const { rows } = await service.database.pool.query(
    "select invitations::text as text from invitations union all select audit_log::text from audit_log",
  );
  for (const { text } of rows) expect(text).not.toContain(token);
});

test("pages of other sites accept nothing", async () => {
  const token = await invite({ role: "viewer" });
  const elsewhere = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
  for (const path of ["look-up", "accept"]) {
    const body = { token, name: "x", email: "evil@example.com", password: PASSWORD };
    const answer = await openPage(service.url).request("POST", `/v1/invitations/${path}`, body, elsewhere);
    expect(answer).toMatchObject({ status: 403 });
  }
});
