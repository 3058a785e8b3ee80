import { expect, test } from "vitest";
import { openDocs } from "./docs.ts";
import { treeOf } from "./memory-tree.test-helper.ts";

const LONG_NAME = "administration-authentication-and-authorization-of-administrators";

function docsJson(rest: object): string {
  return JSON.stringify({ name: "a", navigation: { pages: ["index"] }, ...rest });
}

/** Far beyond what they take, far below what a pattern takes that does not end. */
const SOON_MS = 10_000;

async function checkSoon(files: Readonly<Record<string, string>>) {
  const started = performance.now();
  const docs = await openDocs(treeOf({ "index.mdx": "# Index\n", ...files }), {});
  const problems = await docs.check(AbortSignal.timeout(60_000));
  expect(performance.now() - started).toBeLessThan(SOON_MS);
  return problems;
}

test("redirects with many wildcards end, and count for none", async () => {
  const problems = await checkSoon({
    "docs.json": docsJson({
      redirects: [
        { source: "/:a*/:b*/:c*/:d*/:e*/:f*/:g*/zz", destination: "/index" },
        { source: "/x-:a-:b-:c-:d-:e-:f-:g-z", destination: "/index" },
      ],
    }),
    "b.mdx": `[x](/${"a/".repeat(200)}y) [y](/x-${"a-".repeat(200)}c)\n`,
  });
  expect(problems.filter(({ kind }) => kind === "link")).toHaveLength(2);
});

test("thousands of redirects and links are followed soon", async () => {
  const problems = await checkSoon({
    "docs.json": docsJson({
      redirects: Array.from({ length: 5_000 }, (_, index) => ({
        source: `/a${index}/:slug*`,
        destination: "/index",
      })),
    }),
    "b.mdx": Array.from({ length: 500 }, (_, index) => `[x](/a${index * 10}/y)`).join("\n\n"),
  });
  expect(problems.filter(({ kind }) => kind === "link")).toEqual([]);
});

test("Docusaurus' excluded globs end", async () => {
  await checkSoon({
    "docusaurus.config.js": `module.exports = { presets: [["classic", { docs: { exclude: ["${"*?".repeat(10)}q"] } }]] };`,
    [`docs/${LONG_NAME}.md`]: "# A\n",
  });
});

test.each([
  ["never closed", `{"name":"a","navigation":${"[".repeat(100_000)}`],
  [
    "groups in groups",
    `{"name":"a","navigation":{"groups":${'[{"group":"a","pages":'.repeat(3_000)}[]${"}]".repeat(3_000)}}}`,
  ],
])("a docs.json that is nested too deeply is a problem, no failure: %s", async (_what, text) => {
  const problems = await checkSoon({ "docs.json": text });
  expect(problems).toContainEqual(
    expect.objectContaining({ path: "docs.json", message: expect.stringMatching(/nested more than/) }),
  );
});

test.each([
  [
    "constants that name one another twice",
    Array.from({ length: 60 }, (_, n) => `const a${n} = [a${n + 1}, a${n + 1}];`).join("\n"),
  ],
  ["a call in a call", `const a0 = ${"f(".repeat(2_000)}1${")".repeat(2_000)};`],
  ["functions that return functions", `const a0 = ${"() => ".repeat(2_000)}1;`],
])("a script of %s is read no further than it may be", async (_what, code) => {
  for (const marker of [".vitepress/config.ts", "astro.config.mjs", "next.config.mjs"]) {
    await checkSoon({
      [marker]: `// @astrojs/starlight "nextra"\n${code}\nexport default f({ themeConfig: { sidebar: a0 }, sidebar: a0, redirects: a0 });\n`,
      "content/index.mdx": "# A\n",
    });
  }
});

test.each([
  ["nested too deeply", `nav: ${"[".repeat(20_000)}`],
  [
    "of aliases that grow",
    `a: &a [x, x]\n${Array.from({ length: 30 }, (_, n) => `${String.fromCharCode(98 + (n % 20))}${n}: [*a, *a]`).join("\n")}\nnav: *a\n`,
  ],
  ["of a deep list", `nav:\n${Array.from({ length: 500 }, (_, n) => `${"  ".repeat(n)}- a${n}:`).join("\n")}\n`],
])("an mkdocs.yml %s is a problem or none, no failure", async (_what, text) => {
  await checkSoon({ "mkdocs.yml": text, "docs/index.md": "# A\n" });
});

test("lines made for the patterns of includes are read soon", async () => {
  const hostile = [
    "<include ".repeat(100_000),
    `<<< ${"[".repeat(300_000)}`,
    `<!--@include:${" ".repeat(300_000)}`,
    `--8<-- "${":a".repeat(200_000)}`,
  ];
  for (const marker of [".vitepress/config.ts", "mkdocs.yml", "source.config.ts"]) {
    const folder = marker === "source.config.ts" ? "content/docs" : "docs";
    await checkSoon({
      [marker]: marker === "mkdocs.yml" ? "site_name: fumadocs\n" : `// fumadocs\nexport default { srcDir: "docs" };\n`,
      ...Object.fromEntries(hostile.map((text, index) => [`${folder}/h${index}.md`, `# A\n\n${text}\n`])),
    });
  }
});
