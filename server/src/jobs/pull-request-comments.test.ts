import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { ProjectJob } from "./testing/jobs-client.ts";
import { edit, finish, page, read, scriptByPrompt } from "./testing/script.ts";
import { startScriptedService, type ScriptedProject, type ScriptedService } from "./testing/scripted-service.ts";

const FILES = {
  "docs.json": JSON.stringify({ navigation: { pages: ["index"] } }),
  "index.mdx": page("Start", "Welcome to the Hub.\n\nRead on."),
};

let scripted: ScriptedService;
let project: ScriptedProject;
let job: ProjectJob;

beforeAll(async () => {
  scripted = await startScriptedService({
    script: scriptByPrompt({
      "say relay": [[read("index.mdx")], [edit("index.mdx", "the Hub", "Relay"), finish("Say Relay")]],
      "link badly": [
        [read("index.mdx")],
        [edit("index.mdx", "Read on.", "Read [on](/nowhere).")],
        [finish("Link")],
        [finish("Link")],
      ],
    }),
  });
});
afterAll(() => scripted.close());
beforeEach(async () => {
  project = await scripted.addProject(FILES);
  job = await project.createJob("say relay");
  await job.rest();
});

const path = (rest = "") => `/v1/projects/${project.id}/pulls/1${rest}`;
const comment = (body: string) => scripted.administer("POST", path("/comments"), { body });
const messages = async () => {
  const rows = await scripted.database.database
    .selectFrom("job_messages")
    .select(["prompt", "author", "origin"])
    .where("job_id", "=", job.id)
    .orderBy("sequence")
    .execute();
  return rows.slice(1);
};

test("a comment becomes a message to the job, which answers below it", async () => {
  const answer = await comment("link badly");
  expect(answer).toMatchObject({
    comment: { author: "Administrator", body: "link badly" },
    jobId: job.id,
    reason: null,
  });
  expect(await job.rest()).toMatchObject({ status: "completed", pullRequest: { number: 1 } });
  const { id } = answer["comment"] as { id: string };
  const author = { type: "administrator", name: "Administrator" };
  const origin = { type: "comment", author: "Administrator", url: expect.stringMatching(new RegExp(`/pull/1#${id}$`)) };
  expect(await messages()).toEqual([{ prompt: "link badly", author, origin }]);
  expect(await scripted.administer("GET", path())).toMatchObject({
    job: { id: job.id, status: "completed" },
    draft: false,
    labels: [],
    comments: [
      { id, author: "Administrator" },
      { author: "Docent", body: expect.stringContaining("@Administrator Done") },
    ],
    checks: [
      { name: "Merge", state: "passed", problems: [] },
      {
        name: "Documentation",
        state: "failed",
        summary: "The checks found 1 new problem.",
        problems: [expect.stringMatching(/^index\.mdx:\d+: .*nowhere/)],
      },
    ],
  });
});

test("the same comment under the same key is said and sent once", async () => {
  const send = () => project.post(path("/comments"), { body: "say relay" }, { "idempotency-key": "once" });
  const answers = await Promise.all(Array.from({ length: 8 }, send));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 201));
  expect(await messages()).toHaveLength(1);
  const other = await project.post(path("/comments"), { body: "else" }, { "idempotency-key": "once" });
  expect(other.status).toBe(409);
});

test("it says why a comment is no message", async () => {
  await scripted.administer("PATCH", `/v1/projects/${project.id}`, { settings: { comments: "ignore" } });
  const reasonOf = async () => (await comment("say relay"))["reason"];
  expect(await reasonOf()).toBe("The project's settings say that comments are ignored.");
  await scripted.administer("PATCH", `/v1/projects/${project.id}`, { settings: { comments: "follow" } });
  await job.archive();
  expect(await reasonOf()).toBe("Its job is archived and takes no messages.");
  await scripted.administer("POST", path("/close"));
  expect(await reasonOf()).toBe("The pull request is closed.");
  expect(await messages()).toEqual([]);
  expect(((await scripted.administer("GET", path()))["comments"] as unknown[]).length).toBe(3);
});

test("pull requests are listed, newest first, each with its job", async () => {
  await project.endPullRequest(await job.get(), "merge");
  await job.message("link badly");
  await job.rest();
  const list = (query = "") => scripted.administer("GET", `/v1/projects/${project.id}/pulls${query}`);
  const own = { id: job.id, status: "completed" };
  expect(await list()).toMatchObject({
    pulls: [
      { number: 2, state: "open", title: "Link", job: own, endedAt: null },
      { number: 1, state: "merged", title: "Say Relay", job: own },
    ],
    nextCursor: null,
  });
  expect(await list("?limit=1")).toMatchObject({ pulls: [{ number: 2 }], nextCursor: "2" });
  expect(await list("?limit=1&cursor=2")).toMatchObject({ pulls: [{ number: 1 }], nextCursor: null });
  expect(await list("?state=merged")).toMatchObject({ pulls: [{ number: 1 }] });
  expect(await list("?cursor=x")).toMatchObject({ code: "invalid_request" });
  expect(await scripted.administer("GET", path("/file?path=index.mdx"))).toEqual({
    path: "index.mdx",
    oldContent: FILES["index.mdx"],
    newContent: FILES["index.mdx"].replace("the Hub", "Relay"),
  });
  expect(await scripted.administer("GET", path("/file?path=docs.json"))).toMatchObject({ code: "not_found" });
  const branch = (await job.get()).branch ?? "";
  await project.fetch();
  await project.clone.commit(branch, { "index.mdx": page("Start", "Ada was here.") });
  await project.push(branch);
  expect(await scripted.administer("GET", `/v1/projects/${project.id}/pulls/2`)).toMatchObject({
    checks: [
      { name: "Merge" },
      { name: "Documentation", state: "unknown", summary: expect.stringContaining("changed since") },
    ],
  });
});
