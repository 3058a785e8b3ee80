import { generateKeyPairSync } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { CodeHostCredential } from "../connection.ts";
import { cloneOf } from "../testing/clone.ts";
import { createGitHubHost } from "./github.ts";
import { createGitHubHarness, type GitHubHarness, type GitHubTestRepository } from "./testing/harness.ts";
import { APP, OWNER } from "./testing/server.ts";

const HOUR_MS = 3_600_000;

const newKey = () =>
  generateKeyPairSync("rsa", {
    modulusLength: 2048,
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
    publicKeyEncoding: { type: "pkcs1", format: "pem" },
  }).privateKey;

const privateKey = newKey();
const app: CodeHostCredential = { type: "github-app", appId: APP.id, installationId: null, privateKey };

let harness: GitHubHarness;
let now = new Date();

beforeAll(async () => {
  harness = await createGitHubHarness({ appKey: privateKey });
});
afterEach(() => {
  now = new Date();
  harness.verify();
});
afterAll(() => harness.close());

const connect = (credential: CodeHostCredential) =>
  createGitHubHost({ url: harness.server.url, credential, fetch, clock: () => now });

async function withBranch(): Promise<GitHubTestRepository> {
  const repository = await harness.addRepository();
  await repository.git.git("branch", "work", "main");
  await repository.git.commit("work", { "work.md": "# Work\n" });
  return repository;
}

const creation = { title: "Say hello", body: "A summary.", headBranch: "work", baseBranch: "main" };

/** What was asked for since the last time. */
const asked = () => harness.server.requests.splice(0).map((request) => request.replaceAll(/docs-\d+/g, "docs"));

test("opens an ordinary pull request where drafts are not to be had", async () => {
  const repository = await withBranch();
  const hosted = harness.server.repositories.get(repository.name);
  if (hosted !== undefined) hosted.refusesDrafts = true;
  const { number } = await harness.host.createPullRequest(repository.name, { ...creation, draft: true });
  expect(await repository.look(number)).toMatchObject({ isDraft: false });
});

test("sets the labels that exist where it may not make others", async () => {
  const repository = await withBranch();
  const hosted = harness.server.repositories.get(repository.name);
  if (hosted !== undefined) hosted.refusesNewLabels = true;
  await harness.server.as("docent", "POST", `/repos/${repository.name}/labels`, { name: "docs", color: "00ff00" });
  const { number } = await harness.host.createPullRequest(repository.name, { ...creation, labels: ["new", "docs"] });
  expect((await repository.look(number)).labels).toEqual(["docs"]);
});

test("cuts what is longer than GitHub takes, and says so", async () => {
  const repository = await withBranch();
  const long = { title: "x".repeat(300), body: "é".repeat(70_000) };
  const opened = await harness.host.createPullRequest(repository.name, { ...creation, ...long });
  expect(opened.title).toHaveLength(256);
  expect(opened.body.length).toBeLessThanOrEqual(65_536);
  expect(opened.body).toMatch(/longer than/);
  const updated = await harness.host.updatePullRequest(repository.name, opened.number, long);
  expect(updated).toEqual(opened);
  await harness.host.comment(repository.name, opened.number, { body: long.body, marker: "long" });
  await harness.host.comment(repository.name, opened.number, { body: long.body, marker: "long" });
  expect((await repository.look(opened.number)).comments).toHaveLength(1);
});

test("asks teams for a review, too", async () => {
  const repository = await withBranch();
  const ada = await repository.addPerson("write");
  const reviewers = ["team:members", "team:none", ada];
  const { number } = await harness.host.createPullRequest(repository.name, { ...creation, reviewers });
  expect((await repository.look(number)).reviewers.toSorted()).toEqual([ada, "team:members"]);
});

test("a branch that has nothing to merge is refused with the reason", async () => {
  const repository = await harness.addRepository();
  await repository.git.git("branch", "work", "main");
  await expect(harness.host.createPullRequest(repository.name, creation)).rejects.toMatchObject({
    code: "invalid",
    message: expect.stringContaining("nothing that main does not have"),
  });
});

test("an App's tokens are kept for their hour, for one repository and purpose", async () => {
  const repository = await withBranch();
  const host = connect(app);
  asked();
  await host.findPullRequest(repository.name, "work");
  await host.getPullRequest(repository.name, 1);
  const mint = [`GET /repos/${OWNER}/docs/installation`, `POST /app/installations/${APP.installation}/access_tokens`];
  const find = `GET /repos/${OWNER}/docs/pulls`;
  expect(asked()).toEqual([...mint, find, `${find}/1`, `GET /repos/${OWNER}/docs`]);
  await host.createPullRequest(repository.name, creation);
  expect(asked()).toEqual([...mint, `POST /repos/${OWNER}/docs/pulls`]);
  now = new Date(now.getTime() + HOUR_MS - 60_000);
  await host.findPullRequest(repository.name, "work");
  expect(asked()).toEqual([...mint, find]);

  const other = await withBranch();
  await host.findPullRequest(other.name, "work");
  expect(asked()).toEqual([...mint, find]);
  const tokens = [...harness.server.identities.values()].flatMap(({ app: own, permissions }) =>
    own?.repositories.includes(repository.name) === true ? [permissions] : [],
  );
  expect(tokens).toEqual([
    { metadata: "read", pull_requests: "read" },
    { metadata: "read", pull_requests: "write" },
    { metadata: "read", pull_requests: "read" },
  ]);
});

test("an App's token that was revoked is replaced", async () => {
  const repository = await withBranch();
  const host = connect(app);
  await host.findPullRequest(repository.name, "work");
  for (const [token, identity] of harness.server.identities) {
    if (identity.app?.repositories.includes(repository.name) === true) harness.server.identities.delete(token);
  }
  expect(await host.findPullRequest(repository.name, "work")).toBeUndefined();
});

test("an App's token that GitHub does not know yet is tried again later", async () => {
  const repository = await withBranch();
  const { identities } = harness.server;
  const remember = identities.set.bind(identities);
  identities.set = () => identities;
  const attempt = connect(app).findPullRequest(repository.name, "work");
  await expect(attempt).rejects.toMatchObject({ code: "unavailable" });
  identities.set = remember;
});

test("an App's token for git opens its repository alone, for reading or for writing", async () => {
  const repository = await withBranch();
  const other = await withBranch();
  const clone = await cloneOf(repository.gitDir);
  const host = connect(app);
  const reading = await host.remote(repository.name, "read");
  expect(await clone.at(reading, "ls-remote", "origin", "refs/heads/work")).not.toBe("");
  await clone.commit("work", { "more.md": "# More\n" });
  await expect(clone.at(reading, "push", "--quiet", "origin", "work")).rejects.toThrow("denied");
  const writing = await host.remote(repository.name, "write");
  await clone.at(writing, "push", "--quiet", "origin", "work");
  const elsewhere = { ...writing, url: writing.url.replace(repository.name, other.name) };
  await expect(clone.at(elsewhere, "ls-remote", "origin")).rejects.toThrow("not found");
  await clone.remove();
});

test("knows the installation by its number as well", async () => {
  const repository = await withBranch();
  const host = connect({ ...app, installationId: APP.installation });
  expect(await host.getRepository(repository.name)).toMatchObject({ defaultBranch: "main", mayPush: true });
});

const refused: Record<string, [CodeHostCredential, string, string]> = {
  "a key that is none": [{ ...app, privateKey: "-----BEGIN nothing" }, "credential_refused", "whole PEM file"],
  "another App's key": [{ ...app, privateKey: newKey() }, "credential_refused", "private key"],
  "an installation that is not there": [{ ...app, installationId: 99 }, "not_found", "installation 99"],
};
test.each(Object.entries(refused))("%s is refused, with what to do", async (_name, [credential, code, says]) => {
  const repository = await withBranch();
  const host = connect(credential);
  const attempts = [() => host.getRepository(repository.name), () => host.remote(repository.name, "write")];
  for (const attempt of attempts) {
    await expect(attempt()).rejects.toMatchObject({ code, message: expect.stringContaining(says) });
  }
});

test("an App that may not open pull requests names the permission", async () => {
  const limited = await createGitHubHarness({ appKey: privateKey, appPermissions: { contents: "write" } });
  const repository = await limited.addRepository();
  const host = createGitHubHost({ url: limited.server.url, credential: app, fetch, clock: () => now });
  await host.remote(repository.name, "write");
  await expect(host.createPullRequest(repository.name, creation)).rejects.toMatchObject({
    code: "permission_missing",
    message: expect.stringContaining("Pull requests: write"),
  });
  limited.verify();
  await limited.close();
});
