import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { editText, type TextEdit } from "./edit.ts";

/**
 * Edits as models send them: with other white space, quotes and line ends than the file has, with stale text, with
 * what a listing or an escape added. Each is made exactly as it was meant, or refused; nothing in between.
 */
interface Row {
  name: string;
  file: string;
  edits: TextEdit[];
  /** The whole file afterwards. */
  becomes?: string;
  /** What the refusal says, the nearest lines among it. */
  refused?: RegExp;
}

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (content: Uint8Array) => new TextDecoder("utf-8", { ignoreBOM: true }).decode(content);

function run({ file, edits }: Row): string {
  const result = editText(bytes(file), edits);
  return "refused" in result ? `REFUSED ${result.refused}` : text(result.content);
}

const made = (name: string, file: string, old: string, replacement: string, becomes: string): Row => ({
  name,
  file,
  edits: [{ old, new: replacement }],
  becomes,
});
const refused = (name: string, file: string, old: string, replacement: string, reason: RegExp): Row => ({
  name,
  file,
  edits: [{ old, new: replacement }],
  refused: reason,
});

const LIST = "- one\n  - two\n  - three\n- four\n";
const STEPS = "<Steps>\n  <Step>\n    Install it.\n  </Step>\n</Steps>\n";
const TABLE = "| Flag | Default |\n| ---- | ------- |\n| `on` | true    |\n\nAfter.\n";
const PAGE = "---\ntitle: Install\n---\n\n# Install\n\nRun the installer.\n";

const GROUPS: Record<string, Row[]> = {
  quotes: [
    made(
      "straight for curly, one word changed",
      "Say “yes” now.\n",
      'Say "yes" now',
      'Say "no" now',
      "Say “no” now.\n",
    ),
    made("between two changes too", "“a” x “b” y “c”\n", '"a" x "b" y "c"', '"a" X "b" Y "c"', "“a” X “b” Y “c”\n"),
    made("curly for straight", 'Say "yes" now.\n', "Say “yes” now", "Say “no” now", 'Say "no" now.\n'),
    made(
      "an apostrophe",
      "It’s the user’s key.\n",
      "It's the user's key",
      "It's the team's key",
      "It’s the team’s key.\n",
    ),
    made("a quote added on purpose", "It’s on.\n", "It's on", 'It\'s "on"', 'It’s "on".\n'),
    made("quotes made curly on purpose", 'It’s "on" – ok\n', 'It\'s "on" - ok', "It's “on” - ok", "It’s “on” – ok\n"),
    refused("curly and straight at two places", "“a” 1\n„a“ 2\n", '"a"', '"b"', /2 places \(lines 1, 2\)/),
    refused("a part of a longer word only", "The bandit’s path\n", "it's", "its", /not in the file/),
    made("the exact one of two alike", '"a"\n“a”\n', '"a"', '"b"', '"b"\n“a”\n'),
    refused(
      "escaped by a backslash in new",
      '<Card title="A" />\n',
      '<Card title="A" />',
      '<Card title=\\"B\\" />',
      /backslash before every quote/,
    ),
    refused(
      "escaped by a backslash in old",
      '<Card title="A" />\n',
      '<Card title=\\"A\\" />',
      "x",
      /1: <Card title="A" \/>/,
    ),
    refused("backticks for quotes", "Set `on` to 1.\n", "Set 'on' to 1.", "x", /1: Set `on` to 1\./),
  ],
  "dashes, dots and spaces": [
    made("an en dash", "1 – 2 seconds\n", "1 - 2 seconds", "1 - 2 minutes", "1 – 2 minutes\n"),
    made(
      "a dash changed on purpose beside a quote",
      "It’s a - b c\n",
      "It's a - b c",
      "It's a — b d",
      "It’s a — b d\n",
    ),
    made(
      "a dash changed in spite of a no-break space",
      "10\u00a0MB - free\n",
      "10 MB - free",
      "10 MB – free",
      "10\u00a0MB – free\n",
    ),
    made("an ellipsis", "wait… go on\n", "wait... go on", "wait... stop", "wait… stop\n"),
    refused("a part of an ellipsis", "wait… go\n", "wait..", "stop", /1: wait… go/),
    made("a no-break space", "10\u00a0MB free\n", "10 MB free", "20 MB free", "20\u00a0MB free\n"),
    made("a no-break space in old", "10 MB free\n", "10\u00a0MB free", "10\u00a0MB used", "10 MB used\n"),
    made("a narrow no-break space", "5\u202f% of\n", "5 % of", "6 % of", "6\u202f% of\n"),
    made("an ideographic space", "甲\u3000乙 丙\n", "甲 乙 丙", "甲 乙 丁", "甲\u3000乙 丁\n"),
    made("a tab for spaces between words", "a\tb c\n", "a b c", "a b d", "a\tb d\n"),
    made("a zero-width space", "foo\u200bbar baz\n", "foobar baz", "foobar qux", "foo\u200bbar qux\n"),
    made(
      "a soft hyphen",
      "config\u00aduration is\n",
      "configuration is",
      "configuration was",
      "config\u00aduration was\n",
    ),
    refused("a hyphen for an underscore", "max_age is set\n", "max-age is set", "x", /1: max_age is set/),
    refused("no space for one", "data base is up\n", "database is up", "x", /1: data base is up/),
  ],
  Unicode: [
    made("decomposed accents in the file", "cafe\u0301 ouvert\n", "café ouvert", "café fermé", "cafe\u0301 fermé\n"),
    made("decomposed accents in old", "café ouvert\n", "cafe\u0301 ouvert", "cafe\u0301 clos", "café clos\n"),
    refused(
      "a letter without its accent",
      "cafe\u0301 ouvert\n",
      "cafe",
      "bar",
      /nearest lines are:\n1: cafe\u0301 ouvert/,
    ),
    refused("half of an emoji", "a 😀 b\n", "\ud83d", "x", /half of a surrogate pair/),
    refused("a part of a joined emoji", "by 👩‍💻 only\n", "by 👩", "by 👨", /1: by 👩‍💻 only/),
    refused("an emoji without its skin tone", "ok 👍🏽 done\n", "ok 👍", "ok", /1: ok 👍🏽 done/),
    refused("letters of another script that look alike", "Cоnfig file\n", "Config file", "x", /1: Cоnfig file/),
    refused("another case", "Use the API Key.\n", "use the api key.", "x", /1: Use the API Key\./),
    made("full-width quotes", "按＂确定＂键\n", '按"确定"键', '按"取消"键', "按＂取消＂键\n"),
  ],
  "line ends and the byte order mark": [
    made("CRLF in the file", "a\r\nb\r\nc\r\n", "a\nb", "a\nx\nb", "a\r\nx\r\nb\r\nc\r\n"),
    made("CRLF in the edit", "a\nb\nc\n", "a\r\nb", "a\r\nx", "a\nx\nc\n"),
    made("mixed line ends", "a\nb\r\nc\n", "a\nb\nc", "a\nb\nd", "a\nb\r\nd\n"),
    made("a mark in old", "\uFEFF# T\ntext\n", "\uFEFF# T", "# U", "\uFEFF# U\ntext\n"),
    made("a mark in new", "\uFEFF# T\ntext\n", "# T", "\uFEFF# U", "\uFEFF# U\ntext\n"),
    made("a mark in new for a file without", "# T\ntext\n", "# T", "\uFEFF# U", "# U\ntext\n"),
    made("a final newline that the file lacks", "a\nb", "b\n", "c\n", "a\nc"),
    made("new without the final newline", "a\nb\n", "b\n", "c", "a\nc\n"),
    made("new on the last line with one too many", "a\nb", "b", "c\n", "a\nc"),
    refused("a line end lost in the middle", "- a\n- b\n\n# C\n", "- a\n", "- x", /line 2 would be joined/),
    refused("and at the start", "para\n# C\ntext\n", "\n# C", "# D", /joined to line 1/),
    refused("a line end lost with its text", "see here\nnext\n", " here\n", "", /line 2 would be joined/),
    refused(
      "a line end too many in a table",
      TABLE,
      "| ---- | ------- |",
      "| --- | --- |\n",
      /blank line would come before line 3/,
    ),
    made("a blank line added on purpose", "# T\ntext\n", "# T", "# T\n", "# T\n\ntext\n"),
    made("lines joined on purpose", "a\nb\n", "a\nb", "a b", "a b\n"),
    refused("two characters for a line break", "a\nb\nc\n", "a\\nb", "x", /not in the file/),
    refused(
      "two characters for line breaks in new",
      "Intro.\n",
      "Intro.",
      "Intro.\\n\\n## More\\n- a",
      /Write real line breaks/,
    ),
    made("a backslash and n in code", 'print("a")\n', 'print("a")', 'print("a\\n- b")', 'print("a\\n- b")\n'),
  ],
  "white space and indentation": [
    made("trailing spaces in old", "a\nb\n", "a  \nb", "a\nc", "a\nc\n"),
    made("a hard break stays", "a  \nb\n", "a\nb", "x\nb", "x  \nb\n"),
    made("a hard break added on purpose", "a \nb’s\n", "a\nb's", "a  \nb's", "a  \nb’s\n"),
    made(
      "another depth",
      STEPS,
      "<Step>\n  Install it.\n</Step>",
      "<Step>\n  Build it.\n  Run it.\n</Step>",
      STEPS.replace("    Install it.", "    Build it.\n    Run it."),
    ),
    made(
      "tabs in the file",
      "a:\n\tb:\n\t\tc: 1\n",
      "  b:\n    c: 1",
      "  b:\n    c: 2\n    d:\n      e: 3",
      "a:\n\tb:\n\t\tc: 2\n\t\td:\n\t\t\te: 3\n",
    ),
    refused(
      "tabs in the file, at a depth that cannot be told",
      "\ta\n\tb\n",
      "a\nb",
      "a\n  x\nb",
      /tabs and spaces as they are/,
    ),
    refused(
      "nested in old, level in the file",
      "- one\n- two\n",
      "- one\n  - two",
      "- one\n  - two\n  - three",
      /1: - one\n2: - two/,
    ),
    refused("level in old, nested in the file", LIST, "- one\n- two", "- one\n- x", /1: - one\n2: {3}- two/),
    refused(
      "the indentation left out of a line with more after it",
      LIST,
      "- three",
      "- three\n- three and a half",
      /indentation of line 3/,
    ),
    made(
      "the indentation given",
      LIST,
      "  - three",
      "  - three\n  - more",
      "- one\n  - two\n  - three\n  - more\n- four\n",
    ),
    made(
      "deeper lines after one without its indentation",
      LIST,
      "- three",
      "- three\n    - deep",
      LIST.replace("- three", "- three\n    - deep"),
    ),
    refused("at two depths", "  a\n  b\n    a\n    b\n", "a\nb", "x", /2 places \(lines 1, 3\)/),
    refused("a blank line too few", "a\n\nb\n", "a\nb", "x", /1: a/),
    refused("a blank line too many", "alpha\nbeta\n", "alpha\n\nbeta", "x", /1: alpha\n2: beta/),
    made("spaces in a table", TABLE, "| `on` | true |", "| `on` | false |", TABLE.replace("true    |", "false    |")),
    refused("white space only, at many places", "a\n\nb\n\nc\n", "\n\n", "\n", /2 places/),
  ],
  "which place": [
    refused("two places", PAGE, "Install", "Set up", /2 places \(lines 2, 5\).*`all`/),
    {
      name: "one of them by its line",
      file: PAGE,
      edits: [{ old: "Install", new: "Set up", line: 5 }],
      becomes: PAGE.replace("# Install", "# Set up"),
    },
    {
      name: "on its line in spite of quotes",
      file: "it’s\nit’s\n",
      edits: [{ old: "it's", new: "it is", line: 2 }],
      becomes: "it’s\nit is\n",
    },
    {
      name: "a line that does not hold it",
      file: PAGE,
      edits: [{ old: "Install", new: "x", line: 7 }],
      refused: /Line 7 does not hold.*Run the installer/,
    },
    {
      name: "a line that is not there",
      file: PAGE,
      edits: [{ old: "Install", new: "x", line: 99 }],
      refused: /no line 99: the file has 7 lines/,
    },
    { name: "twice on the line", file: "aXa\n", edits: [{ old: "a", new: "b", line: 1 }], refused: /2 times/ },
    { name: "overlapping on the line", file: "aaa\n", edits: [{ old: "aa", new: "b", line: 1 }], refused: /2 times/ },
    { name: "line and final newline", file: "a\nb", edits: [{ old: "b", new: "c\n", line: 2 }], becomes: "a\nc" },
    made("a line and the next by a longer text", "x\na\nx\nb\n", "x\nb", "y\nb", "x\na\ny\nb\n"),
    { name: "all", file: "“a” 1\n“a” 2\n", edits: [{ old: '"a"', new: '"b"', all: true }], becomes: "“b” 1\n“b” 2\n" },
    {
      name: "a swap",
      file: "on, off\n",
      edits: [
        { old: "on", new: "off" },
        { old: "off", new: "on" },
      ],
      becomes: "off, on\n",
    },
    {
      name: "a swap of all",
      file: "on off on\n",
      edits: [
        { old: "on", new: "off", all: true },
        { old: "off", new: "on", all: true },
      ],
      becomes: "off on off\n",
    },
    {
      name: "an edit of what another writes",
      file: "flag x\n",
      edits: [
        { old: "flag", new: "toggle switch" },
        { old: "toggle", new: "lever" },
      ],
      refused: /edit 1 writes that text/,
    },
    {
      name: "edits that overlap",
      file: "a b c\n",
      edits: [
        { old: "a b", new: "x" },
        { old: "b c", new: "y" },
      ],
      refused: /edits 1 and 2 overlap on line 1/,
    },
    {
      name: "an edit inside another",
      file: "a b c\n",
      edits: [
        { old: "b", new: "x" },
        { old: "a b c", new: "y" },
      ],
      refused: /edits 1 and 2 overlap/,
    },
    {
      name: "the same edit twice",
      file: "a b\n",
      edits: [
        { old: "a", new: "x" },
        { old: "a", new: "x" },
      ],
      refused: /edits 1 and 2 overlap/,
    },
    {
      name: "edits that touch",
      file: "ab\n",
      edits: [
        { old: "b", new: "y" },
        { old: "a", new: "x" },
      ],
      becomes: "xy\n",
    },
    {
      name: "one good, one not",
      file: "a b\n",
      edits: [
        { old: "a", new: "x" },
        { old: "qqq zzz", new: "y" },
      ],
      refused: /^REFUSED Edit 2 of 2, none of which was made/,
    },
    refused("an empty text", PAGE, "", "x", /`old` is empty/),
    refused("no change", PAGE, "Run", "Run", /the same/),
  ],
  "what was never meant for the file": [
    refused("line numbers in old", PAGE, "7→Run the installer.", "x", /7: Run the installer\./),
    refused(
      "line numbers in new",
      PAGE,
      "Run the installer.",
      "7→Run the program.\n8→Then go on.",
      /line numbers and arrows/,
    ),
    refused("a placeholder in old", "# A\n\none\ntwo\n\n# B\n", "# A\n... existing content ...\n# B", "x", /1: # A/),
    refused(
      "a placeholder in new",
      "# A\n\none\ntwo\n",
      "# A\n\none\ntwo",
      "# New\n\n... existing content ...",
      /placeholder/,
    ),
    refused(
      "as an HTML comment",
      PAGE,
      "# Install\n\nRun the installer.",
      "# Set up\n\n<!-- rest of the page unchanged -->",
      /placeholder/,
    ),
    refused("as an MDX comment", PAGE, "Run the installer.", "{/* ... existing code ... */}\nMore.", /placeholder/),
    refused(
      "as a code comment",
      "```js\na();\nb();\n```\n",
      "a();\nb();",
      "c();\n// ... rest of the code",
      /placeholder/,
    ),
    made("dots that are the reader's", "```js\na();\n```\n", "a();", "a();\n// ...", "```js\na();\n// ...\n```\n"),
    made(
      "a heading about existing content",
      "# A\n",
      "# A",
      "# Import existing content",
      "# Import existing content\n",
    ),
    refused("a code fence around old", PAGE, "```md\n# Install\n```", "x", /5: # Install/),
    refused("HTML entities in old", "Tom & Jerry's <b>\n", "Tom &amp; Jerry's &lt;b&gt;", "x", /1: Tom & Jerry's <b>/),
    refused(
      "HTML entities in new",
      '<Card title="A">\n',
      '<Card title="A">',
      "&lt;Card title=&quot;B&quot;&gt;",
      /HTML entities/,
    ),
    made("an angle bracket escaped on purpose", "A List<T> is\n", "List<T>", "List&lt;T>", "A List&lt;T> is\n"),
    refused(
      "a backslash that Markdown would want",
      "snake_case_name\n",
      "snake\\_case\\_name",
      "x",
      /1: snake_case_name/,
    ),
    refused(
      "search and replace markers",
      PAGE,
      "Run the installer.",
      "<<<<<<< SEARCH\nRun\n=======\nGo\n>>>>>>> REPLACE",
      /search and replace/,
    ),
    refused("a NUL character", "a\n", "a", "b\0", /NUL/),
  ],
  "stale text": [
    refused("a word that has changed", PAGE, "Run the old installer.", "x", /7: Run the installer\./),
    refused("a section that is gone", PAGE, "## Uninstall\n\nRemove the package.", "x", /not in the file/),
    refused(
      "a line between that is new",
      "alpha one\nbeta two\ngamma three\n",
      "alpha one\ngamma three",
      "x",
      /1: alpha one/,
    ),
    refused("a front matter field of another page", PAGE, "title: Uninstall", "title: Remove", /2: title: Install/),
    refused("lines in another order", "first line\nsecond line\n", "second line\nfirst line", "x", /first line/),
    refused("cut short in the middle", PAGE, "# Install\n\nRun ... installer.", "x", /7: Run the installer\./),
  ],
};

for (const [group, rows] of Object.entries(GROUPS)) {
  describe(group, () => {
    test.each(rows)("$name", (row) => {
      const after = run(row);
      if (row.becomes !== undefined) expect(after).toBe(row.becomes);
      else {
        expect(after).toMatch(/^REFUSED /);
        expect(after).toMatch(row.refused ?? /^$/);
      }
    });
  });
}

/** A character of the page, and how a model writes it. */
const CHARACTERS = [
  ["“", '"'],
  ["”", '"'],
  ["’", "'"],
  ["–", "-"],
  ["…", "..."],
  ["\u00a0", " "],
  ["  ", " "],
  ["e\u0301", "é"],
  ["\u200b", ""],
  [" ", " "],
  ["x", "x"],
  ["😀", "😀"],
] as const;

test("whatever a model changes in typography, one changed word is all that changes", () => {
  const side = fc.array(fc.constantFrom(...CHARACTERS), { maxLength: 12 });
  let edits = 0;
  const word = fc.constantFrom("alpha", "beta-1", "`gamma`", "[d](/e)");
  fc.assert(
    fc.property(side, side, word, word, fc.constantFrom("\n", "\r\n"), (before, after, from, to, eol) => {
      fc.pre(from !== to);
      const page = (parts: readonly (readonly [string, string])[]) => parts.map(([own]) => own).join("");
      const copy = (parts: readonly (readonly [string, string])[]) => parts.map(([, plain]) => plain).join("");
      const file = `first line${eol}|${page(before)}|${from}|${page(after)}|${eol}last line${eol}`;
      const old = `|${copy(before)}|${from}|${copy(after)}|`;
      const replacement = `|${copy(before)}|${to}|${copy(after)}|`;
      const result = editText(bytes(file), [{ old, new: replacement }]);
      if ("refused" in result) return;
      edits += 1;
      const expected = file.replace(`|${from}|${page(after)}|`, () => `|${to}|${page(after)}|`);
      expect(text(result.content).replaceAll("\u200b", "")).toBe(expected.replaceAll("\u200b", ""));
    }),
    { numRuns: 3000 },
  );
  expect(edits).toBeGreaterThan(1500);
});
