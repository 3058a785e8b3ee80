import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CommandError } from "../failure.ts";
import { readSuite } from "./suite.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "docent-suite-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function read(text: string) {
  const file = join(folder, "suite.yaml");
  await writeFile(file, text);
  return readSuite(file);
}

const task = (rest: string): string =>
  `repository: { path: docs }\ntasks:\n  - name: a\n    instruction: do it\n${rest}`;

it("reads tasks with what the file says for all of them", async () => {
  const [first, second, ...others] = await read(`
repository: { path: ../docs }
docsPath: docs
tags: [all]
tasks:
  - name: first
    tags: [offline]
    instruction: |
      replace "a" with "b"
    checks:
      - exists: a.md
        introduced: 0
  - name: second
    repository: { url: https://code.example/acme/docs, commit: ${"a".repeat(40)} }
    instruction: change nothing
    outcome: [unchanged, refused]
`);
  expect(first).toMatchObject({
    name: "first",
    tags: ["all", "offline"],
    source: { path: join(folder, "../docs") },
    docsPath: "docs",
    instruction: 'replace "a" with "b"',
    outcomes: ["changed"],
    checks: [
      { kind: "exists", value: "a.md", place: "checks[0].exists" },
      { kind: "introduced", value: 0, place: "checks[0].introduced" },
    ],
  });
  expect(second).toMatchObject({ source: { commit: "a".repeat(40) }, outcomes: ["unchanged", "refused"], checks: [] });
  expect(others).toEqual([]);
});

describe("says what is wrong with", () => {
  it.each([
    ["no YAML", "tasks: [", /no valid YAML/],
    ["no tasks", "tasks: []", /`tasks` must not have fewer than 1/],
    ["a field that it does not know", task("    promt: x\n"), /`tasks\.0\.promt` is not a known field/],
    ["a task without an instruction", "tasks:\n  - name: a\n", /instruction/],
    ["a name that is none", "tasks:\n  - name: A b\n    instruction: x\n", /`tasks\.0\.name`/],
    ["no repository", "tasks:\n  - name: a\n    instruction: x\n", /task a: `repository` is missing/],
    ["an outcome that it does not know", task("    outcome: done\n"), /`tasks\.0\.outcome`/],
    [
      "a check that it does not know",
      task("    checks:\n      - exist: a.md\n"),
      /`checks\[0\]\.exist` is not a known check.*exists/,
    ],
    [
      "a check of another form",
      task("    checks:\n      - introduced: none\n"),
      /`checks\[0\]\.introduced` must be integer.*a number/,
    ],
    [
      "a check with a wrong field",
      task("    checks:\n      - contains: { path: a.md, text: x, count: -1 }\n"),
      /`checks\[0\]\.contains\.count/,
    ],
    [
      "a commit that is not whole",
      "tasks:\n  - name: a\n    instruction: x\n    repository: { url: https://x.example/y/z, commit: abc }\n",
      /`tasks\.0\.repository\.commit`/,
    ],
    ["two tasks of one name", `${task("")}  - name: a\n    instruction: y\n`, /Two tasks are called a/],
  ])("%s", async (_name, text, reason) => {
    const failure: unknown = await read(text).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(CommandError);
    expect(failure).toHaveProperty("message", expect.stringMatching(reason));
  });

  it("a folder or file that is not there, or holds none", async () => {
    await expect(readSuite(join(folder, "missing"))).rejects.toThrow(/There is no suite/);
    const empty = await mkdtemp(join(folder, "empty-"));
    await expect(readSuite(empty)).rejects.toThrow(/holds no suite/);
  });
});

it.each(["sample", "public"])("the %s suite that comes with Docent is valid", async (name) => {
  const tasks = await readSuite(join(import.meta.dirname, "../../../examples/eval", name));
  expect(tasks.length).toBeGreaterThanOrEqual(20);
  // Nothing of a public repository is kept here: its result is known by a hash alone.
  if (name === "public")
    for (const { checks } of tasks) expect(checks.map(({ kind }) => kind)).toEqual(["changesHash"]);
});
