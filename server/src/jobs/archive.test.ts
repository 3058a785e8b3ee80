import { afterAll, beforeAll, expect, test } from "vitest";
import { finish, page, scriptByPrompt, write } from "./testing/script.ts";
import { startScriptedService, type ScriptedService } from "./testing/scripted-service.ts";

const FILES = { "index.md": "# Start\n" };

let scripted: ScriptedService;
let beforeAnswer: () => Promise<unknown> = async () => {};
beforeAll(async () => {
  const steps = [write("new.md", "# New\n"), finish("Write a page")];
  scripted = await startScriptedService({
    script: scriptByPrompt({
      "write a page": [
        async () => {
          await beforeAnswer();
          return steps;
        },
      ],
      "write another": [[write("other.mdx", page("Other", "More.")), finish("Write another")]],
    }),
  });
});
afterAll(() => scripted.close());

test("archiving stops the work: nothing of it is published, and the job stays as it is", async () => {
  const project = await scripted.addProject(FILES);
  let archived: unknown;
  const job = await project.createJob("write a page");
  beforeAnswer = async () => (archived = await job.archive());
  const ended = await job.rest();
  beforeAnswer = async () => {};
  expect(ended).toMatchObject({ status: "archived", prLink: null, branch: null });
  expect(archived).toEqual(ended);
  // A job after it shows that the worker has moved on.
  const next = await (await project.createJob("write another")).rest();
  expect(next).toMatchObject({ status: "completed", pullRequest: { number: 1 } });
  expect(await job.get()).toEqual(ended);
  await project.fetch();
  expect(await project.clone.git("for-each-ref", "--format=%(refname:short)", "refs/heads")).toBe(
    `${next.branch}\nmain`,
  );
});

test("merging archives the job where the project says so, and only there", async () => {
  for (const archiveOnMerge of [true, false]) {
    const project = await scripted.addProject(FILES, { archiveOnMerge });
    const job = await project.createJob("write another");
    const done = await job.rest();
    await project.endPullRequest(done, "merge");
    await job.eventsUntil(({ type, data }) => type === "publish" && "state" in data && data.state === "merged");
    if (archiveOnMerge) await job.rest();
    const { status, archivedAt, pullRequest, prLink } = await job.get();
    expect({ status, pullRequest, prLink }).toEqual({
      status: archiveOnMerge ? "archived" : "completed",
      pullRequest: { ...done.pullRequest, state: "merged" },
      prLink: done.prLink,
    });
    expect(archivedAt === null).toBe(!archiveOnMerge);
  }
});

test("closing a pull request archives nothing", async () => {
  const project = await scripted.addProject(FILES, { archiveOnMerge: true });
  const job = await project.createJob("write another");
  await project.endPullRequest(await job.rest(), "close");
  await job.eventsUntil(({ type, data }) => type === "publish" && "state" in data && data.state === "closed");
  expect(await job.get()).toMatchObject({ status: "completed", pullRequest: { state: "closed" } });
});
