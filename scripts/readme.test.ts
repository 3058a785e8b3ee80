import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runDocent } from "../cli/src/testing/run.ts";
import { startTestService, type TestService } from "../cli/src/testing/service.ts";

const root = join(import.meta.dirname, "..");
let service: TestService;
let env: Record<string, string>;
let readme: string;

const docent = (...args: string[]) => runDocent(args, { env });

beforeAll(async () => {
  readme = await readFile(join(root, "README.md"), "utf8");
  service = await startTestService();
  env = { DOCENT_URL: service.url, DOCENT_DATA: service.data };
  const project = await docent("project", "create", "--name", "Docs", "--json");
  env["DOCENT_PROJECT"] = (JSON.parse(project.out) as { id: string }).id;
  env["DOCENT_API_KEY"] = (await docent("key", "create", "--name", "me", "--quiet")).out.trim();
  expect((await docent("import", join(root, "examples/access.log.gz"))).code).toBe(0);
});
afterAll(() => service.stop());

test("the README's table of visitors is what the sample log gives", async () => {
  const [, args = "", table = ""] = /\$ \.\/docent (visitors .*)\n([^]*?)```/.exec(readme) ?? [];
  const { out } = await docent(...args.split(" "));
  expect(out).toContain(table);
});

test("the README's answer of the API is what the sample log gives", async () => {
  const [, target = ""] = /curl "http:\/\/127\.0\.0\.1:4000(\/v1\/analytics\/[^"]+)"/.exec(readme) ?? [];
  const [, answer = ""] = /```json\n(\{\n {2}"totals"[^]*?)```/.exec(readme) ?? [];
  const response = await fetch(service.url + target.replace("$DOCENT_PROJECT", env["DOCENT_PROJECT"] ?? ""), {
    headers: { authorization: `Bearer ${env["DOCENT_API_KEY"]}` },
  });
  expect(await response.json()).toEqual(JSON.parse(answer));
});
