import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { createToolSession, type ToolSession } from "../testing/tool-session.ts";
import { proseRanges } from "./prose.ts";

const DOCS_JSON = `{
  "$schema": "https://mintlify.com/docs.json",
  "name": "Hub Docs",
  "navigation": { "groups": [{ "group": "The Hub", "pages": ["index", "Hub/a"] }] }
}`;

let session: ToolSession;
afterEach(() => session.close());

describe("replace_text everywhere", () => {
  it.each([
    ["a text", { find: "e" }],
    ["a pattern", { find: "[e]", regex: true }],
  ])("refuses what would fill the memory, by %s", async (_what, query) => {
    const page = `${"e".repeat(1_000)}\n`;
    session = await createToolSession({ "docs.json": DOCS_JSON, "index.mdx": page });
    const output = await session.run("replace_text", { ...query, replace: "x".repeat(100_000), scope: "everywhere" });
    expect(output).toMatchObject({ type: "error-text", value: expect.stringMatching(/replacements would have more/) });
    expect(await session.text("index.mdx")).toBe(page);
  });

  it.each([
    ["Hub", "Cloud"],
    ["/", "//"],
    ["a.*b$&", "$1\\&"],
    ["é→", "ü"],
    ["\t", "  "],
    ["[Hub](/Hub)", ""],
    ["nowhere at all", "x"],
  ])("does what sed does: %j by %j", async (find, replacement) => {
    const files: Record<string, string> = {
      "docs.json": DOCS_JSON,
      "index.mdx": "\uFEFF---\r\ntitle: Hub\r\n---\r\n[Hub](/Hub)\t`Hub` HubHub hub\r\n",
      "Hub/a.mdx": '```js\nHub.start(`a.*b$&`)\n```\n<Card title="Hub" href="/Hub">é→ Hub</Card>',
      "notes.md": "mixed Hub\nends Hub\r\nand Hub a.*b$&\r",
      "empty.md": "",
      "script.js": "Hub",
      "AGENTS.md": "Hub\n",
    };
    session = await createToolSession(files);
    const output = await session.run("replace_text", { find, replace: replacement, scope: "everywhere" });
    const pattern = find.replaceAll(/[\\/.*$^[\]&]/g, String.raw`\$&`);
    const into = replacement.replaceAll(/[\\/&]/g, String.raw`\$&`);
    const docsFiles = ["docs.json", "index.mdx", "Hub/a.mdx", "notes.md", "empty.md"];
    const expected = { ...files };
    for (const path of docsFiles) {
      expected[path] = execFileSync("sed", [`s/${pattern}/${into}/g`], { input: files[path], encoding: "utf8" });
    }
    expect(await session.files()).toEqual(expected);
    const changed = docsFiles.filter((path) => expected[path] !== files[path]);
    expect(output).toMatchObject({ type: "json", value: { filesChanged: changed.length } });
  });

  it("tells of longer words, other case, and files that may not be changed", async () => {
    session = await createToolSession({ "docs.json": DOCS_JSON, "a.mdx": "Hub Hubs GitHub\n", "AGENTS.md": "Hub\n" });
    expect(
      await session.run("replace_text", { find: "Hub", replace: "Cloud", scope: "everywhere", glob: "*.md*" }),
    ).toMatchObject({
      value: {
        replaced: 3,
        filesChanged: 1,
        files: [{ path: "a.mdx", count: 3 }],
        insideLongerWords: 2,
        skipped: [{ path: "AGENTS.md" }],
      },
    });
    expect(await session.run("replace_text", { find: "cLOUD", replace: "x", scope: "everywhere" })).toMatchObject({
      value: { replaced: 0, filesWithOtherCase: 1 },
    });
  });

  it("matches whole words, any case, and regular expressions", async () => {
    session = await createToolSession({ "docs.json": DOCS_JSON, "a.mdx": "hub Hub Hubs éHub v1.20 v2.3\n" });
    const run = (input: object) =>
      session.run("replace_text", { scope: "everywhere", glob: "a.mdx", find: "", replace: "", ...input });
    await run({ find: "hub", replace: "X$&", wholeWord: true, ignoreCase: true });
    expect(await session.text("a.mdx")).toBe("X$& X$& Hubs éHub v1.20 v2.3\n");
    await run({ find: "v(\\d)\\.(?<minor>\\d+)", replace: "$2-$<minor>-$$-$&-$1", regex: true });
    expect(await session.text("a.mdx")).toBe("X$& X$& Hubs éHub 20-20-$-v1.20-1 3-3-$-v2.3-2\n");
    expect((await run({ find: "(", replace: "x", regex: true })).value).toMatch(/not valid/);
  });

  it("stops a pattern that never ends, and changes nothing", async () => {
    session = await createToolSession({ "docs.json": DOCS_JSON, "a.mdx": `${"a".repeat(50)}!\n` });
    const output = await session.run("replace_text", {
      find: "(a+)+$",
      replace: "x",
      regex: true,
      scope: "everywhere",
    });
    expect(output).toEqual({ type: "error-text", value: expect.stringMatching(/longer than 2 s/) });
    expect(await session.workspace.changes()).toEqual([]);
  });
});

const PROSE: readonly (readonly [name: string, path: string, before: string, after: string])[] = [
  ["text and headings", "a.mdx", "# Hub\n\nThe *Hub* and **the Hub**.\n", "# NEW\n\nThe *NEW* and **the NEW**.\n"],
  [
    "code",
    "a.mdx",
    "Hub `Hub` ``Hub``\n\n```\nHub\n```\n\n~~~js Hub\nHub\n~~~\n",
    "NEW `Hub` ``Hub``\n\n```\nHub\n```\n\n~~~js Hub\nHub\n~~~\n",
  ],
  ["indented code in Markdown", "a.md", "Hub\n\n    Hub\n", "NEW\n\n    Hub\n"],
  [
    "addresses",
    "a.mdx",
    '[Hub](/Hub "Hub") ![Hub](/Hub.png) https://x.io/Hub\n',
    '[NEW](/Hub "Hub") ![NEW](/Hub.png) https://x.io/Hub\n',
  ],
  ["autolinks", "a.md", "<https://x.io/Hub> Hub\n", "<https://x.io/Hub> NEW\n"],
  ["reference links", "a.mdx", "[Hub] [the Hub][Hub]\n\n[Hub]: /Hub\n", "[NEW] [the NEW][NEW]\n\n[NEW]: /Hub\n"],
  [
    "JSX",
    "a.mdx",
    'import Hub from "/Hub.mdx"\n\n<Hub title="Hub" n={Hub}>\n  Hub {Hub}\n</Hub>\n',
    'import Hub from "/Hub.mdx"\n\n<Hub title="Hub" n={Hub}>\n  NEW {Hub}\n</Hub>\n',
  ],
  ["JSX that holds code", "a.mdx", "<code>Hub</code> Hub\n", "<code>Hub</code> NEW\n"],
  [
    "HTML",
    "a.md",
    '<p class="Hub">Hub <code>Hub</code> <!-- Hub --></p>\n\nHub <b>Hub</b>\n',
    '<p class="Hub">NEW <code>Hub</code> <!-- Hub --></p>\n\nNEW <b>NEW</b>\n',
  ],
  [
    "front matter",
    "a.mdx",
    "---\ntitle: The Hub # Hub\nHub: 'Hub'\nslug: /Hub\nicon: Hub\nimage: Hub.png\nurl: https://x.io/Hub\ntags: [Hub]\n---\nHub\n",
    "---\ntitle: The NEW # Hub\nHub: 'NEW'\nslug: /Hub\nicon: Hub\nimage: Hub.png\nurl: https://x.io/Hub\ntags: [NEW]\n---\nNEW\n",
  ],
  [
    "tables, lists, quotes",
    "a.mdx",
    "| Hub | `Hub` |\n| --- | --- |\n| Hub | [x](/Hub) |\n\n- Hub\n\n> Hub\n",
    "| NEW | `Hub` |\n| --- | --- |\n| NEW | [x](/Hub) |\n\n- NEW\n\n> NEW\n",
  ],
  ["line ends and byte order mark", "a.mdx", "\uFEFFHub\r\n\r\nHub `Hub`", "\uFEFFNEW\r\n\r\nNEW `Hub`"],
  [
    "labels of the navigation",
    "docs.json",
    DOCS_JSON,
    DOCS_JSON.replace("Hub Docs", "NEW Docs").replace("The Hub", "The NEW"),
  ],
];

describe("replace_text in prose", () => {
  it.each(PROSE)("tells prose from %s", async (_name, path, before, after) => {
    session = await createToolSession({ "docs.json": DOCS_JSON, [path]: before });
    await session.run("replace_text", { find: "Hub", replace: "NEW", scope: "prose", glob: path });
    expect(await session.text(path)).toBe(after);
  });

  it.each([
    ["MDX that does not parse", "a.mdx", "Hub <b>\n", "New", /does not parse/],
    ["text that would be MDX", "a.mdx", "Hub\n", "{a b}", /no longer parse/],
    ["a value that would not be YAML", "a.mdx", "---\ntitle: Hub one\n---\n", "A: b", /not valid YAML/],
    ["a label that would be lost", "a.md", "[hub] Hub\n\n[Hub]: /x\n", "New", /reference link/],
  ])("leaves alone and reports %s", async (_name, path, before, replacement, reason) => {
    session = await createToolSession({ "docs.json": DOCS_JSON, [path]: before });
    const output = await session.run("replace_text", { find: "Hub", replace: replacement, scope: "prose", glob: path });
    expect(output).toMatchObject({
      value: { replaced: 0, skipped: [{ path, reason: expect.stringMatching(reason) }] },
    });
    expect(await session.text(path)).toBe(before);
  });

  it("finds ranges inside any text, in order and apart", async () => {
    session = await createToolSession({ "docs.json": DOCS_JSON });
    const piece = fc.constantFrom(
      "# A\n",
      "`b`",
      "[c](d)",
      "[e]",
      "![f](g)",
      "<h>",
      "</h>",
      "{i}",
      "\n\n",
      "---\n",
      "j: k\n",
      "```\n",
      "\\",
      "é",
      "> ",
      "- ",
      "|",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 25 }), fc.constantFrom("a.md", "a.mdx", "a.json"), (pieces, path) => {
        const text = pieces.join("");
        const ranges = proseRanges(path, text, "plain");
        if ("refused" in ranges) return;
        let position = 0;
        for (const { start, end } of ranges) {
          expect(start).toBeGreaterThanOrEqual(position);
          expect(end).toBeGreaterThanOrEqual(start);
          position = end;
        }
        expect(position).toBeLessThanOrEqual(text.length);
      }),
      { numRuns: 300 },
    );
  });
});
