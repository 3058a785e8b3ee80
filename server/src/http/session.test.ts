import { randomBytes } from "node:crypto";
import { request as httpRequest } from "node:http";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { findFreePort } from "../testing/free-port.ts";
import { openPage, type TestPage } from "../testing/page.ts";
import { addPerson, PASSWORD } from "../testing/people.ts";
import { startTestService, type TestService } from "../testing/service.ts";

const DAY_MS = 86_400_000;

let service: TestService;
let email = "";
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());
beforeEach(async () => {
  email = `${randomBytes(6).toString("hex")}@example.com`;
  await addPerson(service, email, "editor");
  // Failed sign-ins of the tests before, which all come from one address.
  await service.database.pool.query("delete from rate_limit_windows");
});

/** With these headers alone; fetch sends a Host and a Sec-Fetch-Mode of its own. */
function deleteSession(port: number, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const options = { host: "127.0.0.1", port, path: "/v1/session", method: "DELETE", headers };
    httpRequest(options, (response) => resolve(response.resume().statusCode))
      .on("error", reject)
      .end();
  });
}

const signIn = (page: TestPage, password = PASSWORD, address = email) =>
  page.request("POST", "/v1/session", { email: address, password });
const whoIs = async (page: TestPage) => (await page.request("GET", "/v1/session")).body.user;

test("cookies are for the service's own pages, and over https for nothing else", async () => {
  const page = openPage(service.url);
  expect((await signIn(page)).body).toMatchObject({ user: { email, role: "editor" }, passwordSignIn: true });
  expect(page.lastCookies()).toEqual([
    expect.stringMatching(/^docent\.session_token=\S+; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/),
    expect.stringMatching(/^docent\.device=\S+; Max-Age=15552000; Path=\/v1\/session; HttpOnly; SameSite=Lax$/),
  ]);

  const port = await findFreePort();
  const publicUrl = "https://docs.example.com";
  const secure = await startTestService({ DOCENT_PORT: String(port), DOCENT_PUBLIC_URL: publicUrl });
  try {
    await addPerson(secure, email, "editor");
    const overHttps = openPage(`http://127.0.0.1:${port}`);
    const body = { email, password: PASSWORD };
    expect(await overHttps.request("POST", "/v1/session", body, { origin: publicUrl })).toMatchObject({ status: 200 });
    expect(overHttps.lastCookies()).toHaveLength(2);
    for (const line of overHttps.lastCookies()) {
      expect(line).toMatch(/^__Secure-docent\./);
      expect(line.split("; ")).toEqual(expect.arrayContaining(["Secure", "HttpOnly", "SameSite=Lax"]));
    }
    expect(await whoIs(overHttps)).toMatchObject({ email });
    // A page that somebody on the wire made, in a browser that does not compare.
    const headers = { host: "docs.example.com", origin: "http://docs.example.com" };
    expect(await deleteSession(port, headers)).toBe(403);
    expect(await deleteSession(port, { ...headers, origin: publicUrl })).toBe(204);
  } finally {
    await secure.close();
  }
});

test("a session lasts seven days after it was last renewed, and no page renews it but by asking for it", async () => {
  const page = openPage(service.url);
  await signIn(page);
  const expire = (milliseconds: number) =>
    service.database.pool.query(
      "update sessions set expires_at = $1 where user_id in (select id from users where email = $2)",
      [new Date(Date.now() + milliseconds), email],
    );
  await expire(5 * DAY_MS);
  await page.request("GET", "/v1/projects");
  expect(page.lastCookies()).toEqual([]);
  const { body } = await page.request("GET", "/v1/session");
  expect(Date.parse(body.expiresAt)).toBeGreaterThan(Date.now() + 6.9 * DAY_MS);
  expect(page.lastCookies()).toEqual([expect.stringContaining("Max-Age=604800")]);
  // Renewed a moment ago: nothing to do.
  await page.request("GET", "/v1/session");
  expect(page.lastCookies()).toEqual([]);

  await expire(-1000);
  expect(await page.request("GET", "/v1/projects")).toMatchObject({ status: 401 });
  expect(await whoIs(page)).toBeNull();
});

test("a forged or changed cookie is none", async () => {
  const page = openPage(service.url);
  await signIn(page);
  const cookie = page.cookies.get("docent.session_token") ?? "";
  for (const forged of [
    cookie.replace(/^./, (first) => (first === "A" ? "B" : "A")),
    cookie.split(".")[0] ?? "",
    "x",
  ]) {
    page.cookies.set("docent.session_token", forged);
    expect(await page.request("GET", "/v1/projects")).toMatchObject({ status: 401 });
  }
});

test("only failures count against somebody, and only for browsers that are new to the account", async () => {
  const known = openPage(service.url);
  for (let count = 0; count < 25; count += 1) expect(await signIn(known)).toMatchObject({ status: 200 });

  const attacker = openPage(service.url);
  for (let count = 0; count < 20; count += 1) {
    expect(await signIn(attacker, "a guess that is wrong")).toMatchObject({ status: 401 });
  }
  const limited = await signIn(attacker, PASSWORD, email.toUpperCase());
  expect(limited).toMatchObject({ status: 429, body: { code: "rate_limited" } });
  expect(Number(limited.headers.get("retry-after"))).toBeGreaterThan(0);
  // Whoever has signed in with this browser before goes on: the attacker locks nobody out.
  expect(await signIn(known)).toMatchObject({ status: 200 });
  // That browser has a limit of its own.
  for (let count = 0; count < 20; count += 1) await signIn(known, "a guess that is wrong");
  expect(await signIn(known)).toMatchObject({ status: 429 });
});

test("a device that is known to one account is new to all others", async () => {
  const attacker = openPage(service.url);
  const own = `attacker-${email}`;
  await addPerson(service, own, "viewer");
  await signIn(attacker, PASSWORD, own);
  for (let count = 0; count < 20; count += 1) await signIn(openPage(service.url), "a guess that is wrong");
  expect(await signIn(attacker)).toMatchObject({ status: 429 });
});

test("an address that is wrong too often about anybody is refused", async () => {
  const known = openPage(service.url);
  await signIn(known);
  const attempts = Array.from({ length: 70 }, (_, index) =>
    openPage(service.url).request(
      "POST",
      "/v1/session",
      { email: `nobody-${index}@example.com`, password: "a guess" },
      // Nobody may choose the address that is counted.
      {
        "x-forwarded-for": `203.0.113.${index}`,
        forwarded: `for=203.0.113.${index}`,
        "x-real-ip": `203.0.113.${index}`,
      },
    ),
  );
  const statuses = (await Promise.all(attempts)).map(({ status }) => status);
  // At once, and still none too many.
  expect(statuses.filter((status) => status === 401)).toHaveLength(60);
  expect(statuses.filter((status) => status === 429)).toHaveLength(10);
  expect(await signIn(openPage(service.url))).toMatchObject({ status: 429 });
  // Behind one proxy or office everybody has that address.
  expect(await signIn(known)).toMatchObject({ status: 200 });
});

test("behind a trusted proxy the address counts that the proxy has seen, not what somebody put before it", async () => {
  const proxied = await startTestService({ DOCENT_TRUSTED_PROXIES: "127.0.0.1" });
  try {
    const guess = (index: number, seen: string) =>
      openPage(proxied.url).request(
        "POST",
        "/v1/session",
        { email: `nobody-${index}@example.com`, password: "a guess" },
        { "x-forwarded-for": `198.51.100.${index}, ${seen}` },
      );
    for (let index = 0; index < 60; index += 1) expect((await guess(index, "203.0.113.7")).status).toBe(401);
    expect((await guess(60, "203.0.113.7")).status).toBe(429);
    expect((await guess(61, "203.0.113.8")).status).toBe(401);
  } finally {
    await proxied.close();
  }
}, 60_000);

test("more sign-ins than there is room for are turned away, and do not count as wrong", async () => {
  const crowded = await startTestService({ DOCENT_TRUSTED_PROXIES: "127.0.0.1" });
  try {
    const attempts = Array.from({ length: 110 }, (_, index) =>
      openPage(crowded.url).request(
        "POST",
        "/v1/session",
        { email: `nobody-${index}@example.com`, password: "a guess" },
        { "x-forwarded-for": `10.0.0.${index}` },
      ),
    );
    const answers = await Promise.all(attempts);
    const turnedAway = answers.filter(({ status }) => status === 503);
    expect(turnedAway.length).toBeGreaterThan(0);
    expect(turnedAway[0]?.headers.get("retry-after")).toBe("1");
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(110 - turnedAway.length);
    const { rows } = await crowded.database.pool.query(
      "select sum(count)::int as count from rate_limit_windows where subject like 'sign-in address %'",
    );
    expect(rows).toEqual([{ count: 110 - turnedAway.length }]);
  } finally {
    await crowded.close();
  }
}, 60_000);

test("the answer and the time that it takes do not tell whether there is such an account", async () => {
  const timed = async (address: string) => {
    const begun = performance.now();
    const { status, body } = await signIn(openPage(service.url), "a guess that is wrong", address);
    return { status, error: body.error, milliseconds: performance.now() - begun };
  };
  const median = (times: number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
  const known = [];
  const unknown = [];
  for (let count = 0; count < 9; count += 1) {
    known.push(await timed(email));
    unknown.push(await timed("nobody@example.com"));
  }
  expect(new Set([...known, ...unknown].map(({ status, error }) => `${status} ${error}`)).size).toBe(1);
  const ratio = median(unknown.map((each) => each.milliseconds)) / median(known.map((each) => each.milliseconds));
  expect(ratio).toBeGreaterThan(0.5);
  expect(ratio).toBeLessThan(2);
});

test("pages of other sites sign nobody in or out, and change nothing", async () => {
  const page = openPage(service.url);
  await signIn(page);
  for (const headers of [
    // What is no page of a site at all, though it names the same host.
    { origin: service.url.replace("http:", "chrome-extension:"), "sec-fetch-site": "same-origin" },
    { origin: "https://evil.example", "sec-fetch-site": "cross-site" },
    { origin: "null", "sec-fetch-site": "cross-site" },
    // A page of another port or name of the same machine.
    { origin: "http://127.0.0.1:1", "sec-fetch-site": "same-site" },
  ]) {
    const post = (path: string, body: object) => page.request("POST", path, body, headers);
    expect(await post("/v1/session", { email, password: PASSWORD })).toMatchObject({ status: 403 });
    expect(await post("/v1/account/password", { currentPassword: PASSWORD, newPassword: PASSWORD })).toMatchObject({
      status: 403,
    });
    expect(await page.request("DELETE", "/v1/session", undefined, headers)).toMatchObject({ status: 403 });
    expect(await page.request("DELETE", "/v1/account/sessions", undefined, headers)).toMatchObject({ status: 403 });
  }
  expect(await whoIs(page)).toMatchObject({ email });
});

test("better-auth has no address of its own, and says nothing beside our log", async () => {
  for (const path of ["/v1/auth/sign-in/email", "/v1/auth/get-session", "/api/auth/sign-up/email"]) {
    expect(await openPage(service.url).request("POST", path, {})).toMatchObject({ status: 404 });
  }
  expect(await signIn(openPage(service.url), "a guess that is wrong")).toMatchObject({ status: 401 });
  expect(service.log()).toBe("");
});
