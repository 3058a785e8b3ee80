import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createToolSession, type ToolSession } from "../testing/tool-session.ts";

const LFS = `version https://git-lfs.github.com/spec/v1\noid sha256:${"0".repeat(64)}\nsize 12345\n`;
const DOCS = {
  "docs.json": JSON.stringify({
    $schema: "https://mintlify.com/docs.json",
    name: "X",
    navigation: { pages: ["index"] },
  }),
};

let session: ToolSession;
beforeAll(async () => {
  session = await createToolSession(
    {
      ...DOCS,
      "index.mdx": "\uFEFF---\r\ntitle: Home\r\n---\r\n\r\nHello → you\r\n",
      "long.md": `${Array.from({ length: 3000 }, (_, index) => `line ${index + 1}`).join("\n")}\n`,
      "wide.md": `${"x".repeat(5000)}\n`,
      "empty.md": "",
      "image.png": new Uint8Array([0x89, 0x50, 0, 1]),
      "latin.md": new Uint8Array([0x63, 0x61, 0x66, 0xe9, 0x0a]),
      "lfs.md": LFS,
      "link.md": "index.mdx",
      "guides/a.mdx": "A\n",
      "guides/index.mdx": "G\n",
    },
    { modes: { "link.md": "120000" } },
  );
});
afterAll(() => session.close());

describe("list_files", () => {
  it("lists, filters and says what remains", async () => {
    expect((await session.run("list_files", {})).value).toContain("link.md (symbolic link)");
    expect(await session.run("list_files", { glob: "guides" })).toEqual({
      type: "text",
      value: "guides/a.mdx\nguides/index.mdx",
    });
    expect((await session.run("list_files", { glob: "*.mdx", limit: 1 })).value).toBe(
      "guides/a.mdx\n[2 more of 3 files: go on with offset 1.]",
    );
    expect((await session.run("list_files", { glob: "*.mdx", offset: 2, limit: 1 })).value).toBe("index.mdx");
    expect((await session.run("list_files", { glob: "*.mdx", offset: 9 })).value).toMatch(/Nothing after offset 9/);
    expect((await session.run("list_files", { glob: "nope/**" })).value).toMatch(/No file matches.*11 files/);
  });
});

describe("read_file", () => {
  it("numbers the lines, whatever their ends", async () => {
    expect((await session.run("read_file", { path: "index.mdx" })).value).toBe(
      "1→---\n2→title: Home\n3→---\n4→\n5→Hello → you",
    );
  });

  it("finds a page by its address", async () => {
    expect((await session.run("read_file", { path: "/guides/a" })).value).toBe("1→A");
    expect((await session.run("read_file", { path: "guides" })).value).toBe("1→G");
  });

  it("reads in parts and says how to go on", async () => {
    const first = await session.run("read_file", { path: "long.md", offset: 10, limit: 2 });
    expect(first.value).toBe("11→line 11\n12→line 12\n[2988 more of 3000 lines: go on with offset 12.]");
    expect((await session.run("read_file", { path: "long.md", offset: 2999 })).value).toBe("3000→line 3000");
    expect((await session.run("read_file", { path: "long.md", offset: 3000 })).value).toMatch(
      /3000 lines; nothing after/,
    );
    expect((await session.run("read_file", { path: "wide.md" })).value).toMatch(
      /x\[… 1000 more characters in this line\]$/,
    );
    expect((await session.run("read_file", { path: "empty.md" })).value).toBe("[empty.md is empty.]");
  });

  it.each([
    ["image.png", /binary/],
    ["latin.md", /UTF-8/],
    ["lfs.md", /LFS/],
    ["link.md", /symbolic link/],
    ["nope.md", /no file "nope.md"/],
    ["../a", /no file/],
    ["other/a.mdx", /Files with that name: guides\/a\.mdx/],
  ])("refuses %s with the reason", async (path, reason) => {
    expect(await session.run("read_file", { path })).toEqual({
      type: "error-text",
      value: expect.stringMatching(reason),
    });
  });
});

describe("search", () => {
  it("finds by pattern and by exact text, in pages of matches", async () => {
    expect(await session.run("search", { pattern: "^title: (\\w+)" })).toEqual({
      type: "json",
      value: { matches: [{ path: "index.mdx", line: 2, text: "title: Home" }], more: false },
    });
    const page = await session.run("search", { pattern: "line 29", literal: true, offset: 1, limit: 2 });
    expect(page.value).toMatchObject({
      matches: [
        { path: "long.md", line: 290 },
        { path: "long.md", line: 291 },
      ],
      more: true,
      hint: expect.stringContaining("offset 3"),
    });
    expect(await session.run("search", { pattern: "a", ignoreCase: true, glob: "guides/a" })).toMatchObject({
      value: { matches: [{ path: "guides/a.mdx", line: 1, text: "A" }] },
    });
    expect((await session.run("search", { pattern: "(" })).type).toBe("error-text");
  });
});

describe("any tool", () => {
  it("names the field that is wrong", async () => {
    const fault = async (input: Parameters<ToolSession["run"]>[1]) => (await session.run("read_file", input)).value;
    expect(await fault({})).toBe("read_file did not run. The arguments must have required properties path.");
    expect(await fault({ path: 3 })).toBe("read_file did not run. `path` must be string.");
    expect(await fault({ path: "a", offset: -1 })).toBe("read_file did not run. `offset` must be >= 0.");
    expect(await fault({ path: "a", lines: 1 })).toBe("read_file did not run. `lines` is not a known field.");
    expect(await fault('{"path')).toMatch(/not valid JSON: "\{\\"path"\. Send one JSON object\./);
    expect(await fault(null)).toMatch(/must be object/);
    expect(await fault({ path: "guides/a", offset: null })).toBe("1→A");
  });
});
