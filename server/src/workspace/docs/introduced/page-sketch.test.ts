import fc from "fast-check";
import { expect, it } from "vitest";
import { readPageSource } from "../parser/page-source.ts";
import { sketchPage } from "./page-sketch.ts";

const FIELDS = ["id", "slug", "parse_number_prefixes"];

function fieldsOf(text: string): [unknown, unknown] {
  const content = new TextEncoder().encode(text);
  const { frontMatter } = readPageSource({ content, framework: "docusaurus", format: "md", math: false });
  const parsed = Object.fromEntries(FIELDS.flatMap((name) => (name in frontMatter ? [[name, frontMatter[name]]] : [])));
  return [sketchPage(content, FIELDS).routeFields, parsed];
}

const PIECES = ["---", "\n", "\r\n", "id", "slug", "title", ": ", ":", " ", "a", "/b/c", "1", "01", "1.5", '"', "'", "true", "null", "No", "# c", "- ", "[x]", "{", "}", "&a", "*a", "|", "é", "2020-01-01", ".inf", "0x1f", "~", "\t", "\uFEFF"]; // prettier-ignore

it("reads the fields that addresses depend on as the parser does", () => {
  const pieces = fc.array(fc.constantFrom(...PIECES), { maxLength: 14 }).map((parts) => parts.join(""));
  const value = fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 4 }).map((parts) => parts.join(""));
  const lines = fc
    .array(fc.tuple(fc.constantFrom("id", "slug", "title", "parse_number_prefixes"), value), { maxLength: 4 })
    .map((pairs) => `---\n${pairs.map(([key, text]) => `${key}: ${text}\n`).join("")}---\n# x`);
  fc.assert(
    fc.property(fc.oneof(pieces, lines), (text) => {
      const [sketched, parsed] = fieldsOf(text);
      expect(sketched).toEqual(parsed);
    }),
    { numRuns: 2000 },
  );
});

it("leaves front matter that takes long to the parser", () => {
  expect(fieldsOf(`---\nid: x\n${"k: - v\n".repeat(1000)}---\n`)[0]).toBeUndefined();
  for (const yaml of [
    "[".repeat(1990),
    "{a: ".repeat(490),
    "k: - v\n".repeat(280),
    "- ".repeat(990),
    "? ".repeat(990),
  ]) {
    const start = performance.now();
    fieldsOf(`---\nid: ${yaml}\n---\n`);
    expect(performance.now() - start).toBeLessThan(1000);
  }
});
