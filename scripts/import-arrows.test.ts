import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const run = promisify(execFile);
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "docent-arrows-"));
  // The overrides' paths are relative to the configuration file.
  await copyFile(join(root, ".oxlintrc.json"), join(directory, ".oxlintrc.json"));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

/** Files with one import each; the ones that the linter refuses. */
async function refusedOf(imports: Readonly<Record<string, string>>): Promise<string[]> {
  for (const [path, specifier] of Object.entries(imports)) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), `import { part } from "${specifier}";\nexport const whole = part;\n`);
  }
  const lint = run(process.execPath, [join(root, "node_modules/oxlint/bin/oxlint"), "--format", "json", "."], {
    cwd: directory,
  }).catch((error: { stdout: string }) => error);
  const { diagnostics }: { diagnostics: { code: string; filename: string }[] } = JSON.parse((await lint).stdout);
  return diagnostics.filter(({ code }) => code.includes("no-restricted-imports")).map(({ filename }) => filename);
}

test("imports against the arrows are refused, and those along them are not", async () => {
  const against = {
    "server/src/git/a.ts": "../workspace/workspace.ts",
    "server/src/database/a.ts": "../jobs/jobs.ts",
    "server/src/config.ts": "./access/keys.ts",
    "server/src/access/a.ts": "../codehost/codehost.ts",
    "server/src/codehost/builtin/a.ts": "../../workspace/tree.ts",
    "server/src/workspace/docs/a.ts": "../../agent/agent.ts",
    "server/src/agent/tools/a.ts": "../../jobs/job.ts",
    "server/src/agent/b.ts": "../database/database.ts",
    "server/src/jobs/a.ts": "../http/http.ts",
    "server/src/webhooks/out/a.ts": "../../jobs/jobs.ts",
    "server/src/webhooks/in/a.ts": "../../http/http.ts",
    "server/src/network/a.ts": "../codehost/codehost.ts",
    "server/src/analytics/report/a.ts": "../../http/http.ts",
    "server/src/analytics/b.ts": "../projects/projects.ts",
    "sdk/src/a.ts": "node:fs",
    "cli/src/a.ts": "../../server/src/config.ts",
    "dashboard/src/jobs/a.ts": "../../../server/src/jobs/job.ts",
    "dashboard/src/jobs/b.ts": "node:fs",
    "dashboard/src/components/a.ts": "../jobs/queries.ts",
  };
  const along = {
    "server/src/http/a.ts": "../jobs/jobs.ts",
    "dashboard/src/jobs/c.ts": "@docent/sdk",
    "dashboard/src/jobs/d.ts": "../components/age.tsx",
    "dashboard/src/components/b.ts": "./age.tsx",
    "server/src/jobs/b.ts": "../agent/agent.ts",
    "server/src/jobs/c.ts": "../codehost/codehost.ts",
    "server/src/jobs/d.ts": "../webhooks/out/outbox.ts",
    "server/src/webhooks/in/b.ts": "../../jobs/jobs.ts",
    "server/src/webhooks/in/c.ts": "../out/outbox.ts",
    "server/src/codehost/builtin/c.ts": "../../network/network.ts",
    "server/src/agent/c.ts": "../workspace/workspace.ts",
    "server/src/workspace/b.ts": "./docs/docs.ts",
    "server/src/workspace/c.ts": "../git/git.ts",
    "server/src/codehost/builtin/b.ts": "../../access/secret.ts",
    "server/src/http/git.ts": "../git/git.ts",
    "server/src/http/b.ts": "../analytics/analytics.ts",
    "server/src/analytics/c.ts": "../database/schema.ts",
    "sdk/src/b.ts": "./error.ts",
    "cli/src/b.ts": "@docent/sdk",
  };
  const refused = await refusedOf({ ...against, ...along });
  expect(refused.toSorted()).toEqual(Object.keys(against).toSorted());
});
