import { createServer, type RequestListener, type Server } from "node:http";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createGitServer, listen } from "../codehost/builtin/testing/git-server.ts";
import { commitFiles, createTestHost, git, type TestHost } from "../codehost/builtin/testing/host.ts";
import { runGit } from "../git/git.ts";
import type { Project, Projects } from "./project.ts";
import { createTestProjects } from "./testing/projects.ts";

let testing: TestHost;
let projects: Projects;
/** Another Git server, with a private repository. */
let remote = "";
let source = "";
const logged: object[] = [];
const log = { error: (fields: object) => void logged.push(fields) };
const servers: Server[] = [];

function makeProjects(): Projects {
  const { host: builtinHost, database, secret, clock } = testing;
  return createTestProjects({ database: database.database, builtinHost, secret, clock, log }).projects;
}

beforeAll(async () => {
  testing = await createTestHost();
  projects = makeProjects();
  const { gitDir, clone } = await testing.addRepository("prj_remote");
  source = clone;
  await commitFiles(source, { "guide.mdx": "# Guide\n" }, "Add a guide");
  await git(source, "tag", "v1");
  await git(source, "push", "--quiet", "origin", "main", "main:next", "v1");
  const server = createGitServer(gitDir, "s3cret");
  servers.push(server);
  remote = await listen(server);
});
afterAll(async () => {
  await projects.close();
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
  }
  await testing.close();
});

async function created(...args: Parameters<Projects["create"]>): Promise<Project> {
  const answer = await projects.create(...args);
  if ("refused" in answer) throw new Error(answer.refused);
  return answer.project;
}

async function imported(repository: string, ref?: string): Promise<Project> {
  const { id } = await created({ name: "Imported", repository, ...(ref === undefined ? {} : { ref }) });
  return await ended(id);
}

async function ended(id: string): Promise<Project> {
  await expect.poll(async () => (await projects.get(id))?.state, { timeout: 20_000 }).not.toBe("importing");
  const project = await projects.get(id);
  if (project === undefined) throw new Error("gone");
  return project;
}

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  return await listen(server);
}

const remoteUrl = (userInfo = "any:s3cret@") => `${remote.replace("//", `//${userInfo}`)}/docs.git`;
const tip = async (project: Project, ref: string) => {
  const gitDir = testing.host.repositories?.path(project.id) ?? "";
  return (await runGit(["rev-parse", ref], { gitDir })).stdout.toString().trim();
};
const head = (cwd: string) => git(cwd, "rev-parse", "HEAD");

test("a project without a repository begins with documentation that renders", async () => {
  const project = await created({ name: 'A "name"', settings: { docsPath: "docs" } });
  expect(project).toMatchObject({
    id: expect.stringMatching(/^prj_/),
    name: 'A "name"',
    repository: `http://docent.test/git/${project.id}.git`,
    ref: "main",
    state: "ready",
    importError: null,
    settings: { docsPath: "docs" },
  });
  const clone = join(testing.directory, "empty");
  await git(testing.directory, "clone", "--quiet", testing.host.repositories?.path(project.id) ?? "", clone);
  expect(JSON.parse(await git(clone, "show", "HEAD:docs.json"))).toMatchObject({
    name: 'A "name"',
    navigation: { groups: [{ pages: ["index"] }] },
  });
  expect(await git(clone, "show", "HEAD:index.mdx")).toMatch(/^---\ntitle: /);
});

test("a local repository is imported with its branches and tags, and never written", async () => {
  await writeFile(join(source, "uncommitted.mdx"), "not yet\n");
  await git(source, "checkout", "--quiet", "-b", "trunk");
  const before = await git(source, "for-each-ref");
  const project = await imported(source);
  expect(project).toMatchObject({ state: "ready", ref: "trunk", importError: null });
  expect(await tip(project, "HEAD")).toBe(await head(source));
  expect(await tip(project, "v1")).toBe(await head(source));
  expect(await git(source, "for-each-ref")).toBe(before);
  expect((await imported(source, "main")).ref).toBe("main");
  expect(await imported(source, "nope")).toMatchObject({
    state: "failed",
    importError: expect.stringMatching(/no branch nope.*main, trunk/),
  });
});

test("a private URL is imported with the credential in it, which then is nowhere", async () => {
  const project = await imported(remoteUrl());
  expect(project).toMatchObject({ state: "ready", ref: "main" });
  expect(await tip(project, "next")).toBe(await head(source));
  const row = await testing.database.database
    .selectFrom("builtin_repositories")
    .selectAll()
    .where("name", "=", project.id)
    .executeTakeFirstOrThrow();
  expect(row.import_credential).toBeNull();
  expect(JSON.stringify([project, row, logged])).not.toContain("s3cret");
});

test("each failure says what is wrong and what to do", async () => {
  const plain = join(testing.directory, "plain");
  const bare = join(testing.directory, "bare.git");
  await mkdir(plain);
  await git(testing.directory, "init", "--quiet", "--bare", bare);
  const incomplete = join(testing.directory, "incomplete");
  await git(testing.directory, "init", "--quiet", incomplete);
  await commitFiles(incomplete, { "large.bin": "left out\n" }, "Start");
  const blob = await git(incomplete, "rev-parse", "HEAD:large.bin");
  await rm(join(incomplete, ".git", "objects", blob.slice(0, 2), blob.slice(2)));
  const web = await serve((_request, response) => response.end("<html>"));
  const missing = await serve((_request, response) => response.writeHead(404).end());
  const broken = await serve((_request, response) => response.writeHead(502).end());
  const loop = await serve((request, response) => response.writeHead(302, { location: request.url ?? "" }).end());
  const metadata = await serve((request, response) => {
    response.writeHead(302, { location: `http://169.254.169.254${request.url}` }).end();
  });
  for (const [repository, reason] of [
    [plain, /is not a Git repository/],
    [bare, /no commits/],
    [incomplete, /lacks some of its own objects/],
    [remoteUrl(""), /asks for authentication/],
    [remoteUrl("any:wrong@"), /does not accept the credentials/],
    ["http://127.0.0.1:1/x", /connection was refused/],
    ["http://does-not-exist.invalid/x", /does not resolve|cannot be reached/],
    ["http://169.254.169.254/latest", /metadata/],
    [web, /not a Git repository/],
    [missing, /no Git repository at this URL/],
    [broken, /status 502/],
    [loop, /redirects more than/],
    [metadata, /metadata/],
  ] as const) {
    const project = await imported(repository);
    expect([repository, project.state, project.importError]).toEqual([
      repository,
      "failed",
      expect.stringMatching(reason),
    ]);
    expect(project.importError).not.toMatch(/s3cret|wrong/);
  }
});

test("a redirect is followed, but the credential stays with the host it was given for", async () => {
  const seen: (string | undefined)[] = [];
  const other = await serve((request, response) => {
    seen.push(request.headers.authorization);
    response.writeHead(401).end();
  });
  const away = await serve((request, response) => {
    seen.push(request.headers.authorization);
    response.writeHead(302, { location: other + (request.url ?? "") }).end();
  });
  expect(await imported(away.replace("//", "//any:s3cret@"))).toMatchObject({ state: "failed" });
  expect(seen).toEqual([expect.stringMatching(/^Basic /), undefined]);
});

test("an import that a process left unfinished is taken up at the next start", async () => {
  const silent = await serve(() => {});
  const first = makeProjects();
  const made = await first.create({ name: "Slow", repository: silent });
  const id = "project" in made ? made.project.id : "";
  await first.close();
  expect((await projects.get(id))?.state).toBe("importing");
  // What did not answer is now a place that does.
  await testing.database.database
    .updateTable("builtin_repositories")
    .set({ import_url: source })
    .where("name", "=", id)
    .execute();
  const second = makeProjects();
  await second.resumeImports();
  expect(await ended(id)).toMatchObject({ state: "ready", ref: "trunk" });
  await second.close();
});

test("what cannot be a project is refused, naming the field", async () => {
  for (const [creation, reason] of [
    [{ repository: "ssh://git@host/x" }, /^repository: SSH/],
    [{ repository: source, ref: "a..b" }, /^ref: /],
    [{ ref: "trunk" }, /^ref: .* main only/],
    [{ settings: { docsPath: "../up" } }, /^settings.docsPath: /],
    [{ settings: { docsPath: "/abs" } }, /^settings.docsPath: /],
    [{ settings: { webhookUrl: "http://hooks.example.com/" } }, /^settings.webhookUrl: .*https/],
    [{ settings: { webhookUrl: "https://user:pass@hooks.example.com/" } }, /^settings.webhookUrl: .*signature/],
  ] as const) {
    expect(await projects.create({ name: "Refused", ...creation })).toEqual({ refused: expect.stringMatching(reason) });
  }
});

test("a project is changed, listed and deleted; its keys end with it, its repository stays on the disk", async () => {
  const { id } = await imported(source);
  expect(await projects.update(id, { name: "New", ref: "main", settings: { allow: ["*.txt"] } })).toMatchObject({
    project: { name: "New", ref: "main", settings: { allow: ["*.txt"] } },
  });
  expect(await projects.update(id, { ref: "nope" })).toEqual({ refused: expect.stringContaining("no branch nope") });
  expect(await projects.update(id, {})).toMatchObject({ project: { name: "New" } });
  expect(await projects.update("prj_none", {})).toBeUndefined();
  expect((await projects.list())[0]).toMatchObject({ id });
  await testing.database.database
    .insertInto("api_keys")
    .values({
      id: "key_1",
      project_id: id,
      name: "k",
      scope: "admin",
      hash: Buffer.from("x"),
      start: "docent_",
      cidrs: [],
      expires_at: null,
      revoked_at: null,
    })
    .execute();
  expect(await projects.delete(id)).toBe(true);
  expect(await projects.delete(id)).toBe(false);
  expect(await projects.get(id)).toBeUndefined();
  expect((await projects.list()).map((project) => project.id)).not.toContain(id);
  const key = await testing.database.database.selectFrom("api_keys").selectAll().executeTakeFirstOrThrow();
  expect(key.revoked_at).not.toBeNull();
  expect(await testing.host.hasBranch(id, "main")).toBe(true);
});
