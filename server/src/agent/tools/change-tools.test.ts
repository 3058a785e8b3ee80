import { afterEach, describe, expect, it } from "vitest";
import { createToolSession, type ToolSession } from "../testing/tool-session.ts";

function mintlify(pages: string[], more: object = {}): string {
  return `${JSON.stringify({ $schema: "https://mintlify.com/docs.json", name: "X", navigation: { groups: [{ group: "Guides", pages }] }, ...more }, null, 2)}\n`;
}

let session: ToolSession;
async function open(files: Record<string, string>): Promise<ToolSession> {
  session = await createToolSession(files);
  return session;
}
afterEach(() => session.close());

describe("edit_file", () => {
  it("wants the file read first, then keeps line ends, byte order mark and a missing final newline", async () => {
    await open({ "docs.json": mintlify([]), "a.mdx": "\uFEFFone\r\ntwo\r\nthree" });
    const edits = [{ old: "two", new: "2\n2b" }];
    expect((await session.run("edit_file", { path: "a.mdx", edits })).value).toMatch(/Read a\.mdx with read_file/);
    await session.run("read_file", { path: "a" });
    expect((await session.run("edit_file", { path: "a.mdx", edits })).value).toBe("Edited a.mdx: 1 edit made.");
    expect(await session.text("a.mdx")).toBe("\uFEFFone\r\n2\r\n2b\r\nthree");
  });

  it("changes one line only, numbered as before the call", async () => {
    await open({ "docs.json": mintlify([]), "a.mdx": "same\nsame\nsame x x\n" });
    await session.run("read_file", { path: "a.mdx" });
    const edits = [
      { line: 1, old: "same", new: "first\nmore" },
      { line: 3, old: "x", new: "y", all: true },
    ];
    expect((await session.run("edit_file", { path: "a.mdx", edits })).type).toBe("text");
    expect(await session.text("a.mdx")).toBe("first\nmore\nsame\nsame y y\n");
  });

  it.each([
    [{ line: 9, old: "a", new: "b" }, /no line 9: the file has 2 lines/],
    [{ line: 1, old: "zz", new: "b" }, /Line 1 does not hold "zz"/],
    [{ line: 1, old: "a", new: "b" }, /holds "a" 2 times/],
    [{ old: "nope nope", new: "b" }, /not changed/],
    [{ old: "", new: "b" }, /old/],
  ])("refuses %j and changes nothing", async (edit, reason) => {
    await open({ "docs.json": mintlify([]), "a.mdx": "a a\nb\n" });
    await session.run("read_file", { path: "a.mdx" });
    const output = await session.run("edit_file", { path: "a.mdx", edits: [{ old: "b", new: "c" }, edit] });
    expect(output).toEqual({ type: "error-text", value: expect.stringMatching(reason) });
    expect(await session.workspace.changes()).toEqual([]);
  });
});

describe("write_file", () => {
  it.each([
    ["b", "1→---\n2→title: B\n3→---\n", /line numbers/],
    ["b", "```mdx\n---\ntitle: B\n---\n\nText.\n```\n", /code fence/],
    ["a", "# A\n\n... existing content ...\n\nMore.\n", /placeholder/],
  ])("refuses content of %s that was never meant for a file: %j", async (path, content, reason) => {
    await open({ "docs.json": mintlify(["a"]), "a.mdx": "# A\n\nLong text.\n" });
    await session.run("read_file", { path: "a" });
    const output = await session.run("write_file", { path, content });
    expect(output).toEqual({ type: "error-text", value: expect.stringMatching(reason) });
    expect(await session.workspace.changes()).toEqual([]);
  });

  it("creates a page with its place in the navigation, or not at all", async () => {
    await open({ "docs.json": mintlify(["a"]), "a.mdx": "A\n" });
    const content = "---\ntitle: B\n---\n\nB";
    const refused = await session.run("write_file", { path: "b", content, navigation: { group: "Nope" } });
    expect(refused).toEqual({ type: "error-text", value: expect.stringMatching(/Nothing was written/) });
    expect(await session.workspace.changes()).toEqual([]);
    const written = await session.run("write_file", { path: "b", content, navigation: { after: "a" } });
    expect(written.value).toBe("Created b.mdx. Added to the navigation in docs.json.");
    expect(await session.text("b.mdx")).toBe(`${content}\n`);
    expect(await session.text("docs.json")).toBe(mintlify(["a", "b"]));
  });

  it("replaces only what was read, in the form of the old file", async () => {
    await open({ "docs.json": mintlify(["a"]), "a.mdx": "\uFEFFold\r\nlines" });
    expect((await session.run("write_file", { path: "a.mdx", content: "new\n" })).value).toMatch(
      /exists already\. Read it/,
    );
    await session.run("read_file", { path: "a.mdx" });
    expect((await session.run("write_file", { path: "a.mdx", content: "new\ntext\n" })).value).toBe("Replaced a.mdx.");
    expect(await session.text("a.mdx")).toBe("\uFEFFnew\r\ntext");
  });

  it.each([".github/workflows/x.yml", "../x.mdx", ".git/config", "AGENTS.md", "package.json"])(
    "refuses %s",
    async (path) => {
      await open({ "docs.json": mintlify([]) });
      expect((await session.run("write_file", { path, content: "x" })).type).toBe("error-text");
      expect(await session.workspace.changes()).toEqual([]);
    },
  );
});

describe("move_file", () => {
  it("moves a page with its links, navigation and redirect", async () => {
    await open({ "docs.json": mintlify(["guides/a", "b"]), "guides/a.mdx": "# A\n", "b.mdx": "[a](/guides/a)\r\n" });
    const output = await session.run("move_file", { from: "guides/a", to: "start/first" });
    expect(output).toEqual({
      type: "json",
      value: {
        moved: { from: "guides/a.mdx", to: "start/first.mdx" },
        linksRewritten: [{ path: "b.mdx", count: 1 }],
        filesWithLinks: 1,
        navigationEntries: 1,
        redirect: { path: "docs.json", source: "/guides/a", destination: "/start/first" },
      },
    });
    expect(await session.text("b.mdx")).toBe("[a](/start/first)\r\n");
    expect(await session.text("guides/a.mdx")).toBeUndefined();
  });

  it.each([
    [{ from: "nope", to: "x" }, /no file "nope"/],
    [{ from: "a", to: "b" }, /b\.mdx exists already/],
    [{ from: "a", to: "guides" }, /guides is a folder.*guides\/a\.mdx/],
    [{ from: "a", to: ".github/a" }, /./],
  ])("refuses %j", async (input, reason) => {
    await open({ "docs.json": mintlify(["a", "b"]), "a.mdx": "A\n", "b.mdx": "B\n", "guides/c.mdx": "C\n" });
    expect(await session.run("move_file", input)).toEqual({ type: "error-text", value: expect.stringMatching(reason) });
    expect(await session.workspace.changes()).toEqual([]);
  });

  it("moves into a folder that ends with a slash", async () => {
    await open({ "docs.json": mintlify(["a"]), "a.mdx": "A\n" });
    expect((await session.run("move_file", { from: "a", to: "guides/" })).value).toMatchObject({
      moved: { to: "guides/a.mdx" },
    });
  });
});

describe("delete_file", () => {
  it("takes the page out of the navigation and names the links that break", async () => {
    await open({ "docs.json": mintlify(["a", "b"]), "a.mdx": "# A\n", "b.mdx": "text\n\n[a](/a)\n" });
    expect(await session.run("delete_file", { path: "/a" })).toEqual({
      type: "json",
      value: {
        deleted: "a.mdx",
        navigationFiles: ["docs.json"],
        brokenLinks: [{ path: "b.mdx", line: 3 }],
        brokenLinksTotal: 1,
      },
    });
    expect(await session.text("docs.json")).toBe(mintlify(["b"]));
    expect(await session.run("check_docs", { kind: "link" })).toMatchObject({
      value: { total: 1, more: false, docsPath: "" },
    });
  });
});

describe("check_docs", () => {
  it("pages, filters and says how to go on", async () => {
    await open({
      "docs.json": mintlify(["a", "gone"]),
      "a.mdx": "[x](/x)\n\n![y](/y.png)\n",
      "guides/b.mdx": "[z](/z)\n",
    });
    expect(await session.run("check_docs", { limit: 1 })).toMatchObject({
      value: {
        framework: "mintlify",
        pages: 2,
        problems: [{ path: "a.mdx" }],
        total: 4,
        more: true,
        hint: "Go on with offset 1.",
      },
    });
    expect(await session.run("check_docs", { kind: "image" })).toMatchObject({
      value: { total: 1, problems: [{ target: "/y.png" }] },
    });
    expect(await session.run("check_docs", { glob: "guides" })).toMatchObject({
      value: { total: 1, problems: [{ target: "/z" }] },
    });
  });
});
