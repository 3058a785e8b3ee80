import { visit as visitJson, type JSONPath } from "jsonc-parser";
import { isScalar, parseDocument, visit as visitYaml } from "yaml";
import { readFrontMatter } from "./front-matter.ts";

/** A stretch of text that readers read as words, in UTF-16 code units. */
export interface ProseRange {
  start: number;
  end: number;
}

/** Keys of Mintlify's docs.json and Docusaurus's JSON sidebars whose value a reader sees as words. */
const LABEL_KEYS = new Set([
  "name",
  "title",
  "description",
  "label",
  "group",
  "tab",
  "anchor",
  "dropdown",
  "product",
  "heading",
  "tagline",
]);

/** Front matter fields that hold names for machines, whatever they look like. */
const MACHINE_FIELDS = new Set([
  "slug",
  "id",
  "icon",
  "openapi",
  "api",
  "url",
  "image",
  "layout",
  "template",
  "permalink",
  "mode",
  "public",
  "date",
]);

/** The labels of a JSON navigation file, without their quotes. */
export function navigationProse(text: string): ProseRange[] {
  const ranges: ProseRange[] = [];
  visitJson(text, {
    onLiteralValue(value: unknown, offset: number, length: number, _line, _column, path: () => JSONPath) {
      const key = path().at(-1);
      if (typeof value === "string" && typeof key === "string" && LABEL_KEYS.has(key)) {
        ranges.push({ start: offset + 1, end: offset + length - 1 });
      }
    },
  });
  return ranges;
}

/** The string values of a page's front matter, but for addresses and names for machines. */
export function frontMatterProse(text: string): ProseRange[] {
  const block = readFrontMatter(text);
  if (block === undefined) return [];
  const document = parseDocument(block.yaml);
  if (document.errors.length > 0) return [];
  const ranges: ProseRange[] = [];
  visitYaml(document, {
    Pair(_key, pair) {
      const name = isScalar(pair.key) ? String(pair.key.value) : "";
      return MACHINE_FIELDS.has(name) || /(?:url|image|slug|path|href)$/i.test(name) ? visitYaml.SKIP : undefined;
    },
    Scalar(key, scalar) {
      if (key === "key" || typeof scalar.value !== "string" || isAddress(scalar.value)) return;
      const [start, end] = scalar.range ?? [0, 0];
      ranges.push({ start: block.start + start, end: block.start + end });
    },
  });
  return ranges;
}

function isAddress(value: string): boolean {
  return !/\s/.test(value.trim()) && /[/\\]|^[\w-]+\.\w+$/.test(value);
}
