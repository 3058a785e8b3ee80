import { randomBytes } from "node:crypto";
import fastify, { type FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { commitFiles, createTestHost, git, type TestHost } from "../codehost/builtin/testing/host.ts";
import { ApiError } from "../errors.ts";
import { createErrorHandler } from "./error-answers.ts";
import { createPullRequestImageRoutes } from "./pull-request-images.ts";

let testing: TestHost;
let app: FastifyInstance;
let clone = "";
const png = randomBytes(300);

beforeAll(async () => {
  testing = await createTestHost();
  ({ clone } = await testing.addRepository("prj_A"));
  app = fastify();
  app.setErrorHandler(createErrorHandler(() => {}));
  await app.register(
    createPullRequestImageRoutes({
      builtinHost: testing.host,
      authorize: async (request) => {
        if (request.headers.authorization === undefined) throw new ApiError("unauthorized");
      },
    }),
  );
  await app.listen({ port: 0, host: "127.0.0.1" });

  await commitFiles(clone, { "was.svg": "<svg onload='alert(1)'/>", "kept.png": randomBytes(10) }, "Before");
  await git(clone, "push", "--quiet", "origin", "main");
  await git(clone, "checkout", "--quiet", "-b", "images");
  await git(clone, "rm", "--quiet", "was.svg");
  await commitFiles(clone, { "shot.png": png, "page.mdx": "# Page\n" }, "Images");
  await git(clone, "push", "--quiet", "origin", "images");
  const content = { title: "Images", body: "", headBranch: "images", baseBranch: "main" };
  await testing.host.createPullRequest("prj_A", content);
});
afterAll(async () => {
  await app.close();
  await testing.close();
});

const get = (path: string, headers: Record<string, string> = { authorization: "read" }) =>
  fetch(`${app.listeningOrigin}/v1/projects/${path}`, { headers });

test("images of the change, as what they are called and nothing that could run", async () => {
  const shot = await get(`prj_A/pulls/1/images/${await git(clone, "rev-parse", "images:shot.png")}`);
  expect(Buffer.from(await shot.arrayBuffer()).equals(png)).toBe(true);
  expect(shot.headers.get("content-type")).toBe("image/png");
  expect(shot.headers.get("x-content-type-options")).toBe("nosniff");
  const before = await get(`prj_A/pulls/1/images/${await git(clone, "rev-parse", "main:was.svg")}`);
  expect(before.headers.get("content-type")).toBe("image/svg+xml");
  expect(before.headers.get("content-security-policy")).toMatch(/default-src 'none'.*sandbox$/);
});

test("nothing else of the repository, and nothing for nobody", async () => {
  const oid = (name: string) => git(clone, "rev-parse", name);
  const page = await oid("images:page.mdx");
  const unchanged = await oid("main:kept.png");
  for (const other of [page, unchanged, "HEAD", "0".repeat(40), "%00"]) {
    expect([other, (await get(`prj_A/pulls/1/images/${other}`)).status]).toEqual([other, 404]);
  }
  const shot = await oid("images:shot.png");
  for (const path of [`prj_A/pulls/2/images/${shot}`, `prj_A/pulls/x/images/${shot}`, `prj_Z/pulls/1/images/${shot}`]) {
    expect([path, (await get(path)).status]).toEqual([path, 404]);
  }
  expect((await get(`prj_A/pulls/1/images/${shot}`, {})).status).toBe(401);
});
