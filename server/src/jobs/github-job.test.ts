import { generateKeyPairSync } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import {
  createGitHubHarness,
  type GitHubHarness,
  type GitHubTestRepository,
} from "../codehost/github/testing/harness.ts";
import { APP, type Disturbance } from "../codehost/github/testing/server.ts";
import { holdTimeouts } from "../codehost/testing/timeouts.ts";
import type { ProjectSettings } from "../database/schema.ts";
import type { Job } from "./job.ts";
import { edit, finish, page, read, scriptByPrompt, write } from "./testing/script.ts";
import { startScriptedService, type ScriptedService } from "./testing/scripted-service.ts";

const FILES = {
  "docs.json": JSON.stringify({ navigation: { pages: ["index", "install"] } }),
  "index.mdx": page("Start", "Welcome to the Hub."),
  "install.mdx": page("Install", "One.\n\nTwo.\n\nThree."),
};

const { privateKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  privateKeyEncoding: { type: "pkcs1", format: "pem" },
  publicKeyEncoding: { type: "pkcs1", format: "pem" },
});

let github: GitHubHarness;
let scripted: ScriptedService;

beforeAll(async () => {
  github = await createGitHubHarness({ appKey: privateKey });
  scripted = await startScriptedService({
    script: scriptByPrompt({
      "say relay": [[read("index.mdx")], [edit("index.mdx", "the Hub", "Relay"), finish("Say Relay")]],
      "number the steps": [[read("install.mdx")], [edit("install.mdx", "Two.", "2."), finish("Number the steps")]],
      "write a page": [[write("faq.mdx", page("FAQ", "Why?")), finish("Write an FAQ")]],
    }),
  });
});
afterEach(() => github.verify());
afterAll(async () => {
  await scripted.close();
  await github.close();
});

/** A project on a GitHub repository that holds the documentation, and what of it can be seen there. */
async function connect(settings: ProjectSettings = {}, credential: object = { token: github.token }) {
  const repository = await github.addRepository();
  await repository.git.commit("main", FILES);
  const project = await scripted.connectProject({
    repository: repository.name,
    codeHost: "github",
    codeHostUrl: github.server.url,
    credential,
    settings,
  });
  return { repository, project };
}

/** The files that a pull request shows, as GitHub does: since the branch left the base. */
async function changedFiles({ git }: GitHubTestRepository, branch: string | null): Promise<string[]> {
  return (await git.git("diff", "--name-only", `main...${branch ?? ""}`)).split("\n");
}

const numberOf = (job: Job): number => job.pullRequest?.number ?? 0;

test("an instruction becomes a pushed branch and a pull request", async () => {
  const reviewer = "person-7";
  const { repository, project } = await connect({
    pullRequests: { labels: ["docs", "docent"], reviewers: [reviewer] },
  });
  const job = await project.createJob("say relay", { draft: true });
  const done = await job.rest();
  expect(done).toMatchObject({
    status: "completed",
    failureReason: null,
    prLink: `${github.server.url}/${repository.name}/pull/1`,
    pullRequest: { number: 1, state: "open" },
    source: { repository: `${github.server.url}/${repository.name}`, ref: "main" },
  });
  const branch = done.branch ?? "";
  expect(await repository.git.git("show", `${branch}:index.mdx`)).toContain("Welcome to Relay.");
  expect(await changedFiles(repository, branch)).toEqual(["index.mdx"]);
  expect(await repository.git.git("rev-list", "--count", `main..${branch}`)).toBe("1");

  const opened = await github.host.getPullRequest(repository.name, 1);
  expect(opened).toMatchObject({ title: "Say Relay", headBranch: branch, baseBranch: "main", state: "open" });
  expect(opened?.body).toContain("say relay");
  expect(await repository.look(1)).toMatchObject({
    isDraft: true,
    labels: ["docs", "docent"],
    reviewers: [reviewer],
  });

  const events = await job.eventsUntil(({ type }) => type === "status");
  const seen = JSON.stringify([events, scripted.model.requests, await project.createJob("write a page")]);
  expect(seen + scripted.log()).not.toContain(github.token);
});

test("a follow-up goes on with the branch, on top of what a person pushed to it, while the base moves on", async () => {
  const { repository, project } = await connect();
  const job = await project.createJob("say relay");
  const first = await job.rest();
  const branch = first.branch ?? "";
  const theirs = await repository.git.commit(branch, { "index.mdx": page("Start", "Welcome to Relay, says Ada.") });
  await repository.git.commit("main", { "other.mdx": page("Other", "Meanwhile.") });

  await job.message("number the steps");
  const second = await job.rest();
  expect(second).toMatchObject({ status: "completed", branch, prLink: first.prLink });
  expect(await repository.git.git("show", `${branch}:index.mdx`)).toContain("says Ada");
  expect(await repository.git.git("rev-list", "--parents", "-1", branch)).toContain(` ${theirs}`);
  expect(await changedFiles(repository, branch)).toEqual(["index.mdx", "install.mdx"]);
  expect(await repository.countPullRequests()).toBe(1);
  const { title, body } = (await github.host.getPullRequest(repository.name, numberOf(first))) ?? {};
  expect(title).toBe("Say Relay");
  expect(body).toContain("Number the steps");
});

test.each(["merge", "close"] as const)("after its pull request's %s, a follow-up starts afresh", async (how) => {
  const { repository, project } = await connect();
  const job = await project.createJob("say relay");
  const first = await job.rest();
  await repository[how](numberOf(first));

  await job.message("number the steps");
  const second = await job.rest();
  expect(second).toMatchObject({ status: "completed", pullRequest: { state: "open", number: 2 } });
  expect(second.branch).not.toBe(first.branch);
  expect(await changedFiles(repository, second.branch)).toEqual(["install.mdx"]);
  const index = await repository.git.git("show", `${second.branch ?? ""}:index.mdx`);
  expect(index).toContain(how === "merge" ? "Relay" : "the Hub");
});

test.each<Disturbance>(["reset", "bad-gateway", "no-answer"])(
  "a pull request that was opened with its answer lost (%s) stays the only one",
  async (how) => {
    const timeouts = holdTimeouts();
    const { repository, project } = await connect({ pullRequests: { labels: ["docs"] } });
    const creation = `POST /repos/${repository.name}/pulls`;
    const disturbed = github.server.disturb(creation, how);
    const job = await project.createJob("say relay");
    await disturbed;
    expect(await repository.countPullRequests()).toBe(1);
    if (how === "no-answer") timeouts.pass();
    timeouts.release();
    const done = await job.rest();
    expect(done).toMatchObject({ status: "completed", pullRequest: { number: 1, state: "open" } });
    expect(await repository.countPullRequests()).toBe(1);
    expect(github.server.requests.filter((each) => each === creation)).toHaveLength(1);
  },
);

test("a GitHub App's job pushes and opens with tokens for this repository alone", async () => {
  const { repository, project } = await connect({}, { githubApp: { appId: APP.id, privateKey } });
  const job = await project.createJob("write a page");
  const done = await job.rest();
  expect(done).toMatchObject({ status: "completed", pullRequest: { number: 1 } });
  expect(await changedFiles(repository, done.branch)).toEqual(["faq.mdx"]);
  const minted = [...github.server.identities].filter(([, { app }]) => app?.repositories.includes(repository.name));
  expect(minted.length).toBeGreaterThanOrEqual(4);
  for (const [token, { app, permissions }] of minted) {
    expect(app?.repositories).toEqual([repository.name]);
    expect(Object.values(permissions).filter((access) => access === "write").length).toBeLessThan(2);
    expect(JSON.stringify(scripted.model.requests) + scripted.log()).not.toContain(token);
  }
});

test("a repository that was archived meanwhile fails the job with a reason to act on", async () => {
  const { repository, project } = await connect();
  const job = await project.createJob("say relay");
  const first = await job.rest();
  await repository.archive();
  await job.message("number the steps");
  const second = await job.rest();
  expect(second).toMatchObject({ status: "failed", pullRequest: { number: numberOf(first) } });
  expect(second.failureReason).toContain("archived");
});

test("a token that was revoked or lost a permission meanwhile fails the job with a reason to act on", async () => {
  const token = "github_pat_of_this_test_alone_0123456789";
  const identities = github.server.identities;
  const identity = identities.get(github.token);
  if (identity === undefined) throw new Error("The harness has no token.");
  identities.set(token, identity);
  const { project } = await connect({}, { token });
  const job = await project.createJob("say relay");
  await job.rest();

  identities.set(token, { ...identity, permissions: { contents: "read", pull_requests: "write" } });
  await job.message("number the steps");
  const limited = await job.rest();
  expect(limited).toMatchObject({ status: "failed", pullRequest: { state: "open" } });
  expect(limited.failureReason).toContain("Contents: write");

  identities.delete(token);
  await job.message("number the steps");
  const revoked = await job.rest();
  expect(revoked).toMatchObject({ status: "failed", pullRequest: { state: "open" } });
  expect(revoked.failureReason).toMatch(/expired|revoked/);
  expect(`${limited.failureReason ?? ""}${revoked.failureReason ?? ""}${scripted.log()}`).not.toContain(token);
});
