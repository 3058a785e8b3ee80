import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { editText, type TextEdit } from "./edit.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const string = (content: Uint8Array) => new TextDecoder("utf-8", { ignoreBOM: true }).decode(content);

function edit(before: string, ...edits: TextEdit[]): string {
  const result = editText(bytes(before), edits);
  return "refused" in result ? `REFUSED ${result.refused}` : string(result.content);
}

describe("finds the text exactly", () => {
  test.each<[name: string, before: string, old: string, replacement: string, after: string]>([
    ["a word", "one two three\n", "two", "2", "one 2 three\n"],
    ["at the start", "one two\n", "one", "1", "1 two\n"],
    ["at the end without a newline", "one two", "two", "2", "one 2"],
    ["the whole file", "one\n", "one\n", "two\n", "two\n"],
    ["a deletion", "one two\n", " two", "", "one\n"],
    ["a whole line deleted", "a\nb\nc\n", "b\n", "", "a\nc\n"],
    ["several lines", "a\nb\nc\nd\n", "b\nc", "x", "a\nx\nd\n"],
    ["lines inserted", "a\nd\n", "a\nd", "a\nb\nc\nd", "a\nb\nc\nd\n"],
    ["regular expression characters", "a.*b $1\n", ".*b $1", "$& $$", "a$& $$\n"],
    ["characters outside the BMP", "a 😀 b 😀😀\n", "a 😀 b", "🎉", "🎉 😀😀\n"],
    ["indentation as it is", "  a\n    b\n", "    b", "    c", "  a\n    c\n"],
    ["trailing spaces added", "a\nb\n", "a\n", "a  \n", "a  \nb\n"],
    ["curly quotes put in on purpose", 'say "a"\n', '"a"', "“a”", "say “a”\n"],
    ["a dash changed on purpose", "a - b\n", "a - b", "a — b", "a — b\n"],
    ["white space changed on purpose", "a  b\n", "a  b", "a b", "a b\n"],
    ["a table", "| a | b |\n| - | - |\n", "| a | b |", "| a | c |", "| a | c |\n| - | - |\n"],
    ["the exact place where a look-alike stands too", "a-b\na–b\n", "a-b", "c", "c\na–b\n"],
  ])("%s", (_name, before, old, replacement, after) => {
    expect(edit(before, { old, new: replacement })).toBe(after);
  });
});

describe("keeps line ends, the byte order mark and the final newline", () => {
  test.each<[name: string, before: string, old: string, replacement: string, after: string]>([
    ["CRLF: one line", "a\r\nb\r\n", "b", "c", "a\r\nc\r\n"],
    ["CRLF: old and new with LF", "a\r\nb\r\nc\r\n", "a\nb", "a\nx\nb", "a\r\nx\r\nb\r\nc\r\n"],
    ["CRLF: old and new with CRLF", "a\r\nb\r\n", "a\r\nb", "a\r\nx", "a\r\nx\r\n"],
    ["LF: new with CRLF", "a\nb\n", "a\n", "a\r\nx\r\n", "a\nx\nb\n"],
    ["CRLF: lines deleted", "a\r\nb\r\nc\r\n", "b\n", "", "a\r\nc\r\n"],
    ["mixed: each repeated line keeps its own", "a\r\nb\nc\r\nd\n", "a\nb\nc\nd", "a\nb\nC\nd", "a\r\nb\nC\r\nd\n"],
    ["mixed: a new line takes the next one's", "a\nb\r\nc\n", "a\nb", "a\nx\nb", "a\nx\r\nb\r\nc\n"],
    ["mixed: a line joined", "a\r\nb\nc\r\n", "a\nb", "a b", "a b\nc\r\n"],
    ["mixed: in the middle of equal lines", "a\nb\r\nc\nd\r\n", "a\nb\nc\nd", "A\nb\nc\nD", "A\nb\r\nc\nD\r\n"],
    ["a byte order mark", "\uFEFFa\nb\n", "a", "x", "\uFEFFx\nb\n"],
    ["a byte order mark and CRLF", "\uFEFFa\r\nb", "b", "x\ny", "\uFEFFa\r\nx\r\ny"],
    ["the final newline though new has none", "a\nb\n", "b\n", "c", "a\nc\n"],
    ["the final CRLF though new has none", "a\r\nb\r\n", "b\r\n", "c", "a\r\nc\r\n"],
    ["no final newline though new has one", "a\nb", "b", "c\n", "a\nc"],
    ["no final newline after lines added", "a", "a", "a\nb\n", "a\nb"],
    ["a lone CR is a character", "a\rb\nc\n", "c", "d", "a\rb\nd\n"],
  ])("%s", (_name, before, old, replacement, after) => {
    expect(edit(before, { old, new: replacement })).toBe(after);
  });
});

describe("finds the text in spite of typography and white space", () => {
  test.each<[name: string, before: string, old: string, replacement: string, after: string]>([
    [
      "curly quotes stay where nothing changed",
      "He said “yes” today.\n",
      'said "yes" today',
      'said "yes" tomorrow',
      "He said “yes” tomorrow.\n",
    ],
    ["an apostrophe", "It’s here.\n", "It's here", "It's there", "It’s there.\n"],
    ["a dash", "a – b\nc\n", "a - b", "a - x", "a – x\nc\n"],
    ["a no-break space", "10\u00a0MB free\n", "10 MB free", "10 MB used", "10\u00a0MB used\n"],
    ["an ellipsis", "wait… then go\n", "wait... then go", "wait... then stop", "wait… then stop\n"],
    ["a zero-width space", "foo\u200bbar baz\n", "foobar baz", "foobar qux", "foo\u200bbar qux\n"],
    ["two spaces", "a  b c\n", "a b c", "a b d", "a  b d\n"],
    ["a tab between words", "a\tb c\n", "a b c", "a b d", "a\tb d\n"],
    ["white space at line ends", "a  \nb\t\nc\n", "a\nb\nc", "a\nb\nd", "a  \nb\t\nd\n"],
    ["decomposed accents", "cafe\u0301 bar\n", "café bar", "café baz", "cafe\u0301 baz\n"],
    ["and composed ones", "café bar\n", "cafe\u0301 bar", "cafe\u0301 baz", "café baz\n"],
    ["with CRLF too", "“a”\r\nb\r\n", '"a"\nb', '"a"\nc', "“a”\r\nc\r\n"],
  ])("%s", (_name, before, old, replacement, after) => {
    expect(edit(before, { old, new: replacement })).toBe(after);
  });
});

describe("finds the text with another indentation", () => {
  test.each<[name: string, before: string, old: string, replacement: string, after: string]>([
    [
      "deeper in the file",
      "<A>\n    <B>\n      x\n    </B>\n</A>\n",
      "<B>\n  x\n</B>",
      "<B>\n  y\n  z\n</B>",
      "<A>\n    <B>\n      y\n      z\n    </B>\n</A>\n",
    ],
    ["shallower in the file", "- a\n  b\n", "    - a\n      b", "    - a\n      c", "- a\n  c\n"],
    ["tabs in the file", "x:\n\ty:\n\t\tz\n", "  y:\n    z", "  y:\n    w\n    v", "x:\n\ty:\n\t\tw\n\t\tv\n"],
    ["a deeper line added", "  a\n  b\n", "a\nb", "a\n  x\nb", "  a\n    x\n  b\n"],
    ["a blank line inside", "  a\n\n  b\n", "a\n\nb", "a\n\nc", "  a\n\n  c\n"],
    ["a final newline that the file lacks", "  a\n  b", "a\nb\n", "a\nc\n", "  a\n  c"],
    ["CRLF", "  a\r\n  b\r\n", "a\nb\n", "a\nx\nb\n", "  a\r\n  x\r\n  b\r\n"],
    ["white space at line ends of old", "  a\n  b\n", "a \nb", "a\nc", "  a\n  c\n"],
  ])("%s", (_name, before, old, replacement, after) => {
    expect(edit(before, { old, new: replacement })).toBe(after);
  });
});

describe("replaces every place with `all`", () => {
  test.each<[before: string, old: string, replacement: string, after: string]>([
    ["a b a\na\n", "a", "x", "x b x\nx\n"],
    ["aaaa\n", "aa", "b", "bb\n"],
    ["aaa\n", "aa", "b", "ba\n"],
    ["a\r\nb\na\r\nb\n", "a\nb", "c\nd", "c\r\nd\nc\r\nd\n"],
    ["“a” 1\n“a” 2\n", '"a"', '"b"', "“b” 1\n“b” 2\n"],
  ])("%j", (before, old, replacement, after) => {
    expect(edit(before, { old, new: replacement, all: true })).toBe(after);
  });
});

describe("refuses", () => {
  test.each<[name: string, before: string, old: string, replacement: string, reason: RegExp]>([
    ["two places, naming their lines", "a\nb\na\n", "a", "x", /2 places \(lines 1, 3\).*`all`/],
    ["two places that overlap", "aaa\n", "aa", "x", /2 places \(line 1\)/],
    ["two places that differ in typography only", "“a”\n”a“\n", '"a"', "x", /2 places \(lines 1, 2\)/],
    ["two places with another indentation", "  a\n  b\n    a\n    b\n", "a\nb", "x", /2 places \(lines 1, 3\)/],
    ["an empty old", "a\n", "", "x", /`old` is empty.*write_file/],
    ["no change", "a\n", "a", "a", /the same/],
    ["no change once it is in the file's typography", "“a”\n", '"a" ', '"a"', /not in the file|changes nothing/],
    ["nothing alike", "apple\n", "zzzzzz qqqq", "x", /nor anything like it/],
    ["a NUL character", "a\n", "a", "a\0", /NUL/],
    ["half of a surrogate pair", "a\n", "a", "\ud800", /surrogate/],
  ])("%s", (_name, before, old, replacement, reason) => {
    expect(edit(before, { old, new: replacement })).toMatch(reason);
  });

  test("what is not there, with the nearest lines and their numbers", () => {
    const before = "# Install\n\nRun `npm install docent` first.\n\nThen start it.\n";
    expect(edit(before, { old: "Run `npm install docnet` at first.", new: "x" })).toMatch(
      /The nearest lines are:\n3: Run `npm install docent` first\.\nCopy/,
    );
  });

  test("binary, UTF-16 and broken UTF-8 files, and LFS pointers", () => {
    const refusal = (content: Uint8Array) => JSON.stringify(editText(content, [{ old: "a", new: "b" }]));
    expect(refusal(Buffer.from("a\0"))).toMatch(/binary/);
    expect(refusal(Buffer.from("\ufeffa", "utf16le"))).toMatch(/UTF-16/);
    expect(refusal(Buffer.from([0x61, 0xe9]))).toMatch(/not valid UTF-8/);
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${"a".repeat(64)}\nsize 12\n`;
    expect(refusal(Buffer.from(pointer))).toMatch(/LFS/);
  });

  test("all edits when one cannot be made, saying which", () => {
    expect(edit("a b\n", { old: "a", new: "x" }, { old: "zzz", new: "y" })).toMatch(
      /^REFUSED Edit 2 of 2, none of which was made/,
    );
    expect(edit("a\n")).toMatch(/There is no edit/);
  });

  test("no more than twenty line numbers", () => {
    expect(edit("a\n".repeat(30), { old: "a", new: "b" })).toMatch(/30 places .* and 10 more/);
  });
});

test("every edit is looked for in the file as it was before the first", () => {
  expect(edit("a\nb\n", { old: "a", new: "b" }, { old: "b", new: "a" })).toBe("b\na\n");
  expect(edit("a\n", { old: "a", new: "b" }, { old: "b", new: "c" })).toMatch(
    /Edit 2 of 2.*as it was before this call; edit 1 writes that text/,
  );
});

const line = fc.stringMatching(/^[a-d “”"\-–\t]{0,6}$/);
const eol = fc.constantFrom("\n", "\r\n");
const file = fc
  .record({
    bom: fc.boolean(),
    lines: fc.array(fc.tuple(line, eol), { minLength: 1, maxLength: 12 }),
    last: fc.option(fc.stringMatching(/^[a-d]{1,4}$/), { nil: "" }),
  })
  .map(({ bom, lines, last }) => (bom ? "\uFEFF" : "") + lines.flat().join("") + last);

test("whatever is edited: the mark and the final newline stay, and so does every byte outside the edit", () => {
  fc.assert(
    fc.property(file, fc.nat(), fc.nat(), line, fc.boolean(), (before, from, length, word, breaks) => {
      const body = before.replace("\uFEFF", "");
      const start = from % (body.length + 1);
      const old = body.slice(start, start + 1 + (length % 10));
      const replacement = breaks ? `${word}\nZ` : `${word}Z`;
      const result = editText(bytes(before), [{ old, new: replacement }]);
      if ("refused" in result) return;
      const after = string(result.content);
      expect(after.startsWith("\uFEFF")).toBe(before.startsWith("\uFEFF"));
      expect(after.endsWith("\n")).toBe(before.endsWith("\n"));
      const at = body.indexOf(old);
      // Only where no line end is cut in two can the text before and after be compared as it stands.
      if (body.indexOf(old, at + 1) !== -1 || /^\n|\r$/.test(old)) return;
      const changed = after.replace("\uFEFF", "");
      expect(changed.startsWith(body.slice(0, at))).toBe(true);
      expect(changed.endsWith(body.slice(at + old.length))).toBe(true);
      expect(
        changed
          .slice(at, changed.length - (body.length - at - old.length))
          .replaceAll("\r\n", "\n")
          .trimEnd(),
      ).toBe(replacement);
    }),
    { numRuns: 2000 },
  );
});

test("line ends of a file that has one kind stay that kind", () => {
  fc.assert(
    fc.property(fc.array(line, { minLength: 2, maxLength: 10 }), eol, fc.nat(), eol, (lines, kind, pick, given) => {
      const before = lines.map((content, index) => `x${content}#${index}${kind}`).join("");
      const index = pick % (lines.length - 1);
      const next = `x${lines[index + 1] ?? ""}`;
      const old = `#${index}${given}${next}`;
      const after = edit(before, { old, new: `#${index}${given}new${given}${next}` });
      if (after.startsWith("REFUSED")) throw new Error(after);
      expect(after.replaceAll(kind, "")).not.toMatch(/[\r\n]/);
      expect(after.replace(`new${kind}`, "")).toBe(before);
    }),
  );
});
