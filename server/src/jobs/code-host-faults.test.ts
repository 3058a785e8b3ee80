import { afterAll, beforeAll, expect, test } from "vitest";
import { createGitHubHarness, type GitHubHarness } from "../codehost/github/testing/harness.ts";
import { addMessage } from "./add-message.ts";
import { edit, finish, page, read, scriptByPrompt } from "./testing/script.ts";
import { startScriptedService, type ScriptedService } from "./testing/scripted-service.ts";

const EVERYTHING = { contents: "write", pull_requests: "write" };

let github: GitHubHarness;
let scripted: ScriptedService;
let tokens = 0;
/** What happens while the model is at work on the page. */
let meanwhile = async (): Promise<unknown> => undefined;

beforeAll(async () => {
  github = await createGitHubHarness();
  scripted = await startScriptedService({
    script: scriptByPrompt({
      "say relay": [
        [read("index.mdx")],
        async () => {
          await meanwhile();
          return [edit("index.mdx", "the Hub", "Relay"), finish("Say Relay")];
        },
      ],
    }),
  });
});
afterAll(async () => {
  await scripted.close();
  await github.close();
});

async function connect() {
  const token = `github_pat_faults_${(tokens += 1)}`;
  const allow = (permissions: Record<string, string>) =>
    github.server.identities.set(token, { login: "docent", permissions });
  allow(EVERYTHING);
  const repository = await github.addRepository();
  await repository.git.commit("main", {
    "docs.json": JSON.stringify({ navigation: { pages: ["index"] } }),
    "index.mdx": page("Start", "Welcome to the Hub."),
  });
  const { name } = repository;
  const creation = {
    codeHost: "github",
    codeHostUrl: github.server.url,
    repository: name,
    credential: { token },
  } as const;
  return {
    repository,
    allow,
    revoke: () => github.server.identities.delete(token),
    project: await scripted.connectProject(creation),
  };
}

type Connected = Awaited<ReturnType<typeof connect>> & { jobId: () => string };

test.each<[string, (connected: Connected) => unknown, RegExp]>([
  ["an expired token", ({ revoke }) => revoke(), /expired|revoked/],
  [
    "a missing permission to push",
    ({ allow }) => allow({ contents: "read", pull_requests: "write" }),
    /push|Contents/i,
  ],
  [
    "a missing permission to open pull requests",
    ({ allow }) => allow({ contents: "write", pull_requests: "read" }),
    /Pull requests/i,
  ],
  ["an archived repository", ({ repository }) => repository.archive(), /archived/],
  [
    "a base branch that was renamed",
    ({ repository }) => repository.git.git("branch", "--move", "main", "trunk"),
    /main/,
  ],
  [
    "a base branch that was rewritten",
    ({ repository }) => repository.git.git("update-ref", "-d", "refs/heads/main"),
    /rewritten or deleted/,
  ],
  [
    "a branch of that name that is somebody else's",
    ({ repository, jobId }) => repository.git.commit(`docent/${jobId()}`, { "theirs.md": "# Theirs\n" }),
    /branch docent\/job_\w+ of the repository exists already/,
  ],
])("%s fails the job with what to do", async (_name, happen, reason) => {
  const connected = await connect();
  let id = "";
  const known = Promise.withResolvers<void>();
  meanwhile = async () => {
    await known.promise;
    await happen({ ...connected, jobId: () => id });
  };
  const job = await connected.project.createJob("say relay");
  ({ id } = job);
  known.resolve();
  const done = await job.rest();
  expect(done).toMatchObject({ status: "failed", prLink: null, failureReason: expect.stringMatching(reason) });
  expect(await connected.repository.countPullRequests()).toBe(0);
});

test("what fails before the work begins fails the job as well, and a message after the repair goes on", async () => {
  meanwhile = async () => undefined;
  const { revoke, allow, project } = await connect();
  revoke();
  const job = await project.createJob("say relay");
  expect(await job.rest()).toMatchObject({ status: "failed", failureReason: expect.stringMatching(/expired|revoked/) });
  allow(EVERYTHING);
  await job.message("say relay, again");
  expect(await job.rest()).toMatchObject({ status: "completed", pullRequest: { number: 1 } });
});

test("a code host that is away for longer than five tries costs no work, and is not asked every second", async () => {
  const { repository, project } = await connect();
  const lookUp = `GET /repos/${repository.name}/pulls`;
  const waits = Array.from({ length: 7 }, () => github.server.disturb(lookUp, "bad-gateway"));
  const asked = scripted.model.requests.length;
  const job = await project.createJob("say relay");
  const parked = scripted.database.database.selectFrom("jobs").select(["waits", "pickups"]).where("id", "=", job.id);
  for (const [index, disturbed] of waits.entries()) {
    await disturbed;
    await expect.poll(() => parked.executeTakeFirst()).toEqual({ waits: index + 1, pickups: 0 });
    const early = { run_at: new Date(0) };
    await scripted.database.database.updateTable("jobs").set(early).where("id", "=", job.id).execute();
  }
  expect(await job.rest()).toMatchObject({ status: "completed", pullRequest: { number: 1 } });
  expect(await repository.countPullRequests()).toBe(1);
  expect(scripted.model.requests.length - asked).toBe(2);
});

test("what was pushed without a pull request is made again, with one, once the code host lets it", async () => {
  const { repository, allow, project } = await connect();
  meanwhile = async () => allow({ contents: "write", pull_requests: "read" });
  const job = await project.createJob("say relay");
  expect(await job.rest()).toMatchObject({ status: "failed", branch: `docent/${job.id}`, prLink: null });
  meanwhile = async () => undefined;
  allow(EVERYTHING);
  await job.message("say relay, now that you may");
  const done = await job.rest();
  expect(done).toMatchObject({ status: "completed", pullRequest: { number: 1 } });
  expect(await repository.git.git("diff", "--name-only", `main...${done.branch}`)).toBe("index.mdx");
});

test("who asked for it in a comment hears why it could not be pushed", async () => {
  meanwhile = async () => undefined;
  const { repository, allow, project } = await connect();
  const job = await project.createJob("say relay");
  const { pullRequest } = await job.rest();
  const origin = { type: "comment", url: "https://github.example/1", author: "person-1" } as const;
  meanwhile = async () => allow({ contents: "read", pull_requests: "write" });
  await scripted.database.database.transaction().execute(async (transaction) => {
    await repository.git.commit(`docent/${job.id}`, { "index.mdx": page("Start", "Welcome to the Hub.") });
    const row = await transaction.selectFrom("jobs").selectAll().where("id", "=", job.id).executeTakeFirstOrThrow();
    await addMessage(transaction, row, { prompt: "say relay, once more", origin }, { now: new Date() });
  });
  expect(await job.rest()).toMatchObject({ status: "failed", pullRequest });
  const path = `/repos/${repository.name}/issues/${pullRequest?.number}/comments`;
  const comments = await github.server.as<{ body: string }[]>("docent", "GET", path);
  expect(comments.map(({ body }) => body)).toEqual([
    expect.stringMatching(/@person-1 I could not do this: .* denied to docent/),
  ]);
});

test("a credential that is replaced while the job works costs nothing", async () => {
  meanwhile = async () => undefined;
  const { repository, revoke, project } = await connect();
  const job = await project.createJob("say relay");
  const { pullRequest } = await job.rest();
  await repository.git.commit(`docent/${job.id}`, { "index.mdx": page("Start", "Welcome to the Hub.") });
  meanwhile = async () => {
    const token = "github_pat_replaced";
    github.server.identities.set(token, { login: "docent", permissions: EVERYTHING });
    const changed = await scripted.administer("PATCH", `/v1/projects/${project.id}`, { credential: { token } });
    expect(changed).toMatchObject({ id: project.id });
    revoke();
  };
  await job.message("say relay, once more");
  expect(await job.rest()).toMatchObject({ status: "completed", failureReason: null, pullRequest });
});
