import type { JSONValue } from "@ai-sdk/provider";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestRepository, type TestRepository } from "../../git/testing/repository.ts";
import { openContextTree, type ContextTree } from "../../workspace/context-tree.ts";
import { createMirrors, type Mirrors } from "../../workspace/mirror.ts";
import type { Refusal } from "../../workspace/refusal.ts";
import { createTestWorkspace, type TestWorkspace } from "../testing/test-workspace.ts";
import type { ToolOutput } from "../transcript.ts";
import type { ContextTrees } from "./context-files.ts";
import { createToolRunner } from "./run.ts";
import { createTools } from "./tools.ts";

let docs: TestWorkspace;
let app: TestRepository;
let mirrors: Mirrors;
let directory: string;
let contextTrees: ContextTrees;
let opened = 0;

beforeAll(async () => {
  docs = await createTestWorkspace({
    "docs.json": JSON.stringify({ navigation: { pages: ["index"] } }),
    "index.mdx": "---\ntitle: Start\n---\n\nThe port is 80.\n",
    "@app/kept.mdx": "---\ntitle: Kept\n---\n",
  });
  app = await createTestRepository();
  const commit = await app.commit("main", {
    "src/server.ts": "export const PORT = 4000;\n",
    "README.md": "# The app\n",
    "link.md": { mode: "120000", content: "/etc/passwd" },
    "logo.png": Uint8Array.of(1, 0, 2),
  });
  directory = await mkdtemp(join(tmpdir(), "docent-context-"));
  mirrors = createMirrors({ directory, blobBytesMax: 1_000_000 });
  const mirror = await mirrors.open("app", () =>
    Promise.resolve({ url: "http://localhost/", directory: app.directory }),
  );
  contextTrees = new Map<string, () => Promise<ContextTree | Refusal>>([
    [
      "app",
      () => {
        opened += 1;
        return openContextTree({ mirror, commit });
      },
    ],
    ["gone", () => Promise.resolve({ refused: "@gone cannot be read: the repository was not found." })],
  ]);
});
afterAll(async () => {
  await docs.close();
  await mirrors.close();
  await app.remove();
  await rm(directory, { recursive: true, force: true });
});

const runTool = createToolRunner(createTools());

function run(toolName: string, input: JSONValue): Promise<ToolOutput> {
  const { signal } = new AbortController();
  const context = { workspace: docs.workspace, transcript: [], signal, contextTrees };
  return runTool({ toolCallId: "1", toolName, input }, context);
}

describe("reading", () => {
  it("opens none that is not asked for", async () => {
    await run("list_files", {});
    await run("read_file", { path: "index" });
    expect(opened).toBe(0);
  });

  it("lists, reads and searches under the repository's name", async () => {
    expect((await run("list_files", { glob: "@app" })).value).toBe(
      "@app/README.md\n@app/link.md (symbolic link)\n@app/logo.png\n@app/src/server.ts",
    );
    expect((await run("list_files", { glob: "@app/src/**" })).value).toBe("@app/src/server.ts");
    expect((await run("list_files", { glob: "@app/*.md" })).value).toContain("@app/README.md");
    expect((await run("read_file", { path: "@app/src/server.ts" })).value).toBe("1→export const PORT = 4000;");
    expect((await run("read_file", { path: "/@app/README.md" })).value).toBe("1→# The app");
    const found = await run("search", { pattern: "PORT", glob: "@app/**/*.ts" });
    expect(found.value).toMatchObject({
      matches: [{ path: "@app/src/server.ts", line: 1, text: "export const PORT = 4000;" }],
      more: false,
    });
    expect((await run("search", { pattern: "app", glob: "@app" })).value).toMatchObject({
      matches: [{ path: "@app/README.md" }],
    });
  });

  it("stays in the documentation without its name", async () => {
    expect((await run("list_files", {})).value).not.toContain("server.ts");
    expect((await run("search", { pattern: "PORT" })).value).toMatchObject({ matches: [] });
  });

  it.each([
    ["read_file", { path: "@app/missing.ts" }, /no file "missing.ts" in @app/],
    ["read_file", { path: "@app/../docs.json" }, /no file/],
    ["read_file", { path: "@app/link.md" }, /@app\/link\.md is a symbolic link/],
    ["read_file", { path: "@app/logo.png" }, /@app\/logo\.png: The file is binary/],
    ["read_file", { path: "@gone/README.md" }, /cannot be read: the repository was not found/],
    ["list_files", { glob: "@gone/**" }, /cannot be read/],
    ["search", { pattern: "x", glob: "@gone" }, /cannot be read/],
    ["read_file", { path: "@other/README.md" }, /There is no file "@other/],
  ])("%s of %j is refused with its reason", async (tool, input, reason) => {
    expect(await run(tool, input)).toEqual({ type: "error-text", value: expect.stringMatching(reason) });
  });
});

describe("writing", () => {
  it.each([
    ["write_file", { path: "@app/new.md", content: "x" }],
    ["write_file", { path: "./@app/new.md", content: "x" }],
    ["edit_file", { path: "@app/README.md", edits: [{ old: "app", new: "x" }] }],
    ["delete_file", { path: "@app/README.md" }],
    ["delete_file", { path: "@app/kept.mdx" }],
    ["move_file", { from: "@app/README.md", to: "readme.md" }],
    ["move_file", { from: "index.mdx", to: "@app/index.mdx" }],
    ["set_front_matter", { glob: "@app/**", field: "title", value: "x" }],
    ["replace_text", { find: "app", replace: "x", scope: "everywhere", glob: "@app/**" }],
    ["check_docs", { glob: "@app/**" }],
  ])("%s on %j is refused", async (tool, input) => {
    const output = await run(tool, input);
    expect(output).toEqual({ type: "error-text", value: expect.stringMatching(/^@app is a repository to read/) });
    expect(await docs.workspace.changes()).toEqual([]);
  });
});
