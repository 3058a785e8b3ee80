import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTestRepository, type TestFile, type TestRepository } from "../git/testing/repository.ts";
import { createMirrors, type Mirror, type Mirrors } from "./mirror.ts";
import { rebaseChanges } from "./rebase.ts";
import { reviewChanges } from "./review.ts";
import { searchCommit } from "./search.ts";
import type { FileChange } from "./tree.ts";
import type { PublishRules } from "./rules.ts";
import { openWorkspace, type Workspace } from "./workspace.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const string = (content: Uint8Array | null | undefined) => (content ? new TextDecoder().decode(content) : content);
const RULES: PublishRules = { allow: [], filesMax: 20, bytesMax: 100_000 };

let origin: TestRepository;
let directory: string;
let mirrors: Mirrors;
let mirror: Mirror;

beforeEach(async () => {
  origin = await createTestRepository();
  directory = await mkdtemp(join(tmpdir(), "docent-mirrors-"));
  mirrors = createMirrors({ directory, blobBytesMax: 10_000 });
  mirror = await mirrors.open("test", () => Promise.resolve({ url: origin.url }));
});
afterEach(async () => {
  await mirrors.close();
  await rm(directory, { recursive: true, force: true });
  await origin.remove();
});

async function open(
  files: Record<string, TestFile>,
  options: { rules?: PublishRules; saved?: FileChange[] } = {},
): Promise<Workspace> {
  await origin.commit("main", { "docs.json": '{ "navigation": { "pages": ["index"] } }\n', ...files });
  const baseCommit = (await mirror.fetchBranch("main")) ?? "";
  return openWorkspace({ mirror, baseCommit, rules: options.rules ?? RULES, saved: options.saved ?? [] });
}

describe("the tree with its changes", () => {
  test("reads and lists what was written and removed", async () => {
    const workspace = await open({ "index.mdx": "# Home\n", "a.md": "a\n" });
    expect(await workspace.write("b/new.md", bytes("new\n"))).toBeUndefined();
    expect(await workspace.write("index.mdx", bytes("# New home\n"))).toBeUndefined();
    expect(await workspace.remove("a.md")).toBeUndefined();
    expect((await workspace.list()).map((entry) => entry.path)).toEqual(["b/new.md", "docs.json", "index.mdx"]);
    expect(string(await workspace.read("index.mdx"))).toBe("# New home\n");
    expect(await workspace.read("a.md")).toBeUndefined();
    expect(string(await workspace.base.read("index.mdx"))).toBe("# Home\n");
    expect((await workspace.changes()).map((change) => [change.path, string(change.content)])).toEqual([
      ["a.md", null],
      ["b/new.md", "new\n"],
      ["index.mdx", "# New home\n"],
    ]);
  });

  test("lists the ids that git gives", async () => {
    const workspace = await open({ "a.md": "a\n" });
    await workspace.write("a.md", bytes("same\n"));
    await workspace.write("b.md", bytes("same\n"));
    const commit = await mirror.commit({
      parent: workspace.baseCommit,
      changes: await workspace.changes(),
      message: "m",
      author: { name: "a", email: "a@example.com" },
      date: new Date(0),
    });
    expect(await workspace.list()).toEqual(await mirror.entries(commit));
  });

  test("of a site's configuration, only its navigation and redirects may change", async () => {
    const config =
      "import starlight from '@astrojs/starlight';\nexport default defineConfig({ site: 'a', integrations: [starlight({ sidebar: ['a'] })] });\n";
    const workspace = await open({
      "docs.json": "{}",
      "site/astro.config.mjs": config,
      "site/package.json": "{}",
      "site/src/content/docs/a.md": "---\ntitle: A\n---\n",
    });
    const path = "site/astro.config.mjs";
    expect(await workspace.write(path, bytes(config.replace("['a']", "['a', 'b']")))).toBeUndefined();
    expect(await workspace.write(path, bytes(config.replace("site: 'a'", "site: 'b'")))).toMatchObject({
      refused: expect.stringMatching(/astro\.config\.mjs may not be changed here: .*only the literal `sidebar`/),
    });
    expect(await workspace.remove(path)).toMatchObject({ refused: expect.stringMatching(/configur/) });
    expect(await workspace.write("site/astro.config.ts", bytes(config))).toMatchObject({
      refused: expect.stringMatching(/configuration/),
    });
    expect(string(await workspace.read(path))).toContain("['a', 'b']");
  });

  test("a file that is back to its base is no change, but is saved once as it was", async () => {
    const workspace = await open({ "a.md": "a\n" });
    await workspace.write("a.md", bytes("b\n"));
    await workspace.write("new.md", bytes("n\n"));
    expect(workspace.takeUnsaved().map((change) => [change.path, string(change.content)])).toEqual([
      ["a.md", "b\n"],
      ["new.md", "n\n"],
    ]);
    expect(workspace.takeUnsaved()).toEqual([]);
    await workspace.write("a.md", bytes("a\n"));
    await workspace.remove("new.md");
    expect(await workspace.changes()).toEqual([]);
    expect(workspace.takeUnsaved().map((change) => [change.path, string(change.content)])).toEqual([
      ["a.md", "a\n"],
      ["new.md", null],
    ]);
  });

  test("another worker opens it again from what was saved", async () => {
    const workspace = await open({ "a.md": "a\n", "b.md": "b\n" });
    const saved: FileChange[] = [];
    await workspace.write("a.md", bytes("1\n"));
    saved.push(...workspace.takeUnsaved());
    await workspace.write("a.md", bytes("2\n"));
    await workspace.remove("b.md");
    saved.push(...workspace.takeUnsaved());
    const again = await openWorkspace({ mirror, baseCommit: workspace.baseCommit, rules: RULES, saved });
    expect(await again.changes()).toEqual(await workspace.changes());
    expect(again.takeUnsaved()).toEqual([]);
  });

  test("docs see the changes", async () => {
    const workspace = await open({ "index.mdx": "[a](/nowhere)\n" });
    expect(await (await workspace.docs()).check()).toHaveLength(1);
    await workspace.write("nowhere.mdx", bytes("# Here\n"));
    expect(await (await workspace.docs()).check()).toEqual([]);
  });
});

describe("what may not be edited", () => {
  test("passes through untouched, each with its reason", async () => {
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${"a".repeat(64)}\nsize 12\n`;
    const workspace = await open({
      "latin.md": Buffer.from([0x61, 0xe9, 0x0a]),
      "binary.md": Buffer.from("a\0b"),
      "large.md": "x".repeat(20_000),
      "lfs.md": pointer,
      "lfs.png": pointer,
      "run.md": { mode: "100755", content: "x" },
      "link.md": { mode: "120000", content: "run.md" },
      "module.md": { mode: "160000", content: "1".repeat(40) },
    });
    const refusal = async (path: string) => (await workspace.write(path, bytes("text\n")))?.refused;
    expect(await refusal("latin.md")).toMatch(/UTF-8/);
    expect(await refusal("binary.md")).toMatch(/binary/);
    expect(await refusal("large.md")).toMatch(/larger than 10000 bytes/);
    expect(await refusal("lfs.md")).toMatch(/LFS/);
    expect(await refusal("lfs.png")).toMatch(/LFS/);
    expect(await refusal("run.md")).toMatch(/executable/);
    expect(await refusal("link.md")).toMatch(/symbolic link/);
    expect(await refusal("module.md")).toMatch(/submodule/);
    expect(await refusal("package.json")).toMatch(/package/);
    expect((await workspace.remove("none.md"))?.refused).toMatch(/no file none\.md/);
    expect((await workspace.remove("link.md"))?.refused).toMatch(/symbolic link/);
    expect(await workspace.changes()).toEqual([]);
    expect(workspace.takeUnsaved()).toEqual([]);
    // A pointer may move, since its content stays the same.
    expect(await workspace.write("moved.png", bytes(pointer))).toBeUndefined();
    expect(await workspace.remove("lfs.png")).toBeUndefined();
  });

  test("a job cannot widen its own rules", async () => {
    const workspace = await open({ "index.mdx": "a\n" }, { rules: { ...RULES, docsPath: "docs" } });
    expect((await workspace.write("other/docs.json", bytes("{}")))?.refused).toMatch(/neither a page/);
    expect((await workspace.write("other/a.md", bytes("a")))?.refused).toMatch(/outside/);
  });
});

describe("search", () => {
  const files = {
    "a.md": "Alpha one\nbeta\nalpha two\r\n",
    "docs/b.mdx": "“alpha” (three)\nüber alpha\n",
    "docs/logo.png": Buffer.from("alpha\0alpha"),
    "docs/latin.md": Buffer.from([0x61, 0x6c, 0x70, 0x68, 0x61, 0x20, 0xe9, 0x0a]),
    "docs/large.md": `alpha ${"x".repeat(20_000)}\n`,
    'odd "n\nl.md': "alpha odd\n",
  };
  const found = async (workspace: Workspace, query: Partial<Parameters<Workspace["search"]>[0]>) => {
    const result = await workspace.search({ pattern: "alpha", matchesMax: 100, ...query });
    return "refused" in result
      ? result.refused
      : result.matches.map((match) => `${match.path}:${match.line}:${match.text}`);
  };

  test("finds lines in text files, in path order", async () => {
    const workspace = await open(files);
    expect(await found(workspace, {})).toEqual([
      "a.md:3:alpha two",
      "docs/b.mdx:1:“alpha” (three)",
      "docs/b.mdx:2:über alpha",
      "docs/latin.md:1:alpha \ufffd",
      'odd "n\nl.md:1:alpha odd',
    ]);
    expect(await found(workspace, { ignoreCase: true, glob: "a.md" })).toEqual([
      "a.md:1:Alpha one",
      "a.md:3:alpha two",
    ]);
    expect(await found(workspace, { pattern: "(three)", literal: true })).toHaveLength(1);
    expect(await found(workspace, { pattern: "^\\w+ alpha$" })).toEqual(["docs/b.mdx:2:über alpha"]);
    expect(await found(workspace, { pattern: "alpha(?= two)" })).toEqual(["a.md:3:alpha two"]);
    expect(await found(workspace, { glob: "*.mdx" })).toHaveLength(2);
    expect(await found(workspace, { glob: "docs/**" })).toHaveLength(3);
    expect(await found(workspace, { pattern: "nothing like it" })).toEqual([]);
    expect(await found(workspace, { pattern: "-e" })).toEqual([]);
  });

  test("sees the changes", async () => {
    const workspace = await open(files);
    await workspace.write("a.md", bytes("gamma\n"));
    await workspace.write("docs/new.md", bytes("alpha new\n"));
    await workspace.remove("docs/b.mdx");
    expect(await found(workspace, { glob: "*.{md,mdx}" })).toEqual([
      "docs/latin.md:1:alpha \ufffd",
      "docs/new.md:1:alpha new",
      'odd "n\nl.md:1:alpha odd',
    ]);
    expect((await readdir(tmpdir())).filter((name) => name.startsWith("docent-scratch-"))).toEqual([]);
  });

  test("stops at the most matches and says that there are more", async () => {
    const workspace = await open({ "a.md": "alpha\n".repeat(1500) });
    const result = await workspace.search({ pattern: "alpha", matchesMax: 3 });
    expect(result).toMatchObject({ more: true, matches: [{ line: 1 }, { line: 2 }, { line: 3 }] });
    expect(await workspace.search({ pattern: "alpha", matchesMax: 1500 })).toMatchObject({ more: false });
  });

  test("refuses patterns that are none, and those that do not end, with what to do", async () => {
    const workspace = await open({ "a.md": `${"a".repeat(40)}!\n`, "b.md": "x\n".repeat(4000) });
    expect(await found(workspace, { pattern: "a(" })).toMatch(/not a valid regular expression: .*parenthes/);
    expect(await found(workspace, { pattern: "" })).toMatch(/empty/);
    expect(await found(workspace, { pattern: "a\nb" })).toMatch(/line break/);
    expect(await found(workspace, { pattern: "(a+)+$" })).toMatch(
      /^(?:The regular expression takes too long|The search was stopped)/,
    );
    const capped = await searchCommit(mirror.directory, workspace.baseCommit, {
      pattern: "(a+)+$",
      matchesMax: 1,
      msMax: 0,
    });
    expect(capped).toMatchObject({ refused: expect.stringMatching(/stopped after 0 s|takes too long/) as string });
  });

  test("can be aborted", async () => {
    const workspace = await open({ "a.md": "a\n" });
    const query = { pattern: "a", matchesMax: 1, signal: AbortSignal.abort(new Error("stopped by the user")) };
    await expect(workspace.search(query)).rejects.toThrow("stopped by the user");
  });
});

describe("review before publishing", () => {
  const token = `ghp_${"aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF3hJ5".slice(0, 36)}`;

  test("an ordinary change passes; secrets that were there before do not count", async () => {
    const workspace = await open({ "a.md": `${token}\nb\n` });
    await workspace.write("a.md", bytes(`${token}\nc\n`));
    expect(await reviewChanges(workspace)).toEqual({ refusals: [] });
  });

  test("names the line of an added credential, never the credential", async () => {
    const workspace = await open({ "a.md": "a\n" });
    await workspace.write("a.md", bytes(`a\nuse ${token}\n`));
    const { refusals } = await reviewChanges(workspace);
    expect(refusals).toHaveLength(1);
    expect(refusals[0]).toMatch(/^a\.md, line 2: this looks like a GitHub token/);
    expect(refusals[0]).not.toContain(token.slice(4));
  });

  test("caps files and bytes, refuses script in images, and checks the rules again", async () => {
    const workspace = await open({ "a.md": "a\n" });
    for (let index = 0; index < 21; index += 1) await workspace.write(`p${index}.md`, bytes("x".repeat(5000)));
    await workspace.write("a.svg", bytes("<svg><script>alert(1)</script></svg>"));
    const { refusals } = await reviewChanges(workspace);
    expect(refusals.join("\n")).toMatch(
      /22 files; at most 20[^]*105\d+ bytes[^]*at most 100000[^]*a\.svg holds script/,
    );
    const smuggled: FileChange = { path: ".github/workflows/a.yml", mode: "100644", content: bytes("on: push\n") };
    const saved = await openWorkspace({ mirror, baseCommit: workspace.baseCommit, rules: RULES, saved: [smuggled] });
    expect((await reviewChanges(saved)).refusals.join()).toMatch(/\.github/);
  });
});

describe("carrying changes over to another commit", () => {
  let from: string;
  let to: string;
  const change = (path: string, content: string | null): FileChange => ({
    path,
    mode: "100644",
    content: content === null ? null : bytes(content),
  });
  const lines = (first: string, last: string) => `${first}\n2\n3\n4\n5\n6\n7\n${last}\n`;

  beforeEach(async () => {
    from = await origin.commit("main", {
      "same.md": "s\n",
      "both.md": lines("1", "8"),
      "clash.md": "c\n",
      "gone.md": "g\n",
      "deleted.md": "d\n",
      "kept.md": "k\n",
    });
    to = await origin.commit("main", {
      "both.md": lines("one", "8"),
      "clash.md": "theirs\n",
      "gone.md": null,
      "deleted.md": "changed\n",
      "added.md": "theirs\n",
      "agreed.md": "same\n",
      folder: "file\n",
    });
    await mirror.fetchBranch("main");
  });

  test("merges, keeps, and names conflicts", async () => {
    const result = await rebaseChanges({
      mirror,
      from,
      to,
      changes: [
        change("same.md", "ours\n"),
        change("both.md", lines("1", "eight")),
        change("clash.md", "ours\n"),
        change("gone.md", "ours\n"),
        change("deleted.md", null),
        change("kept.md", null),
        change("added.md", "ours\n"),
        change("agreed.md", "same\n"),
        change("new.md", "ours\n"),
        change("folder/new.md", "ours\n"),
      ],
    });
    expect(result.changes.map((merged) => [merged.path, string(merged.content)])).toEqual([
      ["same.md", "ours\n"],
      ["both.md", lines("one", "eight")],
      ["kept.md", null],
      ["new.md", "ours\n"],
    ]);
    expect(result.conflicts).toEqual(["added.md", "clash.md", "deleted.md", "folder/new.md", "gone.md"]);
  });

  test("a deletion of what is deleted already is nothing", async () => {
    expect(await rebaseChanges({ mirror, from, to, changes: [change("gone.md", null)] })).toEqual({
      changes: [],
      conflicts: [],
    });
  });
});
