import fastify, { type FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createLimits } from "../access/limits.ts";
import { commitFiles, createTestHost, git, type TestHost } from "../codehost/builtin/testing/host.ts";
import { ApiError } from "../errors.ts";
import { createPullRequestComments } from "../jobs/pull-request-comments.ts";
import { createPullRequestJobs } from "../jobs/pull-request-jobs.ts";
import { changedFileSchema, fileContentsSchema } from "./changed-file-schema.ts";
import { createErrorHandler, errorSchema } from "./error-answers.ts";
import { ajvFormats } from "./formats.ts";
import {
  commentAnswerSchema,
  commentSchema,
  listedPullRequestSchema,
  pullRequestListSchema,
  pullRequestSchema,
} from "./pull-request-schema.ts";
import { createPullRequestRoutes } from "./pull-requests.ts";

let testing: TestHost;
let app: FastifyInstance;
let clone = "";

beforeAll(async () => {
  testing = await createTestHost();
  ({ clone } = await testing.addRepository("prj_A"));
  app = fastify({ ajv: { customOptions: { coerceTypes: false, formats: ajvFormats } } });
  for (const schema of [errorSchema, changedFileSchema, fileContentsSchema, commentSchema, commentAnswerSchema]) {
    app.addSchema(schema);
  }
  for (const schema of [listedPullRequestSchema, pullRequestListSchema, pullRequestSchema]) app.addSchema(schema);
  app.setErrorHandler(createErrorHandler(() => {}));
  await app.register(
    createPullRequestRoutes({
      builtinHost: testing.host,
      projects: {
        get: async (id) =>
          id === "prj_A"
            ? {
                id,
                name: "Docs",
                codeHost: "builtin",
                repository: testing.host.repositoryUrl(id),
                ref: "main",
                state: "ready",
                importError: null,
                settings: {},
                createdAt: "2026-01-01T00:00:00.000Z",
              }
            : undefined,
      },
      jobs: createPullRequestJobs({ database: testing.database.database }),
      comments: createPullRequestComments({ database: testing.database.database, clock: testing.clock }),
      limits: createLimits({ database: testing.database.database, clock: testing.clock }),
      messagesPerHour: 0,
      callerOf: () => ({ type: "administrator" }),
      authorize: async (request, projectId, access) => {
        const key = request.headers.authorization;
        if (key === undefined) throw new ApiError("unauthorized");
        if (projectId !== "prj_A" || (access === "write" && key !== "write")) throw new ApiError("forbidden");
      },
    }),
  );
  await app.listen({ port: 0, host: "127.0.0.1" });
});
afterAll(async () => {
  await app.close();
  await testing.close();
});

const call = (path: string, { method = "GET", key = "write" } = {}) =>
  fetch(`${app.listeningOrigin}/v1/projects/${path}`, {
    method,
    headers: key === "" ? {} : { authorization: key },
  });

async function addPullRequest(branch: string): Promise<{ path: string; head: string }> {
  await git(clone, "fetch", "--quiet", "origin");
  await git(clone, "checkout", "--quiet", "-B", branch, "origin/main");
  const head = await commitFiles(clone, { "index.mdx": `# ${branch}\n`, [`ü ${branch}.mdx`]: "a\n" }, "Change");
  await git(clone, "push", "--quiet", "origin", branch);
  const content = { title: "A title", body: "A body", headBranch: branch, baseBranch: "main" };
  const { number } = await testing.host.createPullRequest("prj_A", content);
  return { path: `prj_A/pulls/${number}`, head };
}

test("a pull request, its diff, and its merge", async () => {
  const { path, head } = await addPullRequest("first");
  const got = await call(path, { key: "read" });
  expect(await got.json()).toMatchObject({
    number: 1,
    url: "http://docent.test/projects/prj_A/pull/1",
    state: "open",
    title: "A title",
    body: "A body",
    headBranch: "first",
    baseBranch: "main",
    headCommit: head,
    endedAt: null,
    mergeable: true,
    conflicts: [],
    commits: [{ oid: head, title: "Change", message: "" }],
    files: [
      { path: "index.mdx", status: "modified", oldPath: null },
      { path: "ü first.mdx", status: "added", additions: 1, deletions: 0 },
    ],
  });
  const diff = await call(`${path}/diff`);
  expect(diff.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  expect(await diff.text()).toMatch(/^diff --git a\/index.mdx b\/index.mdx\n.*\+# first\n/s);
  expect((await call(`${path}/merge?head=${"0".repeat(40)}`, { method: "POST" })).status).toBe(409);
  const merged = await call(`${path}/merge?head=${head}`, { method: "POST" });
  expect([merged.status, await merged.json()]).toMatchObject([200, { state: "merged", mergeable: null }]);
  expect((await call(`${path}/merge`, { method: "POST" })).status).toBe(200);
  const closed = await call(`${path}/close`, { method: "POST" });
  expect([closed.status, await closed.json()]).toMatchObject([409, { code: "conflict" }]);
});

test("a conflict names the files; closing ends it", async () => {
  const { path } = await addPullRequest("second");
  const other = await addPullRequest("third");
  await git(clone, "checkout", "--quiet", "-B", "main", "origin/main");
  await commitFiles(clone, { "index.mdx": "# Otherwise\n" }, "Meanwhile");
  await git(clone, "push", "--quiet", "origin", "main");
  expect(await (await call(path)).json()).toMatchObject({ mergeable: false, conflicts: ["index.mdx"] });
  const refused = await call(`${path}/merge`, { method: "POST" });
  expect([refused.status, await refused.json()]).toMatchObject([409, { error: expect.stringContaining("index.mdx") }]);
  expect(await (await call(`${path}/close`, { method: "POST" })).json()).toMatchObject({ state: "closed" });
  expect((await call(`${path}/close`, { method: "POST" })).status).toBe(200);
  expect((await call(`${path}/merge`, { method: "POST" })).status).toBe(409);
  expect(await (await call(other.path)).json()).toMatchObject({ state: "open" });
});

test("the refusals", async () => {
  const { path } = await addPullRequest("refused");
  const status = async (...args: Parameters<typeof call>) => (await call(...args)).status;
  expect(await status(path, { key: "" })).toBe(401);
  expect(await status(`${path}/merge`, { method: "POST", key: "read" })).toBe(403);
  expect(await status(`${path}/merge?head=x`, { method: "POST" })).toBe(400);
  expect(await status("prj_Z/pulls/1")).toBe(403);
  for (const number of ["0", "99", "-1", "1.5", "x", "%00", "9999999999999"]) {
    expect([number, await status(`prj_A/pulls/${number}`)]).toEqual([number, 404]);
  }
});
