import type { JSONValue } from "@ai-sdk/provider";
import type { Root } from "mdast";
import { readFrontMatter } from "../page/front-matter.ts";
import { decodeText } from "../text-edit.ts";
import { roughReferences, type RoughReferences } from "./rough-references.ts";

/** What can be told of a page without parsing it. */
export interface PageSketch extends RoughReferences {
  /** The front matter's fields that addresses depend on; undefined where only the parser may read it. */
  routeFields: Record<string, JSONValue> | undefined;
}

/** Longer pages are not looked through on the event loop. */
const CHARACTERS_MAX = 1024 * 1024;
const FRONT_MATTER = /^\uFEFF?---[ \t]*(?:\r\n|\n|\r)(?:([\s\S]*?)(?:\r\n|\n|\r))??---[ \t]*(?:\r|\n|$)/;
/** `key: plain words`, `key: 12` or `key: "quoted"`: lines whose meaning in YAML is plain to see. */
const PLAIN_LINE = /^([A-Za-z_][\w-]*): +(?:([A-Za-z/][\w /.-]*)|(\d{1,9})|"([^"\\]*)"|'([^']*)') *$/;
/** 200 kB of YAML made for it kept the event loop for more than a minute; the parser's processes can be ended. */
const YAML_CHARACTERS_MAX = 2000;
const NOT_A_STRING = /^(?:true|false|null)$/i;

/** The fields where every line is plain, undefined where it takes a YAML parser: that one needs 0.2 ms a page. */
function plainFields(yaml: string): Record<string, JSONValue> | undefined {
  const values: Record<string, JSONValue> = {};
  for (const line of yaml.split(/\r\n|\n|\r/)) {
    const match = PLAIN_LINE.exec(line);
    const key = match?.[1];
    if (key === undefined || key in values) return undefined;
    const plain = match?.[2]?.trimEnd();
    if (plain !== undefined && NOT_A_STRING.test(plain)) return undefined;
    const number = match?.[3];
    values[key] = plain ?? (number === undefined ? (match?.[4] ?? match?.[5] ?? "") : Number(number));
  }
  return values;
}

function routeFieldsOf(text: string, names: readonly string[]): PageSketch["routeFields"] {
  const yaml = FRONT_MATTER.exec(text)?.[1];
  if (yaml === undefined || !names.some((name) => yaml.includes(name))) return {};
  if (yaml.length > YAML_CHARACTERS_MAX) return undefined;
  const root: Root = { type: "root", children: [{ type: "yaml", value: yaml }] };
  const values = plainFields(yaml) ?? readFrontMatter(root, text, false).values;
  return Object.fromEntries(names.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]])));
}

export function sketchPage(content: Uint8Array, routeFields: readonly string[]): PageSketch {
  const text = decodeText(content);
  // The parser refuses such a file, and so finds nothing in it.
  if (text === undefined) return { routeFields: {}, references: [], complete: true };
  const fields = routeFields.length === 0 ? {} : routeFieldsOf(text, routeFields);
  if (text.length > CHARACTERS_MAX) return { routeFields: fields, references: [], complete: false };
  return { routeFields: fields, ...roughReferences(text) };
}

/** In UTF-16 code units and a flat cost per object. */
export function weighSketch(sketch: PageSketch): number {
  return sketch.references.reduce((sum, { path, anchor }) => sum + path.length + (anchor?.length ?? 0) + 100, 300);
}
