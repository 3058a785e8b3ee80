import { afterAll, beforeAll, expect, test } from "vitest";
import { createCodeHosts } from "../codehost/codehosts.ts";
import { createGitHubHarness, type GitHubHarness } from "../codehost/github/testing/harness.ts";
import { createTestDatabase, type TestDatabase } from "../database/testing/postgres.ts";
import { createId } from "../ids.ts";
import { pollPullRequests } from "./poll-pull-requests.ts";
import { insertProject } from "./testing/records.ts";

let db: TestDatabase;
let github: GitHubHarness;
let now = new Date();
beforeAll(async () => {
  [db, github] = await Promise.all([createTestDatabase(), createGitHubHarness()]);
});
afterAll(async () => {
  github.verify();
  await Promise.all([db.close(), github.close()]);
});

/** A project on GitHub with a job that rests and has an open pull request. */
async function addJob() {
  const repository = await github.addRepository();
  await repository.git.git("branch", "work", "main");
  await repository.git.commit("work", { "hello.md": "# Hello\n" });
  const content = { title: "Say hello", body: "", headBranch: "work", baseBranch: "main" };
  const { number, url } = await github.host.createPullRequest(repository.name, content);
  const { database } = db;
  const projectId = await insertProject(database);
  const place = { code_host: "github", code_host_url: github.server.url, repository: repository.name } as const;
  await database.updateTable("projects").set(place).where("id", "=", projectId).execute();
  const id = createId("job", now);
  const pullRequest = { pull_request_number: number, pull_request_url: url, pull_request_state: "open" } as const;
  await database
    .insertInto("jobs")
    .values({
      id,
      project_id: projectId,
      status: "completed",
      model: "m",
      repository_url: "u",
      ref: "main",
      ...pullRequest,
    })
    .execute();
  const state = async () =>
    (await database.selectFrom("jobs").select("pull_request_state").where("id", "=", id).executeTakeFirst())
      ?.pull_request_state;
  return { repository, projectId, number, state };
}

test("merges are seen without a webhook, whatever is wrong with another project, and not asked for all the time", async () => {
  const jobs = await Promise.all([addJob(), addJob(), addJob()]);
  const [merged, broken, open] = jobs;
  await Promise.all(jobs.slice(0, 2).map(({ repository, number }) => repository.merge(number)));
  const warnings: object[] = [];
  const codeHosts = createCodeHosts({
    builtinHost: github.host,
    readCredential: async (id) => {
      if (id === broken?.projectId) throw new Error("It was sealed with another secret.");
      return JSON.stringify({ type: "token", token: github.token });
    },
    serverCredentials: [],
    fetch,
    clock: () => now,
  });
  const poll = async () => {
    const before = github.server.requests.length;
    const log = { warn: (context: object) => void warnings.push(context) };
    await pollPullRequests({ database: db.database, codeHosts, clock: () => now, log });
    return github.server.requests.length - before;
  };

  expect(await poll()).toBe(2);
  expect(await Promise.all(jobs.map(({ state }) => state()))).toEqual(["merged", "open", "open"]);
  expect(warnings).toEqual([{ projectId: broken?.projectId, err: expect.any(Error) }]);
  expect(await poll()).toBe(0);
  now = new Date(now.getTime() + 10 * 60_000);
  await open?.repository.close(open.number);
  expect(await poll()).toBe(1);
  expect([await merged?.state(), await open?.state()]).toEqual(["merged", "closed"]);
});
