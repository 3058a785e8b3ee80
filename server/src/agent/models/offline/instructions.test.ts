import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { OFFLINE_EXAMPLES } from "./describe.ts";
import type { Instruction } from "./instruction.ts";
import { readInstructions } from "./instructions.ts";

type Replace = Extract<Instruction, { type: "replace" }>;

function replace(find: string, replacement: string, more: Partial<Replace> = {}): Replace {
  return {
    type: "replace",
    find,
    replace: replacement,
    scope: "everywhere",
    wholeWord: false,
    ignoreCase: false,
    isQuoted: true,
    ...more,
  };
}

const ALL_KINDS = ["link", "anchor", "image", "navigation", "redirect"];
const FIX = { type: "fix-links", kinds: ALL_KINDS };
const AB = replace("A", "B");
const PROSE = replace("A", "B", { scope: "prose" });

function move(from: string, to: string): Instruction {
  return { type: "move", from, to };
}

function field(name: string, value: string | number | boolean | null, target: string): Instruction {
  return { type: "set-field", field: name, value, target };
}

const UNDERSTOOD: readonly (readonly [prompt: string, ...instructions: object[]])[] = [
  // Replacing: verbs and quotes.
  ['replace "A" with "B"', AB],
  ["Replace 'A' with 'B'.", AB],
  ["replace `A` by `B`", AB],
  ["rename “A” to “B”", AB],
  ["rename «A» to „B“", AB],
  ["rename ‘A’ to ‘B’", AB],
  ['change every "A" to "B"', AB],
  ['Change all occurrences of "A" into "B"!', AB],
  ['replace each mention of the term "A" with "B"', AB],
  ['replace the word "A" with the word "B"', AB],
  ['swap "A" for "B"', AB],
  ['substitute "B" for "A"', AB],
  ['substitute "A" with "B"', AB],
  ['update "A" to "B"', AB],
  ['turn "A" into "B"', AB],
  ['find and replace "A" with "B"', AB],
  ['use "B" instead of "A"', AB],
  ['say "B" rather than "A" everywhere', AB],
  ['"A" should be "B"', AB],
  ['"A" must now be called "B"', AB],
  ['Please replace "A" with "B", thanks', AB],
  ['Could you please rename "A" to "B"?', AB],
  ['Hi Docent, we need to rename "A" to "B".', AB],
  ['I\'d like you to change "A" to "B" for us please', AB],
  ["replace 'the team's tool' with 'x'", replace("the team's tool", "x")],
  ['replace "say \\"hi\\"" with "x"', replace('say "hi"', "x")],
  ["replace ``a`b`` with `c`", replace("a`b", "c")],
  ['replace "A; then B" with "and fix broken links"', replace("A; then B", "and fix broken links")],
  ['replace "A" with ""', replace("A", "")],
  ['replace "a  b" with "a b"', replace("a  b", "a b")],
  // Replacing without quotes, where nothing else can be meant.
  ["rename Lantern Hub to Lantern Cloud", replace("Lantern Hub", "Lantern Cloud", { isQuoted: false })],
  ["replace foo with bar in guides/**", replace("foo", "bar", { isQuoted: false, glob: "guides/**" })],
  ['rename toggle to "feature flag"', replace("toggle", "feature flag", { isQuoted: false })],
  ["rename the term toggle to flag", replace("toggle", "flag", { isQuoted: false })],
  // Replacing: where and how.
  ['replace "A" with "B" in guides/**', { ...AB, glob: "guides/**" }],
  ['in guides/**, replace "A" with "B"', { ...AB, glob: "guides/**" }],
  ['replace "A" in `guides/**` with "B"', { ...AB, glob: "guides/**" }],
  ['replace "A" with "B" under the guides folder', { ...AB, glob: "guides" }],
  ['replace "A" with "B" in all pages under guides/', { ...AB, glob: "guides/" }],
  ['replace "A" with "B" only in guides/a.mdx', { ...AB, glob: "guides/a.mdx" }],
  ['replace "A" with "B" in guides/** and api/**', { ...AB, glob: "{guides/**,api/**}" }],
  ['replace "A" with "B" in all pages', AB],
  ['replace "A" with "B" throughout the documentation', AB],
  ['Everywhere, replace "A" with "B"', AB],
  ['replace "A" everywhere with "B"', AB],
  ['replace "A" with "B" (prose only)', PROSE],
  ['replace "A" with "B" in prose', PROSE],
  ['replace "A" with "B", but not in code', PROSE],
  ['replace "A" with "B" everywhere except in code blocks', PROSE],
  ['replace "A" with "B" and leave the code alone', PROSE],
  ['replace "A" with "B" in guides/**, prose only', { ...PROSE, glob: "guides/**" }],
  ['replace "A" with "B" everywhere, in code too', AB],
  ['replace "A" with "B" including code samples', AB],
  ['replace "A" with "B", whole words only', { ...AB, wholeWord: true }],
  ['replace "A" with "B" case-insensitively', { ...AB, ignoreCase: true }],
  ['replace "A" with "B" ignoring case, as a whole word', { ...AB, ignoreCase: true, wholeWord: true }],
  // Links.
  ["fix broken links", FIX],
  ["Fix all the broken links.", FIX],
  ["please repair any dead links and images", FIX],
  ["find and fix broken links", FIX],
  ["check for and fix dead links", FIX],
  ["fix link rot", FIX],
  ["fix the links that are broken", FIX],
  ["fix broken links in guides/**", { ...FIX, glob: "guides/**" }],
  ["In guides/**, fix broken links", { ...FIX, glob: "guides/**" }],
  ["fix broken links throughout the docs", FIX],
  ["fix missing images", { type: "fix-links", kinds: ["image"] }],
  ["fix broken anchors and images", { type: "fix-links", kinds: ["anchor", "image"] }],
  ["fix broken image links", { type: "fix-links", kinds: ["image"] }],
  ["correct the navigation entries", { type: "fix-links", kinds: ["navigation"] }],
  // Moving.
  ["move guides/a to guides/b", move("guides/a", "guides/b")],
  ["Move the page `guides/a.mdx` to `start/b.mdx`.", move("guides/a.mdx", "start/b.mdx")],
  ["move /guides/a to /guides/b", move("/guides/a", "/guides/b")],
  ["rename the page guides/a to guides/b", move("guides/a", "guides/b")],
  ["rename guides/a.mdx to guides/b.mdx", move("guides/a.mdx", "guides/b.mdx")],
  ["move guides/a into advanced", move("guides/a", "advanced/")],
  ["move guides/a to the folder advanced", move("guides/a", "advanced/")],
  ["move guides/a to guides/b and update all links to it", move("guides/a", "guides/b")],
  ["relocate guides/a to b, and add a redirect", move("guides/a", "b")],
  // Front matter.
  ['set description to "How to" in guides/a', field("description", "How to", "guides/a")],
  ['set the description of guides/a to "How to"', field("description", "How to", "guides/a")],
  ['set the front matter field icon to "rocket" in guides/**', field("icon", "rocket", "guides/**")],
  ['set description: "How to" in guides/a.mdx', field("description", "How to", "guides/a.mdx")],
  ["set hidden to true in all pages", field("hidden", true, "**")],
  ["set sidebar_position = 3 in guides/a", field("sidebar_position", 3, "guides/a")],
  ['change the title of guides/a to "New"', field("title", "New", "guides/a")],
  ['add the field author with value "Ann" to guides/**', field("author", "Ann", "guides/**")],
  ['in guides/a, set title to "X"', field("title", "X", "guides/a")],
  ['set "og:image" to "/a.png" on every page', field("og:image", "/a.png", "**")],
  ["set `draft` to false in guides/", field("draft", false, "guides/")],
  // Adding a page.
  [
    'add a page guides/x titled "T" with the text: Hello.',
    { type: "add-page", path: "guides/x", title: "T", text: "Hello." },
  ],
  [
    'Create a new page at guides/x.mdx titled "T" in group "G" with the text:\n\n## It\'s; then\n\n- "a"\n- b\n',
    { type: "add-page", path: "guides/x.mdx", title: "T", group: "G", text: '## It\'s; then\n\n- "a"\n- b' },
  ],
  [
    'add a page guides/x after guides/y with the title "T" and with the text "Short."',
    { type: "add-page", path: "guides/x", title: "T", after: "guides/y", text: "Short." },
  ],
  [
    'add a page called "T" at guides/x in the "G" group with the content: """\nOne\n\nTwo\n"""; fix broken links',
    { type: "add-page", path: "guides/x", title: "T", group: "G", text: "One\n\nTwo" },
    FIX,
  ],
  [
    "add a page guides/x titled Single sign-on in group Guides with the text: Ask.",
    { type: "add-page", path: "guides/x", title: "Single sign-on", group: "Guides", text: "Ask." },
  ],
  [
    'add a page guides/x titled "T" with the text:\n```md\n# One\n```\nfix broken links',
    { type: "add-page", path: "guides/x", title: "T", text: "# One" },
    FIX,
  ],
  [
    '1. add a page guides/x titled "T" with the text: One\n\nTwo\n2. fix broken links',
    { type: "add-page", path: "guides/x", title: "T", text: "One\n\nTwo" },
    FIX,
  ],
  // Several at once.
  ['replace "A" with "B"; fix broken links', AB, FIX],
  ['replace "A" with "B" and then fix broken links', AB, FIX],
  ['replace "A" with "B", then move guides/a to guides/b', AB, move("guides/a", "guides/b")],
  ['replace "A" with "B" and fix broken links', AB, FIX],
  ['Replace "A" with "B". Then fix broken links. Thanks!', AB, FIX],
  ["rename foo to bar and fix broken links", replace("foo", "bar", { isQuoted: false }), FIX],
  ['1. replace "A" with "B"\n2) fix broken links\n3. move a/b to c/d', AB, FIX, move("a/b", "c/d")],
  [
    'Please do the following:\n- replace "A" with "B"\n  in guides/**\n* fix broken links\n\nThank you!',
    { ...AB, glob: "guides/**" },
    FIX,
  ],
  ['First, replace "A" with "B".\r\nFinally, fix broken links.', AB, FIX],
];

const REFUSED: readonly (readonly [prompt: string, why?: RegExp])[] = [
  [""],
  ["   \n  "],
  ["thanks!"],
  ["hello"],
  ["write a poem"],
  ["make the docs better"],
  ["fix the typos"],
  ["translate the docs to German"],
  ["delete guides/a"],
  ["what does this project do?"],
  ['should we replace "A" with "B"?'],
  ["do not fix broken links"],
  ['don\'t replace "A" with "B"'],
  ["never fix broken links"],
  ['replace "A" with "B" unless it is in a heading'],
  ['replace "A" with "B" and "C" with "D"'],
  ['replace "A" with "B" in guides/** in api/**'],
  ['replace "A" with "B" prose only, including code'],
  ['replace "A" with "B" case-sensitively, ignoring case'],
  ['replace "A" with "B" in code'],
  ['replace "A"'],
  ['replace "A" with "A"', /same/],
  ['replace "" with "B"', /empty/],
  ['replace "A\nC" with "B"', /one line/],
  ['replace "A with B', /not closed/],
  ['replace "A" for "B"', /which text goes/],
  ["replace old screenshots with new ones", /quotes/],
  ["replace the intro with something better"],
  ["rename A to B to C", /quotes/],
  ["rename guides/a to guides/b", /page or a term/],
  ["change the tone to friendly"],
  ["update the docs to version 2"],
  ["change toggle to flag"],
  ["change title to heading in guides/a", /field or a word/],
  ["replace A with B and C with D", /quotes/],
  ["fix broken links unless they are external"],
  ["fix broken links prose only"],
  ["fix the build"],
  ["fix broken links in the installation section and rewrite the intro"],
  ["move guides/ to tutorials/", /folder/],
  ["move the installation section to the quickstart page"],
  ["move guides/* to tutorials", /one page/],
  ["move guides/a"],
  ["update all links"],
  ["add a page about SSO"],
  ["add a page guides/x", /title/],
  ['add a page guides/x titled "T"', /text/],
  ['add a page titled "T" with the text: Hello', /path/],
  ['add a page guides/x titled "T" in group "G" after guides/y with the text: Hello', /group or/],
  ["set description to something nice in guides/a"],
  ['set description to "x"'],
  ["set description in guides/a"],
  ["set the table"],
  ['replace "A" with "B"; write a poem'],
  ["fix broken links and add a page about SSO"],
  ['replace "A" with "B". But only if the tests pass.'],
  ['Thanks, but do not touch code. replace "A" with "B"'],
];

describe("readInstructions", () => {
  it.each(UNDERSTOOD.map(([prompt, ...instructions]) => ({ prompt, instructions })))(
    "understands: $prompt",
    ({ prompt, instructions }) => {
      expect(readInstructions(prompt)).toEqual({ instructions });
    },
  );

  it.each(REFUSED.map(([prompt, why]) => ({ prompt, why })))("refuses: $prompt", ({ prompt, why }) => {
    const read = readInstructions(prompt);
    expect(read).toHaveProperty("notUnderstood");
    if (why !== undefined) expect(read).toHaveProperty("why", expect.stringMatching(why));
  });

  it("quotes the part that it does not understand", () => {
    expect(readInstructions('replace "A" with "B"; write a “nice” poem')).toEqual({
      notUnderstood: 'write a "nice" poem',
    });
  });

  it.each(OFFLINE_EXAMPLES)("understands its own example to $purpose", ({ example }) => {
    expect(readInstructions(example)).toHaveProperty("instructions.length", 1);
  });

  it("takes any quoted terms as they are", () => {
    const term = fc.string({ minLength: 1, unit: "grapheme" }).filter((text) => !/["\n\r\\]/.test(text));
    fc.assert(
      fc.property(term, term, (find, replacement) => {
        fc.pre(find !== replacement);
        expect(readInstructions(`replace "${find}" with "${replacement}" in guides/**`)).toEqual({
          instructions: [replace(find, replacement, { glob: "guides/**" })],
        });
      }),
    );
  });

  it("answers any text without throwing, and in time", () => {
    const word = fc.constantFrom(
      "replace",
      "fix",
      "links",
      "in",
      "and",
      "to",
      "a page",
      "the",
      '"',
      "'",
      "`",
      "A",
      ";",
      "\n",
      "1. ",
      ",",
      "with the text:",
      "set",
      "all",
      "broken",
      "guides/**",
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(word, { maxLength: 60 }).map((words) => words.join(" ")),
          fc.string(),
        ),
        (prompt) => {
          readInstructions(prompt);
        },
      ),
      { numRuns: 500 },
    );
    for (const long of [
      "replace the ".repeat(8000),
      "in a/b, ".repeat(12000),
      "fix broken, broken ".repeat(5000),
      "and ".repeat(25000),
      '"'.repeat(99_999),
      `replace "A" with "B"${" in all pages".repeat(7000)}`,
    ]) {
      const started = performance.now();
      readInstructions(long);
      expect(performance.now() - started).toBeLessThan(2000);
    }
  });
});
