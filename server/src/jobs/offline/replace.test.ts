import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestService, type TestService } from "../../testing/service.ts";
import { createDocsProject, hasGnuSed, sed, type DocsFile } from "../testing/docs-project.ts";

/** [the text, what replaces it, how the two are quoted in the instruction] */
const REPLACEMENTS: readonly (readonly [find: string, replace: string, quote: string])[] = [
  ["Acme Cloud", "Nimbus", '"'],
  ["a.b*c", "a+b?c", '"'],
  ["^start$", "$1", '"'],
  ["foo/bar", String.raw`foo\bar`, '"'],
  ["R&D", "&&", '"'],
  ['"quoted"', "“typographic”", "'"],
  ["It's", "It is", '"'],
  ["naïve café", "☕ 漢字 😀", "`"],
  ["$1 $& $$", "$`$'$<x>", '"'],
  [String.raw`C:\temp\n`, "/tmp/", '"'],
  ["[link](", "[Link](", '"'],
  ["(?<x>a|b)+", "[x]", '"'],
  [" two  spaces ", "\ta tab\t", '"'],
  ["aa", "a", '"'],
  ["xyzzy", "", '"'],
  ["e\u0301te\u0301", "summer", '"'],
  ["ß", "ss", '"'],
];

const OTHER_WORDS =
  "aaaaa|été|acme cloud|Acme  Cloud|SS|a_b_c|plain|`code`|**bold**|R&amp;D|<br/>|```\n|{/* comment */}|, | # |- |> |[a](/a)|![i](/i.png)|\u00a0|\u2028";
const WORDS = [...REPLACEMENTS.map(([find]) => find), ...OTHER_WORDS.split("|"), "| cell | cell |"];

const FORMS = [
  { eol: "\n", bom: "", final: "\n" },
  { eol: "\r\n", bom: "", final: "\r\n" },
  { eol: "\r\n", bom: "\uFEFF", final: "" },
  { eol: "\n", bom: "\uFEFF", final: "" },
  { eol: "\n", bom: "", final: "\n\n\n" },
  { eol: "mixed", bom: "", final: "\r" },
];

const lines = fc.array(fc.array(fc.constantFrom(...WORDS), { maxLength: 8 }), { maxLength: 12 });
const page = fc.tuple(lines, fc.constantFrom(...FORMS), fc.boolean()).map(([content, { eol, bom, final }, matter]) => {
  const body = content
    .map((words, index) => words.join(" ") + (eol === "mixed" ? ["\n", "\r\n", "\r"][index % 3] : eol))
    .join("");
  const frontMatter = matter ? `---${eol}title: Acme Cloud${eol}---${eol}` : "";
  return `${bom}${eol === "mixed" ? "" : frontMatter}${body.trimEnd()}${final}`;
});

function navigation(prefix: string): string {
  const name = JSON.stringify(REPLACEMENTS.map(([find]) => find).join(" and "));
  return `{\r\n  "$schema": "https://mintlify.com/docs.json",\r\n  "name": ${name},\r\n\t"navigation": { "pages": ["${prefix}a"] }\r\n}`;
}

/** [files, those of them that a replacement looks at] */
type Layout = (pages: string[]) => { files: Record<string, DocsFile>; documents: string[] };

const text = REPLACEMENTS.map(([find]) => find).join("\n");
/** Pages that no job edits, whatever sed would do to them. */
const untouchable = {
  "executable.md": { content: text, executable: true as const },
  "binary.md": Buffer.from(`\0${text}`),
  "latin1.md": Buffer.concat([Buffer.from(text), Buffer.from([0xe9, 0x0a])]),
};
const notDocuments = {
  "package.json": JSON.stringify({ description: text }),
  "src/app.ts": text,
  "image.svg": `<svg><!-- ${text} --></svg>`,
  ".github/workflows/docs.md": text,
  "AGENTS.md": text,
};

function numbered(folder: string, pages: string[]): Record<string, DocsFile> {
  const suffixes = [".md", ".mdx", ".MD", ".mdx"];
  return Object.fromEntries(
    pages.map((content, index) => {
      const path = `${folder}${index % 3 === 0 ? "deep/er folder/" : ""}p ${index}${suffixes[index % 4]}`;
      return [path, content];
    }),
  );
}

const LAYOUTS: Record<string, Layout> = {
  "Mintlify at the root": (pages) => {
    const documents = { "docs.json": navigation(""), "a.mdx": text, "empty.md": "", ...numbered("", pages) };
    return { files: { ...documents, ...notDocuments, ...untouchable }, documents: Object.keys(documents) };
  },
  "Mintlify in a folder": (pages) => {
    const documents = { "site/docs.json": navigation(""), "site/a.mdx": text, ...numbered("site/", pages) };
    return {
      files: { ...documents, ...notDocuments, "README.md": text, "site/openapi.json": `{"info": ${navigation("")}}` },
      documents: Object.keys(documents),
    };
  },
  Docusaurus: (pages) => {
    const documents = {
      "website/sidebars.js": `module.exports = { docs: [{ type: "category", label: ${JSON.stringify(text)}, items: ["a"] }] };\n`,
      "website/docs/a.md": text,
      "website/docs/_category_.json": JSON.stringify({ label: text }),
      ...numbered("website/docs/", pages),
    };
    const config = `module.exports = { title: "x", url: "https://x", baseUrl: "/", presets: ["classic"] };\n`;
    return {
      files: { ...documents, ...notDocuments, "website/docusaurus.config.js": config, "website/src/x.js": text },
      documents: Object.keys(documents),
    };
  },
};

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ DOCENT_JOBS_CONCURRENCY: "4", DOCENT_JOBS_CONCURRENCY_PER_PROJECT: "4" });
});
afterAll(() => service.close());

function instruction(find: string, replace: string, quote: string): string {
  return `replace ${quote}${find}${quote} with ${quote}${replace}${quote}`;
}

describe.skipIf(!hasGnuSed())("replacing a text gives what sed gives", () => {
  it.each(Object.entries(LAYOUTS))("%s", { timeout: 240_000 }, async (name, layout) => {
    const seed = Object.keys(LAYOUTS).indexOf(name) + 1;
    const { files, documents } = layout(fc.sample(page, { seed, numRuns: 16 }));
    const project = await createDocsProject(service, files);
    try {
      const expected: string[] = [];
      for (const [find, replace] of REPLACEMENTS) {
        expected.push(await project.expectedTree((directory) => sed(directory, documents, find, replace)));
      }
      const outcomes = await Promise.all(REPLACEMENTS.map((each) => project.runJob(instruction(...each))));
      for (const [index, outcome] of outcomes.entries()) {
        const found = [REPLACEMENTS[index], outcome.status, outcome.failureReason];
        expect(found).toEqual([REPLACEMENTS[index], "completed", null]);
        expect(await project.diff(expected[index] ?? "", outcome.tree)).toBe("");
        expect(outcome.tree).toBe(expected[index]);
        const kept = Object.keys(untouchable).filter((path) => path in files);
        for (const path of kept) expect(outcome.pullRequest?.body).toContain(path);
      }
    } finally {
      await project.close();
    }
  });
});
