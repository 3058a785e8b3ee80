import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openPage, type TestPage } from "../testing/page.ts";
import { addPerson, PASSWORD, signIn } from "../testing/people.ts";
import { startTestService, type TestService } from "../testing/service.ts";

const NEXT_PASSWORD = "another password of the tests";

let service: TestService;
let email = "";
let page: TestPage;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());
beforeEach(async () => {
  email = `${randomBytes(6).toString("hex")}@example.com`;
  await addPerson(service, email, "viewer");
  page = await signIn(service, email);
});

const isSignedIn = async (browser: TestPage) => (await browser.request("GET", "/v1/session")).body.user !== null;

test("people change their own name", async () => {
  expect(await page.request("PATCH", "/v1/account", { name: "  آدا  " })).toMatchObject({
    status: 200,
    body: { name: "آدا", email, role: "viewer", hasPassword: true },
  });
  expect((await page.request("GET", "/v1/account")).body).toMatchObject({ name: "آدا" });
  expect(await page.request("PATCH", "/v1/account", { name: " " })).toMatchObject({ status: 400 });
  // Nothing else of an account is one's own to change.
  await page.request("PATCH", "/v1/account", { name: "Ada", role: "owner", email: "root@example.com" });
  expect((await page.request("GET", "/v1/account")).body).toMatchObject({ name: "Ada", email, role: "viewer" });
});

test("a new password takes the old one, and ends every other session", async () => {
  const other = await signIn(service, email);
  const change = (currentPassword: string, newPassword: string) =>
    page.request("POST", "/v1/account/password", { currentPassword, newPassword });
  expect(await change("a guess that is wrong", NEXT_PASSWORD)).toMatchObject({ status: 403 });
  expect(await change(PASSWORD, "short")).toMatchObject({ status: 400 });
  expect(await isSignedIn(other)).toBe(true);
  expect(await change(PASSWORD, NEXT_PASSWORD)).toMatchObject({ status: 204 });
  expect([await isSignedIn(page), await isSignedIn(other)]).toEqual([true, false]);
  const attempt = (password: string) => openPage(service.url).request("POST", "/v1/session", { email, password });
  expect(await attempt(PASSWORD)).toMatchObject({ status: 401 });
  expect(await attempt(NEXT_PASSWORD)).toMatchObject({ status: 200 });
  const { body: log } = await openPage(service.url).request("GET", "/v1/audit-log", undefined, {
    authorization: `Bearer ${service.adminToken}`,
  });
  const told = log.entries.filter(({ action }: { action: string }) => action === "password.changed");
  expect(told).toEqual([
    expect.objectContaining({
      actor: expect.objectContaining({ type: "user", name: "Test viewer" }),
      subject: null,
      details: {},
    }),
  ]);
});

test("whoever sits at somebody's browser cannot try passwords for ever", async () => {
  const guess = () =>
    page.request("POST", "/v1/account/password", { currentPassword: "a guess", newPassword: NEXT_PASSWORD });
  for (let count = 0; count < 20; count += 1) expect(await guess()).toMatchObject({ status: 403 });
  expect(await guess()).toMatchObject({ status: 429 });
});

test("people see where they are signed in, and sign out one browser or all", async () => {
  const phone = await signIn(service, email);
  const library = await signIn(service, email);
  const { body } = await page.request("GET", "/v1/account/sessions");
  expect(body.sessions).toHaveLength(3);
  expect(body.sessions).toContainEqual({
    id: expect.stringMatching(/^ses_/),
    isCurrent: true,
    userAgent: "Mozilla/5.0 (a test)",
    address: "127.0.0.1",
    createdAt: expect.any(String),
    lastSeenAt: expect.any(String),
    expiresAt: expect.any(String),
  });
  // What a session's cookie is made of is nobody's to read.
  expect(JSON.stringify(body)).not.toContain((page.cookies.get("docent.session_token") ?? "").split(".")[0]);

  const [ofPhone] = (await phone.request("GET", "/v1/account/sessions")).body.sessions.filter(
    ({ isCurrent }: { isCurrent: boolean }) => isCurrent,
  );
  const path = `/v1/account/sessions/${ofPhone.id}`;
  // Somebody else's sessions do not exist.
  const stranger = `stranger-${email}`;
  await addPerson(service, stranger, "owner");
  expect(await (await signIn(service, stranger)).request("DELETE", path)).toMatchObject({ status: 404 });
  expect(await isSignedIn(phone)).toBe(true);

  expect(await page.request("DELETE", path)).toMatchObject({ status: 204 });
  expect(await page.request("DELETE", path)).toMatchObject({ status: 404 });
  expect([await isSignedIn(page), await isSignedIn(phone), await isSignedIn(library)]).toEqual([true, false, true]);
  expect(await page.request("DELETE", "/v1/account/sessions")).toMatchObject({ status: 204 });
  expect([await isSignedIn(page), await isSignedIn(library)]).toEqual([false, false]);
  expect(page.cookies.has("docent.session_token")).toBe(false);
});

test("when a session was last used, and from where, is known to a few minutes", async () => {
  const { pool } = service.database;
  await pool.query(
    `update sessions set updated_at = now() - interval '1 hour', ip_address = '192.0.2.1'
     where user_id in (select id from users where email = $1)`,
    [email],
  );
  const before = Date.now() - 60_000;
  await page.request("GET", "/v1/projects");
  await expect
    .poll(async () => {
      const { body } = await page.request("GET", "/v1/account/sessions");
      const [session] = body.sessions;
      return [session.address, Date.parse(session.lastSeenAt) > before];
    })
    .toEqual(["127.0.0.1", true]);
});
