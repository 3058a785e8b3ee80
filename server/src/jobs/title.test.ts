import { afterAll, beforeAll, expect, test } from "vitest";
import { finish, page, read, edit, scriptByPrompt } from "./testing/script.ts";
import { startScriptedService, type ScriptedService } from "./testing/scripted-service.ts";
import { jobTitle } from "./title.ts";

let scripted: ScriptedService;
beforeAll(async () => {
  scripted = await startScriptedService({
    script: scriptByPrompt({
      "say relay": [[read("index.mdx")], [edit("index.mdx", "the Hub", "Relay"), finish("Rename Hub to Relay")]],
      "say hello": [[read("index.mdx")], [edit("index.mdx", "Welcome to", "Hello,"), finish("Say hello")]],
    }),
  });
});
afterAll(() => scripted.close());

test.each([
  ["fix broken links", "fix broken links"],
  ["\n \r\n  Fix links \r\nin the guide", "Fix links"],
  ["x".repeat(120), "x".repeat(120)],
  ["😀".repeat(121), `${"😀".repeat(119)}…`],
])("the first line that says something, cut: %j", (prompt, title) => {
  expect(jobTitle(prompt)).toBe(title);
});

test("a job is called by its prompt, then by its pull request, and says who asked for what", async () => {
  const project = await scripted.addProject({ "index.mdx": page("Start", "Welcome to the Hub.") });
  const job = await project.createJob("say relay\n\nEverywhere.");
  const author = { type: "key", name: expect.any(String) };
  expect(await job.get()).toMatchObject({ title: expect.stringMatching(/^(say relay|Rename Hub to Relay)$/), author });
  expect(await job.rest()).toMatchObject({ title: "Rename Hub to Relay", author });
  await job.message("say hello");
  expect(await job.rest()).toMatchObject({ title: "Rename Hub to Relay" });
  const events = await job.eventsUntil(
    ({ type, data }) => type === "message" && "prompt" in data && data.prompt === "say hello",
  );
  const messages = events.filter(({ type }) => type === "message");
  expect(messages.map(({ data }) => data)).toMatchObject([{ author }, { prompt: "say hello", author }]);
});
