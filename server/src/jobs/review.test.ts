import { afterAll, beforeAll, expect, test } from "vitest";
import { finish, page, read, scriptByPrompt, write, edit } from "./testing/script.ts";
import { startScriptedService, type ScriptedService } from "./testing/scripted-service.ts";

const FILES = {
  "docs.json": JSON.stringify({ navigation: { pages: ["index"] } }),
  "index.mdx": page("Start", "Welcome. An [old link](/gone) stays broken."),
};
const KEY = ["AKIA", "Q3EGRT7VXNWPLM2C"].join("");

let scripted: ScriptedService;
beforeAll(async () => {
  scripted = await startScriptedService({
    script: scriptByPrompt({
      "link to nothing": [
        [write("new.mdx", page("New", "See [it](/nowhere).")), finish("Write a page")],
        [finish("Leave it")],
      ],
      "mend it when told": [
        [write("new.mdx", page("New", "See [it](/nowhere).")), finish("Write a page")],
        [read("new.mdx"), edit("new.mdx", "/nowhere", "/index"), finish("Write a page that links")],
      ],
      "write a key": [
        [write("new.mdx", page("New", `Use ${KEY} to sign in.`)), finish("Write a page")],
        [finish("Insist")],
      ],
      "write code": [
        [write("new.mdx", page("New", "export const now = Date.now();\n\n{now}")), finish("Write a page")],
      ],
    }),
  });
});
afterAll(() => scripted.close());

const notes = (messages: { role: string; content: string | null }[] = []) =>
  messages.filter(({ role, content }) => role === "user" && content?.includes("<note-from-docent>") === true);

test("problems that the change brought go back three times and are then listed in the pull request", async () => {
  const project = await scripted.addProject(FILES);
  const job = await project.createJob("link to nothing");
  const done = await job.rest();
  expect(done).toMatchObject({ status: "completed", pullRequest: { state: "open" } });
  const last = scripted.model.requests.at(-1)?.messages;
  expect(notes(last)).toHaveLength(3);
  expect(notes(last)[0]?.content).toContain("new.mdx:5");
  expect(notes(last)[0]?.content).not.toContain("/gone");
  const { body } = await project.readPullRequest(done);
  expect(body).toContain("found 1 new problem");
  expect(body).toContain("`new.mdx:5`");
});

test("problems that the model mends are not in the pull request", async () => {
  const project = await scripted.addProject(FILES);
  const done = await (await project.createJob("mend it when told")).rest();
  expect(notes(scripted.model.requests.at(-1)?.messages)).toHaveLength(1);
  const { title, body } = await project.readPullRequest(done);
  expect(title).toBe("Write a page that links");
  expect(body).toContain("found no new problem");
});

test("a credential is never published, and the reason does not hold it", async () => {
  const project = await scripted.addProject(FILES);
  const job = await project.createJob("write a key");
  const done = await job.rest();
  expect(done).toMatchObject({ status: "failed", prLink: null, branch: null });
  expect(done.failureReason).toContain("new.mdx, line 5: this looks like");
  expect(done.failureReason).not.toContain(KEY);
  await project.fetch();
  expect(await project.clone.git("for-each-ref", "--format=%(refname)", "refs/heads")).toBe("refs/heads/main");
});

test("new code in MDX is named in the pull request, or refused where the project says so", async () => {
  const open = await scripted.addProject(FILES);
  const listed = await (await open.createJob("write code")).rest();
  expect(listed.status).toBe("completed");
  const { body } = await open.readPullRequest(listed);
  expect(body).toContain("New code in MDX, please read");
  expect(body).toContain("export const now");

  const strict = await scripted.addProject(FILES, { newMdxCode: "refuse" });
  const refused = await (await strict.createJob("write code")).rest();
  expect(refused).toMatchObject({ status: "failed", prLink: null });
  expect(refused.failureReason).toContain("new code in MDX is not allowed here");
});
