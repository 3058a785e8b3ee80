import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fastify, { type FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { commitFiles, createTestHost, git, type TestHost } from "../codehost/builtin/testing/host.ts";
import { createBuiltinHost } from "../codehost/builtin/builtin.ts";
import { runGit } from "../git/git.ts";
import type { KeyScope } from "../database/schema.ts";
import { createGitRoutes } from "./git.ts";

let testing: TestHost;
let app: FastifyInstance;
let port = 0;
let clone = "";
let gitDir = "";
const logged: object[] = [];

const KEYS: Record<string, { projectId: string; scope: KeyScope }> = {
  docent_admin: { projectId: "prj_A", scope: "admin" },
  docent_write: { projectId: "prj_A", scope: "write" },
  docent_read: { projectId: "prj_A", scope: "read" },
  docent_collect: { projectId: "prj_A", scope: "collect" },
  docent_other: { projectId: "prj_B", scope: "admin" },
};

beforeAll(async () => {
  testing = await createTestHost();
  ({ clone, gitDir } = await testing.addRepository("prj_A"));
  app = fastify({ bodyLimit: 1024 });
  await app.register(
    createGitRoutes(
      {
        builtinHost: testing.host,
        authenticateKey: async (key) => KEYS[key],
        log: { error: (fields) => logged.push(fields) },
      },
      { processesMax: 4 },
    ),
  );
  await app.listen({ port: 0, host: "127.0.0.1" });
  port = Number(new URL(app.listeningOrigin).port);
});
afterAll(async () => {
  await app.close();
  await testing.close();
});

const url = (key: string, name = "prj_A") => `http://any:${key}@127.0.0.1:${port}/git/${name}.git`;
const plain = (path: string, headers: Record<string, string> = {}) =>
  fetch(`http://127.0.0.1:${port}/git/${path}`, { headers });
const basic = (key: string) => ({ authorization: `Basic ${Buffer.from(`any:${key}`).toString("base64")}` });

test("clone, push and fetch with an API key as the password", async () => {
  const target = join(testing.directory, "over-http");
  await git(testing.directory, "clone", "--quiet", url("docent_write"), target);
  await git(target, "checkout", "--quiet", "-b", "topic");
  // More than any body limit, and incompressible.
  const big = randomBytes(8 * 1024 * 1024);
  const head = await commitFiles(target, { "big.bin": big, "page.mdx": "# Page\n" }, "Push something big");
  await git(target, "push", "--quiet", "origin", "topic");
  await git(clone, "fetch", "--quiet", url("docent_read"), "topic");
  expect(await git(clone, "rev-parse", "FETCH_HEAD")).toBe(head);
  expect((await readFile(join(target, "big.bin"))).equals(big)).toBe(true);
  const partial = join(testing.directory, "partial");
  await git(
    testing.directory,
    "clone",
    "--quiet",
    "--bare",
    "--filter=blob:none",
    "--depth=1",
    "--branch=topic",
    url("docent_read"),
    partial,
  );
  expect(await git(partial, "rev-parse", "topic")).toBe(head);
  await git(target, "push", "--quiet", "--force", "origin", "HEAD~1:topic");
  await git(target, "push", "--quiet", "origin", ":topic");
});

test("the refusals, as git shows them", async () => {
  const push = (key: string, ref: string) => git(clone, "push", url(key), `HEAD:${ref}`);
  await expect(push("docent_read", "refs/heads/x")).rejects.toThrow(/remote: This API key has the scope read/);
  await expect(push("docent_collect", "refs/heads/x")).rejects.toThrow(/403/);
  await expect(git(clone, "ls-remote", url("docent_collect"))).rejects.toThrow(/a clone needs read/);
  await expect(push("docent_other", "refs/heads/x")).rejects.toThrow(/belongs to another project/);
  await expect(push("docent_unknown", "refs/heads/x")).rejects.toThrow(/Authentication failed|unknown/);
  await expect(push("docent_write", "refs/docent/x")).rejects.toThrow(/deny updating a hidden ref/);
  await expect(push("docent_write", "refs/pull/1/head")).rejects.toThrow(/deny updating a hidden ref/);
  await expect(git(clone, "ls-remote", url("docent_admin", "prj_B"))).rejects.toThrow(/another project/);
});

test("Docent's own refs are not shown", async () => {
  await runGit(["update-ref", "refs/docent/pin", "main"], { gitDir });
  expect(await git(clone, "ls-remote", url("docent_read"))).not.toContain("refs/docent");
});

test("who does not sign in is asked to, and everything but the smart protocol is not there", async () => {
  const asked = await plain("prj_A.git/info/refs?service=git-upload-pack");
  expect(asked.status).toBe(401);
  expect(asked.headers.get("www-authenticate")).toMatch(/^Basic realm="Docent"/);
  const bearer = { authorization: "Bearer docent_read" };
  expect((await plain("prj_A.git/info/refs?service=git-upload-pack", bearer)).status).toBe(200);
  for (const path of [
    "prj_A.git/info/refs",
    "prj_A.git/info/refs?service=git-upload-archive",
    "prj_A.git/HEAD",
    "prj_A.git/objects/info/packs",
    "prj_A.git/config",
    "prj_A/info/refs?service=git-upload-pack",
    "..%2fprj_A.git/info/refs?service=git-upload-pack",
    "prj_A.git/../prj_A.git/config",
  ]) {
    expect([path, (await plain(path, basic("docent_admin"))).status]).toEqual([path, 404]);
  }
  expect((await plain("prj_Z.git/info/refs?service=git-upload-pack", basic("docent_read"))).status).toBe(403);
});

test("version 2 of the protocol and gzip bodies pass through", async () => {
  const refs = await plain("prj_A.git/info/refs?service=git-upload-pack", {
    ...basic("docent_read"),
    "git-protocol": "version=2",
  });
  expect(await refs.text()).toContain("version 2");
  const listing = await fetch(`http://127.0.0.1:${port}/git/prj_A.git/git-upload-pack`, {
    method: "POST",
    headers: {
      ...basic("docent_read"),
      "content-type": "application/x-git-upload-pack-request",
      "content-encoding": "gzip",
      "git-protocol": "version=2",
    },
    body: gzipSync("0014command=ls-refs\n0000"),
  });
  expect(listing.status).toBe(200);
  expect(await listing.text()).toContain("refs/heads/main");
});

test("a worker's minted token opens its repository", async () => {
  const worker = createBuiltinHost({
    database: testing.database.database,
    repositoriesDirectory: null,
    publicUrl: `http://127.0.0.1:${port}`,
    secret: testing.secret,
    clock: testing.clock,
  });
  const push = async (access: "read" | "write") => {
    const { url: remote, authorization = "" } = await worker.remote("prj_A", access);
    const header = `http.extraHeader=Authorization: ${authorization}`;
    await git(clone, "-c", header, "push", "--quiet", remote, `HEAD:refs/heads/minted-${access}`);
  };
  await push("write");
  await expect(push("read")).rejects.toThrow(/may only read/);
  // The push made the pull request's state known to machines without the repositories.
  await commitFiles(clone, { "minted.mdx": "# Minted\n" }, "Minted");
  await git(clone, "push", "--quiet", url("docent_write"), "HEAD:refs/heads/minted");
  const content = { title: "Minted", body: "", headBranch: "minted", baseBranch: "main" };
  const { number } = await worker.createPullRequest("prj_A", content);
  await git(clone, "push", "--quiet", url("docent_write"), "HEAD:refs/heads/main", ":minted");
  await expect.poll(async () => (await worker.getPullRequest("prj_A", number))?.state).toBe("merged");
});

test("an importing repository says so; a failed one is not there", async () => {
  const set = (state: "importing" | "failed" | "ready") =>
    testing.database.database.updateTable("builtin_repositories").set({ state }).where("name", "=", "prj_A").execute();
  await set("importing");
  const importing = await plain("prj_A.git/info/refs?service=git-upload-pack", basic("docent_read"));
  expect([importing.status, importing.headers.get("retry-after")]).toEqual([503, "10"]);
  await set("failed");
  expect((await plain("prj_A.git/info/refs?service=git-upload-pack", basic("docent_read"))).status).toBe(404);
  await set("ready");
});

test("many clones at once all get their turn", async () => {
  const clones = Array.from({ length: 12 }, (_, index) =>
    git(testing.directory, "clone", "--quiet", "--bare", url("docent_read"), join(testing.directory, `many-${index}`)),
  );
  await Promise.all(clones);
});

test("clients that go away in the middle leave their place to others", async () => {
  for (let index = 0; index < 8; index++) {
    const socket = connect(port, "127.0.0.1");
    await once(socket, "connect");
    socket.write(
      [
        "POST /git/prj_A.git/git-receive-pack HTTP/1.1",
        "Host: 127.0.0.1",
        `Authorization: ${basic("docent_write").authorization}`,
        "Content-Type: application/x-git-receive-pack-request",
        "Content-Length: 1000000",
        "",
        "0",
      ].join("\r\n"),
    );
    await expect
      .poll(() => new Promise((resolve) => app.server.getConnections((_error, count) => resolve(count))))
      .toBeGreaterThan(0);
    socket.destroy();
  }
  await git(clone, "ls-remote", url("docent_read"));
});
