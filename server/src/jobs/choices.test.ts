import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { finish, page, scriptByPrompt, write } from "./testing/script.ts";
import { startScriptedService, type ScriptedProject, type ScriptedService } from "./testing/scripted-service.ts";

let scripted: ScriptedService;
let project: ScriptedProject;

beforeAll(async () => {
  scripted = await startScriptedService({
    script: scriptByPrompt({ "write a page": [[write("faq.mdx", page("FAQ", "Why?")), finish("Write an FAQ")]] }),
  });
  project = await scripted.addProject(
    { "docs.json": JSON.stringify({ navigation: { pages: ["index"] } }), "index.mdx": page("Start", "Hello.") },
    {
      allowedRefs: ["release/*"],
      models: ["openai-compatible:another"],
      pullRequests: { labels: ["docs"] },
      commits: {
        name: "Docs bot",
        email: "bot@example.com",
        coAuthors: ["Ada Lovelace <ada@example.com>"],
        signOff: true,
      },
    },
  );
  const state = async () => (await scripted.administer("GET", `/v1/projects/${project.id}`))["state"];
  await vi.waitUntil(async () => (await state()) === "ready");
});
afterAll(() => scripted.close());

test("a job starts from the branch that it names, and its pull request goes there", async () => {
  const theirs = await project.clone.commit("release/2", { "two.mdx": page("Two", "Only here.") });
  await project.push("release/2");
  const job = await project.createJob("write a page", {
    ref: "release/2",
    draft: true,
    model: "openai-compatible:another",
  });
  const done = await job.rest();
  expect(done).toMatchObject({ status: "completed", model: "openai-compatible:another", source: { ref: "release/2" } });
  await project.fetch();
  expect(await project.clone.git("rev-parse", `${done.branch}^`)).toBe(theirs);
  expect(scripted.model.requests.at(-1)?.model).toBe("another");
});

test.each([
  [{ ref: "main2" }, /ref: .*main, release\/\*/],
  [{ ref: "release/a/b" }, /ref: /],
  [{ model: "openai-compatible:dear" }, /model: .*openai-compatible:scripted, openai-compatible:another/],
])("%j is refused with what is allowed", async (choices, message) => {
  await expect(project.createJob("write a page", choices)).rejects.toThrow(message);
});

test("a branch that is allowed and does not exist fails the job with its name", async () => {
  const job = await project.createJob("write a page", { ref: "release/9" });
  expect((await job.rest()).failureReason).toContain('no branch "release/9"');
});

test("commits bear the name, the trailers and the signature that the project asks for", async () => {
  const { id } = project;
  const { settings } = (await scripted.administer("GET", `/v1/projects/${id}`)) as { settings: { commits: object } };
  const signed = { settings: { ...settings, commits: { ...settings.commits, sign: true } } };
  expect((await scripted.administer("PATCH", `/v1/projects/${id}`, signed))["error"]).toContain("signing key");
  const { publicKey } = await scripted.administer("POST", `/v1/projects/${id}/signing-key`);
  expect(await scripted.administer("GET", `/v1/projects/${id}/signing-key`)).toEqual({ publicKey });
  await scripted.administer("PATCH", `/v1/projects/${id}`, signed);

  const done = await (await project.createJob("write a page")).rest();
  await project.fetch();
  const commit = await project.clone.git("cat-file", "commit", done.branch ?? "");
  expect(commit).toContain("author Docs bot <bot@example.com>");
  expect(commit).toContain("gpgsig -----BEGIN SSH SIGNATURE-----\n ");
  expect(commit).toMatch(
    /\nDocent-Job: job_\w+\nCo-authored-by: Ada Lovelace <ada@example\.com>\nSigned-off-by: Docs bot <bot@example\.com>$/,
  );
  expect(await project.clone.git("log", "-1", "--format=%(trailers:only,keyonly)", done.branch ?? "")).toMatch(
    /Docent-Job\nCo-authored-by\nSigned-off-by/,
  );
});
