import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runDocent } from "../testing/run.ts";
import { startTestService, type TestService } from "../testing/service.ts";

let service: TestService;
let folder: string;
let commit: string;

beforeAll(async () => {
  service = await startTestService();
  folder = await mkdtemp(join(tmpdir(), "docent-eval-test-"));
  commit = execFileSync("git", ["-C", service.repository, "rev-parse", "HEAD"], { encoding: "utf8" }).trim();
  await mkdir(join(folder, "copies"));
  await symlink(service.repository, join(folder, "copies/acme+docs"));
  await symlink(service.repository, join(folder, "docs"));
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

async function evaluate(suite: object, ...args: string[]) {
  const file = join(folder, "suite.json");
  await writeFile(file, JSON.stringify({ repository: { path: "docs" }, ...suite }));
  const env = { DOCENT_URL: service.url, DOCENT_ADMIN_TOKEN: service.adminToken };
  return runDocent(["eval", file, "--url", service.url, ...args], { env });
}

const RENAME = {
  name: "rename",
  instruction: 'replace "Hub" with "Relay"',
  checks: [
    { lacks: { path: "**/*.mdx", text: "Hub" } },
    { contains: { path: ["index.mdx", "guides/*"], text: "Relay", count: 2 } },
    { changedOnly: "**/*.mdx", changed: ["index.mdx", "guides/*"], unchanged: "docs.json" },
    { introduced: 0, problems: 1 },
  ],
};

describe("docent eval", () => {
  it("passes tasks whose checks hold, and says what they took", async () => {
    const suite = {
      tasks: [
        RENAME,
        {
          name: "fix",
          instruction: "fix broken links",
          checks: [
            { problems: 0, link: { path: "index.mdx", target: "/guides/install" } },
            { inNavigation: "guides/install.mdx", notInNavigation: "other.mdx" },
          ],
        },
        {
          name: "field",
          instruction: 'set title to "Set up" in guides/install',
          checks: [
            { frontMatter: { path: "guides/install.mdx", field: "title", value: "Set up" } },
            { frontMatter: { path: "guides/install.mdx", field: "title", matches: "^Set" } },
            { frontMatter: { path: "guides/install.mdx", field: "icon", absent: true } },
          ],
        },
        {
          name: "follow-up",
          instruction: 'replace "Hub" with "Relay"',
          followUps: ["move guides/install to setup"],
          checks: [
            { exists: "setup.mdx", absent: "guides/install.mdx", contains: { path: "setup.mdx", text: "Relay" } },
          ],
        },
        { name: "same", instruction: 'replace "zzz" with "Relay"', outcome: "unchanged" },
        { name: "poem", instruction: "write a poem", outcome: "refused" },
      ],
    };
    const { code, out, error } = await evaluate(suite);
    expect(error).toBe("");
    expect(out).toMatch(/^TASK +RESULT +ENDED +FILES +STEPS +TOKENS +COST +SECONDS\n/);
    expect(out).toMatch(/^rename +pass +changed +2 +2 /m);
    expect(out).toMatch(/^poem +pass +refused +0 /m);
    expect(out).toMatch(/^total +6 of 6 /m);
    expect(code).toBe(0);
  });

  it("explains each check that does not hold, shows the change, and ends with 1", async () => {
    const suite = {
      tasks: [
        {
          ...RENAME,
          checks: [{ contains: { path: "index.mdx", text: "Relay", count: 5 } }, { unchanged: "index.mdx" }],
        },
        { name: "poem", instruction: "write a poem" },
        { ...RENAME, name: "hash", checks: [{ changesHash: "0".repeat(64), tree: "1".repeat(40) }] },
      ],
    };
    const { code, out } = await evaluate(suite);
    expect(code).toBe(1);
    expect(out).toContain('checks[0].contains: expected 5 of "Relay" in index.mdx, found 1.');
    expect(out).toContain("checks[1].unchanged: these should not have changed: index.mdx.");
    expect(out).toContain("+First [install](/install) the Relay.");
    expect(out).toMatch(/expected changed, and the job ended refused: [^]*DOCENT_MODEL/);
    expect(out).toContain("checks[0].changesHash: the changes are not those of the reference: ");
    expect(out).toMatch(/^total +0 of 3 /m);
  });

  it("knows a public repository at a commit by a copy, and the right result by its hash alone", async () => {
    const task = { ...RENAME, repository: { url: "https://code.example/acme/docs", commit }, checks: [] };
    const first = await evaluate(
      { tasks: [{ ...task, checks: [{ changesHash: "0".repeat(64) }] }] },
      "--repositories",
      join(folder, "copies"),
      "--json",
    );
    const { total, tasks } = JSON.parse(first.out) as { total: object; tasks: { failures: string[] }[] };
    expect(total).toMatchObject({ passed: 0, tasks: 1, steps: 2, costUsd: 0 });
    const [, hash = ""] = /Their hash is ([0-9a-f]{64})/.exec(tasks[0]?.failures[0] ?? "") ?? [];
    const second = await evaluate(
      { tasks: [{ ...task, checks: [{ changesHash: hash }] }] },
      "--repositories",
      join(folder, "copies"),
    );
    expect(second.out).toMatch(/^rename +pass/m);
    const elsewhere = { ...task, repository: { url: "https://code.example/acme/other", commit } };
    const missing = await evaluate({ tasks: [elsewhere] }, "--repositories", folder);
    expect(missing.code).toBe(1);
    expect(missing.out).toContain("holds no copy of https://code.example/acme/other");
  });

  it("takes the tasks that are named, and says which there are", async () => {
    const suite = { tasks: [RENAME, { ...RENAME, name: "other", tags: ["slow"] }] };
    const named = await evaluate(suite, "--only", "ren*");
    expect(named.out).toMatch(/^total +1 of 1 /m);
    const none = await evaluate(suite, "--tag", "fast");
    expect(none).toMatchObject({ code: 1, out: "" });
    expect(none.error).toContain("Its tasks are: rename, other.");
  });

  it("starts a service of its own without --url, and leaves nothing behind", async () => {
    const file = join(folder, "own.json");
    await writeFile(file, JSON.stringify({ repository: { path: "docs" }, tasks: [RENAME] }));
    const env = {
      PATH: process.env["PATH"] ?? "",
      HOME: process.env["HOME"] ?? "",
      DATABASE_URL: "postgres://nowhere",
    };
    const { code, out, error } = await runDocent(["eval", file, "--model", "docent:offline"], { env });
    expect(error).toBe("");
    expect(out).toMatch(/^rename +pass/m);
    expect(code).toBe(0);
  }, 60_000);
});
