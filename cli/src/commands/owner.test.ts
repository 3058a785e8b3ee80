import { afterAll, beforeAll, expect, test } from "vitest";
import { openPage, type TestPage } from "../../../server/src/testing/page.ts";
import { runDocent } from "../testing/run.ts";
import { startTestService, type TestService } from "../testing/service.ts";

const EMAIL = "ada@example.com";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

async function recover(): Promise<string> {
  const env = { DOCENT_URL: service.url, DOCENT_DATA: service.data };
  const { code, out } = await runDocent(["owner", "recover", "--email", "Ada@example.com"], { env });
  expect(code).toBe(0);
  return /#([\w-]{43})\n/.exec(out)?.[1] ?? "";
}

async function accept(token: string, person: object): Promise<TestPage> {
  const page = openPage(service.url);
  const { body } = await page.request("POST", "/v1/invitations/accept", { token, ...person });
  expect(body).toMatchObject({ user: { email: EMAIL, role: "owner" } });
  return page;
}

const lookUp = async (token: string) =>
  (await openPage(service.url).request("POST", "/v1/invitations/look-up", { token })).body;
const isSignedIn = async (page: TestPage) => (await page.request("GET", "/v1/session")).body.user !== null;

test("an owner's account is made, and later gets a new password, which ends what was signed in", async () => {
  const first = await recover();
  expect(await lookUp(first)).toMatchObject({ email: EMAIL, role: "owner", resetsPassword: false });
  const lost = await accept(first, { name: "Ada", password: "the password that got lost" });
  expect(await isSignedIn(lost)).toBe(true);

  const second = await recover();
  expect(await lookUp(second)).toMatchObject({ email: EMAIL, resetsPassword: true });
  const found = await accept(second, { password: "the password from now on" });
  expect([await isSignedIn(lost), await isSignedIn(found)]).toEqual([false, true]);
  const signIn = (password: string) => openPage(service.url).request("POST", "/v1/session", { email: EMAIL, password });
  expect((await signIn("the password that got lost")).status).toBe(401);
  expect((await signIn("the password from now on")).body.user).toMatchObject({ name: "Ada" });

  const { body: log } = await found.request("GET", "/v1/audit-log");
  expect(log.entries.map(({ action }: { action: string }) => action)).toEqual([
    "recovery.completed",
    "recovery.started",
    "recovery.completed",
    "recovery.started",
  ]);
});

test("of two links for the same address only the newer one counts", async () => {
  const astray = await recover();
  const kept = await recover();
  expect(await openPage(service.url).request("POST", "/v1/invitations/look-up", { token: astray })).toMatchObject({
    status: 404,
  });
  expect(await lookUp(kept)).toMatchObject({ email: EMAIL });
});

test("the administrator alone can start it", async () => {
  const page = openPage(service.url);
  expect(await page.request("POST", "/v1/invitations/recovery", { email: EMAIL })).toMatchObject({ status: 401 });
  const env = { DOCENT_URL: service.url, DOCENT_ADMIN_TOKEN: "some-other-token-of-some-length-0" };
  const answer = await runDocent(["owner", "recover", "--email", EMAIL], { env });
  expect(answer).toMatchObject({ code: 1, out: "" });
});
