import fc from "fast-check";
import { parseDocument } from "yaml";
import { describe, expect, it } from "vitest";
import { setField, type FieldValue } from "./front-matter-edit.ts";
import { readFrontMatter } from "./front-matter.ts";

const TABLE: readonly (readonly [name: string, text: string, value: FieldValue, expected: string])[] = [
  ["a plain value", "---\nt: old # why\na: 1\n---\nx", "new", "---\nt: new # why\na: 1\n---\nx"],
  ["single quotes", "---\nt: 'old'\n---\n", "it's", "---\nt: 'it''s'\n---\n"],
  ["double quotes", '---\nt: "old"\n---\n', 'a "b"', '---\nt: "a \\"b\\""\n---\n'],
  ["a value that needs quotes", "---\nt: old\n---\n", "a: b", '---\nt: "a: b"\n---\n'],
  ["text that looks like a number", "---\nt: old\n---\n", "12", '---\nt: "12"\n---\n'],
  ["true", "---\nt: old\n---\n", true, "---\nt: true\n---\n"],
  ["a list", "---\nt: old\n---\n", ["a", "b"], "---\nt: [a, b]\n---\n"],
  ["null", "---\nt: old\n---\n", null, "---\nt: null\n---\n"],
  ["an empty value", "---\nt:\na: 1\n---\n", "new", "---\nt: new\na: 1\n---\n"],
  ["an empty value with a comment", "---\nt: # why\na: 1\n---\n", "new", "---\nt: new # why\na: 1\n---\n"],
  ["a block list", "---\nt:\n  - a\n  - b\nz: 1\n---\n", "new", "---\nt: new\nz: 1\n---\n"],
  ["a flow list", "---\nt: [a,\n  b]\nz: 1\n---\n", "new", "---\nt: new\nz: 1\n---\n"],
  ["a folded text", "---\nt: >-\n  one\n  two\nz: 1\n---\n", "new", "---\nt: new\nz: 1\n---\n"],
  ["a text over two lines", "---\nt: one\n  two\nz: 1\n---\n", "new", "---\nt: new\nz: 1\n---\n"],
  ["lines of text", "---\nt: old\n---\n", "a\nb", '---\nt: "a\\nb"\n---\n'],
  ["a missing field", "---\na: 1 # c\n---\nx\n", "new", "---\na: 1 # c\nt: new\n---\nx\n"],
  ["an empty block", "---\n---\nx\n", "new", "---\nt: new\n---\nx\n"],
  ["a missing block", "x\n", "new", "---\nt: new\n---\n\nx\n"],
  ["an empty page", "", "new", "---\nt: new\n---\n\n"],
  ["the value that is there", "---\nt: 'same'\n---\n", "same", "---\nt: 'same'\n---\n"],
];

describe("setField", () => {
  it.each([
    [
      "more fields than a page has",
      Array.from({ length: 50_000 }, (_, index) => `k${index}: v`).join("\n"),
      /longer than/,
    ],
    [
      "aliases of aliases",
      [
        "a: &a [x, x]",
        ..."bcdefghi".split("").map((name, at) => `${name}: &${name} [${`*${"abcdefgh"[at]},`.repeat(9)}]`),
      ].join("\n"),
      /aliases/,
    ],
  ])("refuses %s, soon", (_what, yaml, reason) => {
    const started = performance.now();
    expect(setField(`---\n${yaml}\n---\n`, "\n", "title", "x")).toEqual({ refused: expect.stringMatching(reason) });
    expect(performance.now() - started).toBeLessThan(3_000);
  });

  it.each(TABLE)("sets the field over %s", (_name, text, value, expected) => {
    expect(setField(text, "\n", "t", value)).toEqual({ text: expected });
    const crlf = (lines: string) => lines.replaceAll("\n", "\r\n");
    expect(setField(crlf(text), "\r\n", "t", value)).toEqual({ text: crlf(expected) });
  });

  it.each([
    ["---\nt: [\n---\n", /not valid YAML/],
    ["---\nt: 1\n", /no closing/],
    ["---\n- a\n---\n", /not a list of fields/],
    ["---\n{ a: 1 }\n---\n", /one line/],
    ["---\nt: 1\nt: 2\n---\n", /not valid YAML/],
  ])("refuses %j", (text, reason) => {
    expect(setField(text, "\n", "t", "new")).toEqual({ refused: expect.stringMatching(reason) });
  });

  it("sets any value among any fields, and touches no other line", () => {
    const value = fc.oneof(
      fc.string(),
      fc.string({ unit: "grapheme" }),
      fc.boolean(),
      fc.integer(),
      fc.array(fc.string(), { maxLength: 3 }),
    );
    const fields = fc.dictionary(
      fc.stringMatching(/^[a-z]{1,8}$/),
      fc.oneof(fc.string(), fc.array(fc.string({ minLength: 1 }), { maxLength: 2 })),
      { maxKeys: 4 },
    );
    fc.assert(
      fc.property(fields, value, fc.constantFrom("\n" as const, "\r\n" as const), (before, next, eol) => {
        fc.pre(typeof next !== "string" || next.isWellFormed());
        const lines = Object.entries(before).map(([key, each]) => `${key}: ${JSON.stringify(each)}${eol}`);
        const text = `---${eol}${lines.join("")}---${eol}body${eol}`;
        const edited = setField(text, eol, "zzzzzzzzz", next);
        if ("refused" in edited) throw new Error(edited.refused);
        expect(edited.text.startsWith(`---${eol}${lines.join("")}zzzzzzzzz: `)).toBe(true);
        const again = setField(edited.text, eol, "zzzzzzzzz", "x");
        if ("refused" in again) throw new Error(again.refused);
        expect(again.text.startsWith(`---${eol}${lines.join("")}zzzzzzzzz: `)).toBe(true);
        expect(again.text.endsWith(`---${eol}body${eol}`)).toBe(true);
        const parsed: unknown = parseDocument(readFrontMatter(edited.text)?.yaml ?? "").toJS();
        expect(parsed).toMatchObject({ zzzzzzzzz: next });
      }),
      { numRuns: 300 },
    );
  });
});
