import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { edit, finish, page, read, scriptByPrompt, write } from "./testing/script.ts";
import { startScriptedService, type ScriptedProject, type ScriptedService } from "./testing/scripted-service.ts";

const FILES = {
  "docs.json": JSON.stringify({ navigation: { pages: ["index", "install"] } }),
  "index.mdx": page("Start", "Welcome to the Hub."),
  "install.mdx": page("Install", "One.\n\nTwo.\n\nThree."),
};

let scripted: ScriptedService;
let project: ScriptedProject;
/** Happens once, just before the model edits the steps. */
let pushMeanwhile = async (): Promise<unknown> => undefined;

beforeAll(async () => {
  scripted = await startScriptedService({
    script: scriptByPrompt({
      "say relay": [[read("index.mdx")], [edit("index.mdx", "the Hub", "Relay"), finish("Say Relay")]],
      "number the steps": [
        [read("install.mdx")],
        async () => {
          await pushMeanwhile();
          return [edit("install.mdx", "Two.", "2."), finish("Number the steps")];
        },
        [read("install.mdx")],
        [edit("install.mdx", "Three.", "3."), finish("Number the steps")],
      ],
      "edit and give up": [
        [read("index.mdx")],
        [edit("index.mdx", "the Hub", "Relay"), { name: "give_up", arguments: { reason: "A fact is missing." } }],
      ],
      "write a page": [[write("faq.mdx", page("FAQ", "Why?")), finish("Write an FAQ")]],
    }),
  });
});
afterAll(() => scripted.close());
beforeEach(async () => {
  pushMeanwhile = async () => undefined;
  project = await scripted.addProject(FILES);
});

/** A job with an open pull request. */
async function openJob() {
  const job = await project.createJob("say relay");
  const first = await job.rest();
  expect(first).toMatchObject({ status: "completed", pullRequest: { state: "open", number: 1 } });
  await project.fetch();
  return { job, first, branch: first.branch ?? "" };
}

test("goes on with the same branch and pull request, on top of what a person pushed to it", async () => {
  const { job, first, branch } = await openJob();
  const theirs = await project.clone.commit(branch, { "index.mdx": page("Start", "Welcome to Relay, says Ada.") });
  await project.push(branch);

  await job.message("number the steps");
  const second = await job.rest();
  expect(second).toMatchObject({ status: "completed", branch, prLink: first.prLink, failureReason: null });
  expect(await project.readFile(branch, "index.mdx")).toContain("says Ada");
  expect(await project.readFile(branch, "install.mdx")).toContain("2.");
  expect(await project.clone.git("rev-list", "--parents", "-1", branch)).toContain(` ${theirs}`);
  const { title, body } = await project.readPullRequest(second);
  expect(title).toBe("Say Relay");
  expect(body).toContain("### Follow-up: Number the steps");
});

test.each(["merge", "close"] as const)("starts afresh from the base after its pull request's %s", async (how) => {
  const { job, first, branch } = await openJob();
  await project.endPullRequest(first, how);

  await job.message("number the steps");
  const second = await job.rest();
  expect(second).toMatchObject({ status: "completed", pullRequest: { state: "open", number: 2 } });
  expect(second.branch).not.toBe(branch);
  expect(second.prLink).not.toBe(first.prLink);
  // What was closed is not carried on; what was merged is in the base.
  const kept = how === "merge" ? "Relay" : "the Hub";
  expect(await project.readFile(second.branch ?? "", "index.mdx")).toContain(kept);
  expect(await project.clone.git("merge-base", "main", second.branch ?? "")).toBe(
    await project.clone.git("rev-parse", "main"),
  );
});

test("starts afresh when somebody deleted its branch", async () => {
  const { job, branch } = await openJob();
  await project.push(`:${branch}`);
  await job.message("number the steps");
  const second = await job.rest();
  expect(second).toMatchObject({ status: "completed", pullRequest: { state: "open", number: 2 } });
  expect(second.branch).not.toBe(branch);
  expect(await project.readFile(second.branch ?? "", "index.mdx")).toContain("the Hub");
});

test("carries its changes over to what a person pushed while it worked", async () => {
  const { job, branch } = await openJob();
  pushMeanwhile = async () => {
    await project.clone.commit(branch, { "install.mdx": page("Install", "One, says Ada.\n\nTwo.\n\nThree.") });
    await project.push(branch);
  };
  await job.message("number the steps");
  const second = await job.rest();
  expect(second).toMatchObject({ status: "completed", branch, pullRequest: { number: 1 } });
  expect(await project.readFile(branch, "install.mdx")).toBe(page("Install", "One, says Ada.\n\n2.\n\nThree.").trim());
});

test("tells the model when a person changed the same lines, and keeps theirs", async () => {
  const { job, branch } = await openJob();
  pushMeanwhile = async () => {
    await project.clone.commit(branch, { "install.mdx": page("Install", "One.\n\nTwo, says Ada.\n\nThree.") });
    await project.push(branch);
  };
  await job.message("number the steps");
  const second = await job.rest();
  expect(second).toMatchObject({ status: "completed", branch, pullRequest: { number: 1 } });
  expect(await project.readFile(branch, "install.mdx")).toBe(page("Install", "One.\n\nTwo, says Ada.\n\n3.").trim());
  const said = scripted.model.requests.at(-1)?.messages.findLast(({ role }) => role === "user")?.content;
  expect(said).toContain("Somebody pushed to this branch meanwhile and changed the same lines of: install.mdx");
});

test("has no link while it is at work, and still tells of its pull request", async () => {
  const { job, first } = await openJob();
  let atWork: unknown;
  pushMeanwhile = async () => (atWork = await job.get());
  await job.message("number the steps");
  expect((await job.rest()).prLink).toBe(first.prLink);
  expect(atWork).toEqual({ ...first, status: "active", prLink: null, usage: expect.anything() });
});

test("after a turn that failed, the model hears that its changes are gone, and they are", async () => {
  const job = await project.createJob("edit and give up");
  expect(await job.rest()).toMatchObject({ status: "failed", failureReason: "A fact is missing.", prLink: null });
  await job.message("say relay");
  const done = await job.rest();
  expect(done).toMatchObject({ status: "completed", failureReason: null, pullRequest: { state: "open" } });
  const said = scripted.model.requests.at(-1)?.messages.map(({ content }) => content);
  expect(said).toContainEqual(expect.stringContaining("its changes were discarded"));
  expect(await project.readFile(done.branch ?? "", "index.mdx")).toContain("Relay");
});

test("a message during the work is part of the same pull request", async () => {
  const job = await project.createJob("number the steps");
  pushMeanwhile = () => job.message("write a page");
  const done = await job.rest();
  expect(done).toMatchObject({ status: "completed", pullRequest: { number: 1 } });
  const branch = done.branch ?? "";
  expect(await project.readFile(branch, "install.mdx")).toContain("2.");
  expect(await project.readFile(branch, "faq.mdx")).toContain("Why?");
  expect(await project.clone.git("rev-list", "--count", `main..${branch}`)).toBe("1");
});
