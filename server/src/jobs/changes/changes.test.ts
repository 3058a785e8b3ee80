import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { ProjectJob } from "../testing/jobs-client.ts";
import { edit, finish, page, read, scriptByPrompt, write } from "../testing/script.ts";
import { startScriptedService, type ScriptedProject, type ScriptedService } from "../testing/scripted-service.ts";

const lines = Array.from(
  { length: 40 },
  (_, index) => `Line ${index} of a page that is long enough to be known again.`,
);
const FILES = {
  "docs.json": JSON.stringify({ navigation: { pages: ["index", "install", "guide/long", "old"] } }),
  "index.mdx": page("Start", "Welcome to the Hub.\n\nRead [the guide](/guide/long)."),
  "install.mdx": page("Install", "One.\n\nTwo.\n\nThree."),
  "guide/long.mdx": page("Long", lines.join("\n")),
  "old.mdx": page("Old", "Nobody reads this."),
  "zwölf Köpfe.mdx": page("No line break at its end", "Text.").trimEnd(),
};
const move = (from: string, to: string) => ({ name: "move_file", arguments: { from, to } });
const remove = (path: string) => ({ name: "delete_file", arguments: { path } });

let scripted: ScriptedService;
let project: ScriptedProject;
/** Happens once, just before the model goes on. */
let meanwhile = async (): Promise<unknown> => undefined;

beforeAll(async () => {
  scripted = await startScriptedService({
    script: scriptByPrompt({
      "change much": [
        [read("index.mdx"), read("guide/long.mdx"), read("old.mdx"), read("zwölf Köpfe.mdx")],
        [
          edit("index.mdx", "the Hub", "Relay"),
          write("faq.mdx", page("FAQ", "Why?\n\nשלום.")),
          move("guide/long.mdx", "manual/long.mdx"),
          edit("zwölf Köpfe.mdx", "Text.", "Words."),
        ],
        async () => {
          await meanwhile();
          return [edit("index.mdx", "Welcome to", "Meet"), remove("old.mdx"), finish("Change much")];
        },
      ],
      "there and back": [
        [read("index.mdx")],
        [edit("index.mdx", "the Hub", "Relay"), edit("index.mdx", "Relay", "the Hub"), finish("Nothing")],
      ],
      "say relay": [[read("index.mdx")], [edit("index.mdx", "the Hub", "Relay"), finish("Say Relay")]],
      "number the steps": [
        [read("install.mdx")],
        async () => {
          await meanwhile();
          return [edit("install.mdx", "Two.", "2."), finish("Number the steps")];
        },
        [read("install.mdx")],
        [edit("install.mdx", "Three.", "3."), finish("Number the steps")],
      ],
      "edit and give up": [
        [read("index.mdx")],
        [edit("index.mdx", "Welcome", "Hello"), { name: "give_up", arguments: { reason: "A fact is missing." } }],
      ],
    }),
  });
});
afterAll(() => scripted.close());
beforeEach(async () => {
  meanwhile = async () => undefined;
  project = await scripted.addProject(FILES);
});

async function rested(prompt: string): Promise<ProjectJob> {
  const job = await project.createJob(prompt);
  await job.rest();
  return job;
}

/** What git says that the branch changes, in the words of the API. */
async function expectAsGit(job: ProjectJob): Promise<void> {
  await project.fetch();
  const { branch } = await job.get();
  const base = await project.clone.git("merge-base", "main", branch ?? "");
  expect(await job.diff()).toBe(`${await project.clone.git("diff", "-M", "--full-index", base, branch ?? "")}\n`);
}

test("a job's changes are those of its branch: renames and what it deleted", async () => {
  const job = await rested("change much");
  expect(await job.get()).toMatchObject({ status: "completed" });
  await expectAsGit(job);
  const { files, complete, discarded } = await job.changes();
  expect([complete, discarded]).toEqual([true, false]);
  expect(files).toEqual([
    { path: "docs.json", oldPath: null, status: "modified", additions: 6, deletions: 1 },
    { path: "faq.mdx", oldPath: null, status: "added", additions: 7, deletions: 0 },
    { path: "index.mdx", oldPath: null, status: "modified", additions: 2, deletions: 2 },
    { path: "manual/long.mdx", oldPath: "guide/long.mdx", status: "renamed", additions: 0, deletions: 0 },
    { path: "old.mdx", oldPath: null, status: "deleted", additions: 0, deletions: 5 },
    { path: "zwölf Köpfe.mdx", oldPath: null, status: "modified", additions: 1, deletions: 1 },
  ]);
  const old = FILES["guide/long.mdx"];
  const contents = await job.file("manual/long.mdx");
  expect(contents).toEqual({ path: "manual/long.mdx", oldContent: old, newContent: old });
  expect(await job.file("old.mdx")).toMatchObject({ oldContent: FILES["old.mdx"], newContent: null });
  expect(await job.file("faq.mdx")).toMatchObject({ oldContent: null, newContent: page("FAQ", "Why?\n\nשלום.") });
  await expect(job.file("install.mdx")).rejects.toThrow("404");
});

test("they are told while it works, and a file that is back where it was is none of them", async () => {
  const seen = Promise.withResolvers<unknown>();
  const job = await project.createJob("change much");
  meanwhile = async () => seen.resolve(await Promise.all([job.changes(), job.diff()]));
  await job.rest();
  expect(await seen.promise).toMatchObject([
    { discarded: false, files: [{}, { path: "faq.mdx" }, { path: "index.mdx" }, { status: "renamed" }, {}] },
    expect.stringContaining("+Welcome to Relay."),
  ]);
  const back = await rested("there and back");
  expect([await back.changes(), await back.diff()]).toEqual([{ files: [], complete: true, discarded: false }, ""]);
});

test("a follow-up adds to them; after a merge they begin anew", async () => {
  const job = await rested("say relay");
  const first = await job.get();
  await job.message("number the steps");
  await job.rest();
  await expectAsGit(job);
  expect((await job.changes()).files.map(({ path }) => path)).toEqual(["index.mdx", "install.mdx"]);
  await project.endPullRequest(first, "merge");
  await job.message("edit and give up");
  expect(await job.rest()).toMatchObject({ status: "failed" });
  expect(await job.changes()).toMatchObject({ discarded: true, files: [{ path: "index.mdx" }] });
  expect(await job.diff()).toContain("-Welcome to Relay.");
});

test("what a follow-up changed in vain is not among them", async () => {
  const job = await rested("say relay");
  await job.message("edit and give up");
  expect(await job.rest()).toMatchObject({ status: "failed" });
  await expectAsGit(job);
  expect(await job.changes()).toMatchObject({ complete: true, discarded: false, files: [{ path: "index.mdx" }] });
});

test.each(["1.", "Two, says Ada."])("what people push meanwhile is not the job's: %s", async (words) => {
  const job = await rested("say relay");
  const { branch } = await job.get();
  meanwhile = async () => {
    meanwhile = async () => undefined;
    await project.fetch();
    const text = words === "1." ? "1.\n\nTwo.\n\nThree." : `One.\n\n${words}\n\nThree.`;
    await project.clone.commit(branch ?? "", { "install.mdx": page("Install", text) });
    await project.push(branch ?? "");
  };
  await job.message("number the steps");
  expect(await job.rest()).toMatchObject({ status: "completed" });
  const { oldContent, newContent } = await job.file("install.mdx");
  const theirs = words === "1." ? "1.\n\nTwo.\n\nThree." : "One.\n\nTwo, says Ada.\n\nThree.";
  expect(oldContent).toBe(page("Install", theirs));
  expect(newContent).toBe(await project.readFile(branch ?? "", "install.mdx").then((text) => `${text}\n`));
});
