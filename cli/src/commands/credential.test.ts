import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runDocent } from "../testing/run.ts";
import { startTestService, type TestService } from "../testing/service.ts";

let service: TestService;
let directory = "";
let env: Record<string, string>;

const docent = (...args: string[]) => runDocent(args, { env });

beforeAll(async () => {
  service = await startTestService();
  directory = await mkdtemp(join(tmpdir(), "docent-test-credentials-"));
  await writeFile(join(directory, "key.txt"), "sk-of-a-test\n");
  env = { DOCENT_URL: service.url, DOCENT_DATA: service.data };
  const { out } = await docent("project", "create", "--name", "Docs", "--json");
  env["DOCENT_PROJECT"] = (JSON.parse(out) as { id: string }).id;
});
afterAll(async () => {
  await service.stop();
  await rm(directory, { recursive: true, force: true });
});

test("a model's key is stored, listed by name alone, and removed", async () => {
  expect((await docent("credential", "list")).out).toBe("Nothing is stored: the server's own are used.\n");
  const stored = await docent("credential", "model", "openai", "--file", join(directory, "key.txt"));
  expect(stored).toMatchObject({ code: 0, out: "Stored model-openai.\n" });
  const { out } = await docent("credential", "list", "--json");
  expect(JSON.parse(out)).toMatchObject([{ name: "model-openai" }]);
  expect(out).not.toContain("sk-of-a-test");
  expect(await docent("credential", "remove", "model-openai")).toMatchObject({ code: 0 });
  const again = await docent("credential", "remove", "model-openai");
  expect(again).toMatchObject({ code: 1, error: "Error: No model-openai is stored for this project.\n" });
});

test("the signing key's public half is shown, and only a new one takes its place", async () => {
  const none = await docent("credential", "signing-key");
  expect(none).toMatchObject({ code: 1, error: expect.stringContaining("docent credential signing-key --new") });
  const made = (await docent("credential", "signing-key", "--new")).out;
  expect(made).toMatch(/^ssh-ed25519 \S+\n$/);
  expect((await docent("credential", "signing-key")).out).toBe(made);
  expect((await docent("credential", "signing-key", "--new")).out).not.toBe(made);
});

test("a provider that is none is refused with those that are", async () => {
  const { code, error } = await docent("credential", "model", "nobody", "--file", join(directory, "key.txt"));
  expect(code).toBe(1);
  expect(error).toContain("anthropic, openai, google, bedrock, openai-compatible");
});
