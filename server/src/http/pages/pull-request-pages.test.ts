import { randomBytes } from "node:crypto";
import { request as requestHttp } from "node:http";
import fc from "fast-check";
import fastify, { type FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { commitFiles, createTestHost, git, type TestHost } from "../../codehost/builtin/testing/host.ts";
import type { KeyScope } from "../../database/schema.ts";
import type { Project } from "../../projects/project.ts";
import { escapeHtml, markup } from "./html.ts";
import { renderMarkdownNow } from "./markdown.ts";
import { createPullRequestPages } from "./pull-request-pages.ts";

const KEYS: Record<string, { projectId: string; scope: KeyScope }> = {
  docent_write: { projectId: "prj_A", scope: "write" },
  docent_read: { projectId: "prj_A", scope: "read" },
  docent_collect: { projectId: "prj_A", scope: "collect" },
  docent_other: { projectId: "prj_B", scope: "admin" },
};
const project = (id: string): Project => ({
  id,
  name: `Docs <of> ${id}`,
  codeHost: "builtin",
  repository: `http://docent.test/git/${id}.git`,
  ref: "main",
  state: "ready",
  importError: null,
  settings: {},
  createdAt: "2026-01-01T00:00:00.000Z",
});

let testing: TestHost;
let open: FastifyInstance;
let guarded: FastifyInstance;
let clone = "";
const png = randomBytes(300);

async function start(openPages: boolean): Promise<FastifyInstance> {
  const app = fastify();
  await app.register(
    createPullRequestPages({
      builtinHost: testing.host,
      projects: { get: async (id) => (id === "prj_A" ? project(id) : undefined) },
      authenticateKey: async (key) => KEYS[key],
      openPages,
      publicUrl: "http://docent.test",
      secret: testing.secret,
      clock: testing.clock,
    }),
  );
  await app.listen({ port: 0, host: "127.0.0.1" });
  return app;
}

/** A new pull request that nobody has touched. */
async function addPullRequest(branch: string): Promise<string> {
  await git(clone, "checkout", "--quiet", "-B", branch, "origin/main");
  await commitFiles(
    clone,
    {
      [`${branch}.mdx`]: "# <script>alert(1)</script>\n\nWords & more.\n",
      "images/shot.png": png,
      "gone.mdx": `changed by ${branch}\n`,
    },
    "Change <b>things</b>",
  );
  await git(clone, "push", "--quiet", "--force", "origin", branch);
  const content = { title: "Say <i>hello</i>", body: "**Bold** <img src=x onerror=alert(1)> [x](javascript:alert(1))" };
  const { number } = await testing.host.createPullRequest("prj_A", {
    ...content,
    headBranch: branch,
    baseBranch: "main",
  });
  return `/projects/prj_A/pull/${number}`;
}

beforeAll(async () => {
  testing = await createTestHost();
  ({ clone } = await testing.addRepository("prj_A"));
  await commitFiles(clone, { "gone.mdx": "as it was\n" }, "Base");
  await git(clone, "push", "--quiet", "origin", "main");
  open = await start(true);
  guarded = await start(false);
});
afterAll(async () => {
  await open.close();
  await guarded.close();
  await testing.close();
});

const get = (app: FastifyInstance, path: string, headers: Record<string, string> = {}) =>
  fetch(app.listeningOrigin + path, { headers, redirect: "manual" });

const post = (app: FastifyInstance, path: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(app.listeningOrigin + path, {
    method: "POST",
    headers: { origin: app.listeningOrigin, ...headers },
    body: new URLSearchParams(form),
    redirect: "manual",
  });

/** The fields of a form on the page, as a browser would send them. */
function formOf(page: string, action: string): Record<string, string> {
  const form = new RegExp(`<form method="post" action="[^"]*${action}">(.*?)</form>`, "s").exec(page)?.[1] ?? "";
  const fields = [...form.matchAll(/name="(\w+)" value="([^"]*)"/g)];
  return Object.fromEntries(fields.map(([, name = "", value = ""]) => [name, value]));
}

test("the page shows the change, escaped, with nothing that could run or load from elsewhere", async () => {
  const path = await addPullRequest("shown");
  const response = await get(open, path);
  const page = await response.text();
  expect(response.status).toBe(200);
  expect(response.headers.get("content-security-policy")).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
  expect(page).not.toMatch(/<script|onerror=alert\(1\)>(?!\s*&)|href="javascript|src="http|<i>hello/);
  for (const text of [
    "Say &lt;i&gt;hello&lt;/i&gt;",
    "<strong>Bold</strong>",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "Change &lt;b&gt;things&lt;/b&gt;",
    "Docs &lt;of&gt; prj_A",
    "3 changed files",
    "git fetch http://docent.test/git/prj_A.git shown",
  ]) {
    expect(page).toContain(text);
  }
  const hash = /'sha256-([^']+)'/.exec(response.headers.get("content-security-policy") ?? "")?.[1];
  const style = /<style>(.*?)<\/style>/s.exec(page)?.[1] ?? "";
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(style));
  expect(Buffer.from(digest).toString("base64")).toBe(hash);
  const image = /src="([^"]+\/images\/[^"]+)"/.exec(page)?.[1] ?? "";
  const shot = await get(open, image);
  expect(Buffer.from(await shot.arrayBuffer()).equals(png)).toBe(true);
  expect(shot.headers.get("content-type")).toBe("image/png");
  expect(await (await get(open, `${path}/diff`)).text()).toContain("+# <script>alert(1)</script>");
});

test("only the images of the pull request itself are served", async () => {
  const path = await addPullRequest("images");
  const page = await git(clone, "rev-parse", "HEAD:images.mdx");
  const other = await git(clone, "rev-parse", "HEAD:docs.json");
  for (const oid of [page, other, "HEAD", "0".repeat(40)]) {
    expect((await get(open, `${path}/images/${oid}`)).status).toBe(404);
  }
});

test("what is not there", async () => {
  for (const path of [
    "/projects/prj_A/pull/999",
    "/projects/prj_A/pull/0",
    "/projects/prj_A/pull/x",
    "/projects/prj_Z/pull/1",
    "/projects/%00/pull/1",
    "/projects/prj_A/pull/99999999999",
  ]) {
    expect([path, (await get(open, path)).status]).toEqual([path, 404]);
  }
});

test("merge and close by their buttons", async () => {
  const path = await addPullRequest("merged");
  const fields = formOf(await (await get(open, path)).text(), "/merge");
  const merged = await post(open, `${path}/merge`, fields);
  expect([merged.status, merged.headers.get("location")]).toEqual([303, path]);
  expect(await (await get(open, path)).text()).toMatch(/class="state merged"/);
  await git(clone, "fetch", "--quiet", "origin");
  const second = await addPullRequest("closed");
  expect((await post(open, `${second}/close`, formOf(await (await get(open, second)).text(), "/close"))).status).toBe(
    303,
  );
  expect(await (await get(open, second)).text()).toMatch(/class="state closed"/);
});

test("a merge of what the person did not see, or that conflicts, says why", async () => {
  const path = await addPullRequest("moving");
  const fields = formOf(await (await get(open, path)).text(), "/merge");
  await commitFiles(clone, { "more.mdx": "More\n" }, "More");
  await git(clone, "push", "--quiet", "origin", "moving");
  const moved = await post(open, `${path}/merge`, fields);
  expect(moved.status).toBe(409);
  expect(await moved.text()).toContain("changed since you looked");
  await git(clone, "fetch", "--quiet", "origin");
  await git(clone, "checkout", "--quiet", "-B", "main", "origin/main");
  await commitFiles(clone, { "gone.mdx": "something else\n" }, "Meanwhile");
  await git(clone, "push", "--quiet", "origin", "main");
  const page = await (await get(open, path)).text();
  expect(page).toContain("<code>gone.mdx</code>");
  expect(page).not.toContain(`action="${path}/merge"`);
  const conflict = await post(open, `${path}/merge`, formOf(page, "/close"));
  expect([conflict.status, await conflict.text()]).toEqual([409, expect.stringContaining("gone.mdx")]);
});

test("no other site can press the buttons, whatever it knows", async () => {
  const path = await addPullRequest("forged");
  const fields = formOf(await (await get(open, path)).text(), "/merge");
  const attempts: [Record<string, string>, Record<string, string>][] = [
    [fields, { origin: "http://evil.test" }],
    [fields, { origin: "null" }],
    [fields, { "sec-fetch-site": "cross-site" }],
    [fields, { "sec-fetch-site": "same-site" }],
    [{ ...fields, token: "" }, {}],
    [{ ...fields, token: `${fields["token"]}x` }, {}],
    [{}, {}],
  ];
  for (const [form, headers] of attempts) expect((await post(open, `${path}/merge`, form, headers)).status).toBe(403);
  const other = formOf(await (await get(open, await addPullRequest("forged-other"))).text(), "/merge");
  expect((await post(open, `${path}/merge`, other)).status).toBe(403);
  expect(await (await get(open, path)).text()).toMatch(/class="state open"/);
});

test("open pages answer only under our own names", async () => {
  const path = await addPullRequest("rebinding");
  const status = (host: string) =>
    new Promise((resolve, reject) => {
      const sent = requestHttp(open.listeningOrigin + path, { headers: { host } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      sent.on("error", reject);
      sent.end();
    });
  expect(await status("evil.test")).toBe(403);
  expect(await status("127.0.0.1.evil.test:4000")).toBe(403);
  expect(await status("localhost:4000")).toBe(200);
  expect(await status("docent.test")).toBe(200);
});

test("guarded pages ask for a key once; its scope decides about the buttons", async () => {
  const path = await addPullRequest("guarded");
  const asked = await get(guarded, path);
  expect([asked.status, await asked.text()]).toEqual([401, expect.stringContaining("API key")]);
  expect((await get(guarded, `${path}/diff`)).status).toBe(401);
  const signIn = (key: string, next = path) => post(guarded, "/projects/prj_A/sign-in", { key, next });
  for (const key of ["docent_none", "docent_collect", "docent_other", ""]) expect((await signIn(key)).status).toBe(401);
  const cookieOf = (response: Response) => response.headers.get("set-cookie")?.split(";")[0] ?? "";
  const reader = await signIn("docent_read");
  expect([reader.status, reader.headers.get("location")]).toEqual([303, path]);
  expect(reader.headers.get("set-cookie")).toMatch(/Path=\/projects\/prj_A; Max-Age=43200; HttpOnly; SameSite=Lax/);
  expect(reader.headers.get("set-cookie")).not.toContain("docent_read");
  const readPage = await get(guarded, path, { cookie: cookieOf(reader) });
  expect(readPage.status).toBe(200);
  expect(await readPage.text()).not.toContain("<form");
  const token = testing.secret.mint("form prj_A 1", new Date(Date.now() + 60_000));
  expect((await post(guarded, `${path}/merge`, { token }, { cookie: cookieOf(reader) })).status).toBe(403);
  const writer = { cookie: cookieOf(await signIn("docent_write")) };
  const fields = formOf(await (await get(guarded, path, writer)).text(), "/close");
  expect((await post(guarded, `${path}/close`, fields, writer)).status).toBe(303);
  expect((await get(guarded, path, { cookie: "docent_pages=forged" })).status).toBe(401);
  for (const next of [
    "https://evil.test/",
    "//evil.test",
    "/projects/prj_A/pull/1/../../x",
    "/projects/prj_B/pull/1",
  ]) {
    expect((await signIn("docent_read", next)).headers.get("location")).toBe("/projects/prj_A/pull/1");
  }
});

test("a change of thousands of lines is folded and cut, and still answers at once", async () => {
  await git(clone, "fetch", "--quiet", "origin");
  await git(clone, "checkout", "--quiet", "-B", "huge", "origin/main");
  const lines = (word: string) =>
    Array.from({ length: 3000 }, (_, index) => `${index} ${`lorem ${word} `.repeat(20)}`).join("\n");
  await commitFiles(clone, { "a.mdx": lines("old"), "b.mdx": "b\n" }, "Before");
  await git(clone, "push", "--quiet", "origin", "HEAD:main", "HEAD:huge");
  await commitFiles(clone, { "a.mdx": lines("new"), "b.mdx": `${"x".repeat(3_000_000)}\n`, "c.mdx": "c\n" }, "After");
  await git(clone, "push", "--quiet", "origin", "huge");
  const { url } = await testing.host.createPullRequest("prj_A", {
    title: "Huge",
    body: "",
    headBranch: "huge",
    baseBranch: "main",
  });
  const started = performance.now();
  const page = await (await get(open, new URL(url).pathname)).text();
  expect(performance.now() - started).toBeLessThan(3000);
  expect(page.length).toBeLessThan(8_000_000);
  expect(page).toContain("Too big to show here");
});

test("markup escapes every value, and Markdown lets no HTML through", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(markup`<p title="${text}">${text}</p>`.markup.slice(3, -4)).not.toMatch(/[<'](?!\/)/);
      expect(escapeHtml(text)).not.toMatch(/[<>"']/);
    }),
  );
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom("<script>", "<img onerror=x>", "[a](javascript:x)", "`", "*", "\n", "<", "a", "&lt;")),
      (parts) => {
        expect(renderMarkdownNow(parts.join(""))).not.toMatch(/<script|<img|javascript:x"/);
      },
    ),
  );
});
