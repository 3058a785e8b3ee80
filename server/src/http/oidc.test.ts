import { afterAll, beforeAll, expect, test } from "vitest";
import { CLIENT_ID, CLIENT_SECRET, startTestProvider, type TestProvider } from "../access/oidc/testing/provider.ts";
import { findFreePort } from "../testing/free-port.ts";
import { startTestService, type TestService } from "../testing/service.ts";
import { openPage, type PageAnswer, type TestPage } from "../testing/page.ts";

let provider: TestProvider;
let service: TestService;

beforeAll(async () => {
  const port = await findFreePort();
  provider = await startTestProvider(`http://127.0.0.1:${port}/v1/sign-in/oidc/callback`);
  service = await startTestService({
    DOCENT_PORT: String(port),
    DOCENT_PASSWORD_SIGN_IN: "off",
    DOCENT_OIDC_ISSUER: provider.issuer,
    DOCENT_OIDC_CLIENT_ID: CLIENT_ID,
    DOCENT_OIDC_CLIENT_SECRET: CLIENT_SECRET,
    DOCENT_OIDC_NAME: "Acme",
    DOCENT_OIDC_SCOPES: "profile email groups",
    DOCENT_OIDC_ROLES: "docs-admins=owner,docs=editor,staff=viewer",
  });
});
afterAll(async () => {
  await service?.close();
  await provider?.close();
});

function is(sub: string, ...groups: string[]): void {
  provider.person.sub = sub;
  provider.person.claims = { name: `${sub} of Acme`, email: `${sub}@acme.example`, email_verified: true, groups };
}

/** As the browser of `provider.person` does it: to the provider and back. */
async function signIn(page: TestPage = openPage(service.url), next = "/projects?x=1"): Promise<PageAnswer> {
  const begun = await page.request("GET", `/v1/sign-in/oidc?next=${encodeURIComponent(next)}`);
  expect(begun.status).toBe(302);
  const back = await provider.visit(begun.headers.get("location") ?? "");
  expect(back).toContain(`${service.url}/v1/sign-in/oidc/callback?`);
  return await page.request("GET", back.slice(service.url.length));
}

const whoIs = async (page: TestPage) => (await page.request("GET", "/v1/session")).body.user;

async function expectRefused(reason: string): Promise<void> {
  const page = openPage(service.url);
  const answer = await signIn(page);
  expect([answer.status, answer.headers.get("location")]).toEqual([302, `${service.url}/sign-in?refused=${reason}`]);
  expect(await whoIs(page)).toBeNull();
}

test("somebody comes in with what their groups may do, and lands where they wanted to go", async () => {
  is("ada", "docs", "staff", "others");
  const page = openPage(service.url);
  expect((await page.request("GET", "/v1/session")).body).toEqual({
    user: null,
    expiresAt: null,
    passwordSignIn: false,
    oidcSignIn: "Acme",
  });
  const answer = await signIn(page);
  expect(answer.headers.get("location")).toBe(`${service.url}/projects?x=1`);
  expect(await whoIs(page)).toMatchObject({ name: "ada of Acme", email: "ada@acme.example", role: "editor" });
  expect((await page.request("GET", "/v1/account")).body).toMatchObject({ hasPassword: false });
});

test("the role follows the groups at each sign-in, and without one the sessions end", async () => {
  is("grace", "docs-admins");
  const owner = openPage(service.url);
  await signIn(owner);
  const { id } = await whoIs(owner);
  is("grace", "staff");
  const viewer = openPage(service.url);
  await signIn(viewer);
  expect(await whoIs(viewer)).toMatchObject({ id, role: "viewer" });
  // Also for the session that was there before.
  expect(await owner.request("GET", "/v1/members")).toMatchObject({ status: 403 });

  is("grace", "others");
  await expectRefused("no_role");
  expect([await whoIs(owner), await whoIs(viewer)]).toEqual([null, null]);

  is("linus", "docs-admins");
  const another = openPage(service.url);
  await signIn(another);
  const { body: log } = await another.request("GET", "/v1/audit-log");
  expect(log.entries).toContainEqual(
    expect.objectContaining({
      action: "member.role_changed",
      actor: { type: "system", id: null, name: "Acme" },
      subject: { id, name: "grace@acme.example" },
      details: { from: "owner", to: "viewer" },
    }),
  );
});

test("somebody without groups that count, or without an address, is refused", async () => {
  is("eve");
  await expectRefused("no_role");
  is("eve", "docs");
  delete provider.person.claims["email"];
  await expectRefused("no_email");
});

test("an account that is there already becomes theirs only when the address is certain on both sides", async () => {
  const { database } = service.database;
  const user = { role: "viewer" as const, image: null };
  await database
    .insertInto("users")
    .values([
      { ...user, id: "usr_KNOWN", name: "Known", email: "known@acme.example", email_verified: true },
      { ...user, id: "usr_CLAIMED", name: "Claimed", email: "claimed@acme.example", email_verified: false },
    ])
    .execute();
  is("known", "docs");
  provider.person.claims["email_verified"] = false;
  await expectRefused("email_taken");
  is("claimed", "docs");
  await expectRefused("email_taken");

  is("known", "docs");
  const page = openPage(service.url);
  await signIn(page);
  expect(await whoIs(page)).toEqual({ id: "usr_KNOWN", name: "Known", email: "known@acme.example", role: "editor" });
  // From then on it is the same person, whatever the provider says of the address.
  provider.person.claims = { groups: ["docs"], email: "renamed@acme.example" };
  const later = openPage(service.url);
  await signIn(later);
  expect(await whoIs(later)).toMatchObject({ id: "usr_KNOWN" });
});

test("an answer counts once, and only in the browser that asked", async () => {
  is("ada", "docs");
  const page = openPage(service.url);
  const begun = await page.request("GET", "/v1/sign-in/oidc");
  const kept = new Map(page.cookies);
  const back = (await provider.visit(begun.headers.get("location") ?? "")).slice(service.url.length);

  const other = openPage(service.url);
  await other.request("GET", "/v1/sign-in/oidc");
  const refused = `${service.url}/sign-in?refused=expired`;
  expect((await other.request("GET", back)).headers.get("location")).toBe(refused);
  expect((await openPage(service.url).request("GET", back)).headers.get("location")).toBe(refused);

  expect((await page.request("GET", back)).headers.get("location")).toBe(`${service.url}/`);
  const replay = openPage(service.url);
  for (const [name, value] of kept) replay.cookies.set(name, value);
  expect((await replay.request("GET", back)).headers.get("location")).toBe(refused);
  expect(await whoIs(replay)).toBeNull();
});

test("a sign-in that takes too long is over", async () => {
  is("ada", "docs");
  const page = openPage(service.url);
  const begun = await page.request("GET", "/v1/sign-in/oidc");
  const back = (await provider.visit(begun.headers.get("location") ?? "")).slice(service.url.length);
  await service.database.pool.query("update verifications set expires_at = now()");
  expect((await page.request("GET", back)).headers.get("location")).toContain("refused=expired");
});

test("the way back leads to no other site", async () => {
  is("ada", "docs");
  for (const next of [
    "https://evil.example/",
    "//evil.example/",
    "/\\evil.example/",
    "/..//evil.example/",
    "/%2e//evil.example/",
    "javascript:alert(1)",
  ]) {
    const { headers } = await signIn(openPage(service.url), next);
    expect(new URL(headers.get("location") ?? "").origin).toBe(service.url);
  }
});

test("what the provider refuses is told, and nothing of it in words of its own", async () => {
  const page = openPage(service.url);
  await page.request("GET", "/v1/sign-in/oidc");
  const state = page.cookies.get("docent.oidc");
  const answer = await page.request(
    "GET",
    `/v1/sign-in/oidc/callback?error=access_denied&state=${state}&iss=${provider.issuer}`,
  );
  expect(answer.headers.get("location")).toBe(`${service.url}/sign-in?refused=refused`);
  expect(service.log()).toContain("access_denied");
});

test("with passwords off nobody signs in or is invited with one, and the administrator lets an owner in again", async () => {
  const page = openPage(service.url);
  const credentials = { email: "x@acme.example", password: "a long enough password" };
  expect(await page.request("POST", "/v1/session", credentials)).toMatchObject({ status: 403 });
  const administrator = { authorization: `Bearer ${service.adminToken}` };
  const asAdministrator = (path: string, body: object) =>
    openPage(service.url).request("POST", path, body, administrator);
  expect(await asAdministrator("/v1/invitations", { role: "viewer" })).toMatchObject({ status: 409 });
  const made = await asAdministrator("/v1/invitations/recovery", { email: "root@acme.example" });
  const token = made.body.url.split("#")[1];
  const acceptance = { token, name: "Root", password: "a long enough password" };
  expect(await page.request("POST", "/v1/invitations/accept", acceptance)).toMatchObject({ status: 200 });
  expect(await whoIs(page)).toMatchObject({ email: "root@acme.example", role: "owner" });
});
