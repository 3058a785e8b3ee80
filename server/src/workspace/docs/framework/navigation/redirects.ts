import type { ConfigFile } from "../../config/config-file.ts";
import type { Literal, LiteralString } from "../../config/literal.ts";
import { property, items } from "../../config/literal.ts";
import {
  indentationAt,
  insertItem,
  insertProperty,
  lineBreak,
  quoted,
  replaceString,
} from "../../config/literal-edits.ts";
import { insertYamlPair, replaceYamlString } from "../../config/yaml-edits.ts";
import type { TextEdit } from "../../text-edit.ts";

/** One redirect of a configuration. `from` and `to` are as written there. */
export interface Redirect {
  from: LiteralString;
  to: LiteralString;
  /** Everything that goes when another one takes its place. */
  place: { start: number; end: number };
}

/** The redirects that stand literally in a file. */
export interface RedirectList {
  file: ConfigFile;
  redirects: readonly Redirect[];
  /** True where one can be added. */
  extensible: boolean;
  /** A redirect in the file's own layout. */
  write(from: string, to: string): string;
  add(from: string, to: string): TextEdit | undefined;
  retarget(redirect: Redirect, to: string): TextEdit;
}

/** The quote that the file's own strings stand in. */
export function quoteOf(text: string, near?: { start: number }): string {
  const own = near === undefined ? undefined : text[near.start];
  if (own === "'" || own === '"') return own;
  return (text.match(/'/g)?.length ?? 0) > (text.match(/"/g)?.length ?? 0) ? "'" : '"';
}

function keyLiteral(text: string, key: string, start: number): LiteralString {
  const quotes = /["'`]/.test(text[start] ?? "") ? 2 : 0;
  return { kind: "string", value: key, start, end: start + key.length + quotes };
}

/** `{ "/old": "/new", "/older": { status: 302, destination: "/new" } }`, or the same as a mapping of YAML. */
export function readRedirectMap(file: ConfigFile, literal: Literal | undefined): RedirectList | undefined {
  if (literal?.kind !== "object") return undefined;
  const yaml = /\.ya?ml$/.test(file.path);
  const { text } = file;
  const redirects = literal.properties.flatMap(({ key, value, start, end }): Redirect[] => {
    const to = value.kind === "object" ? property(value, "destination") : value;
    return to?.kind === "string" ? [{ from: keyLiteral(text, key, start), to, place: { start, end } }] : [];
  });
  const quote = quoteOf(text, redirects[0]?.to);
  const write = (from: string, to: string): string => `${quoted(from, quote)}: ${quoted(to, quote)}`;
  return {
    file,
    redirects,
    extensible: literal.complete,
    write,
    add(from, to) {
      if (yaml) return insertYamlPair(text, literal, from, to);
      return literal.properties.length === 0
        ? { start: literal.start + 1, end: literal.end - 1, text: ` ${write(from, to)} ` }
        : insertProperty(text, literal, quoted(from, quote), quoted(to, quote));
    },
    retarget: ({ to: literalTo }, to) => (yaml ? replaceYamlString : replaceString)(text, literalTo, to),
  };
}

/** Next.js: `[{ source, destination, permanent }]`. */
export function readRedirectArray(file: ConfigFile, literal: Literal | undefined): RedirectList | undefined {
  if (literal?.kind !== "array") return undefined;
  const { text } = file;
  const redirects = items(literal).flatMap((item): Redirect[] => {
    const [from, to] = [property(item, "source"), property(item, "destination")];
    return from?.kind === "string" && to?.kind === "string" ? [{ from, to, place: item }] : [];
  });
  const quote = quoteOf(text, redirects[0]?.from);
  const first = literal.items[0];
  const inLines = first !== undefined && text.slice(first.start, first.end).includes("\n");
  const write = (from: string, to: string): string => {
    const fields = [`source: ${quoted(from, quote)}`, `destination: ${quoted(to, quote)}`, "permanent: true"];
    if (!inLines) return `{ ${fields.join(", ")} }`;
    const [outer, eol] = [indentationAt(text, first.start), lineBreak(text)];
    return `{${eol}${fields.map((field) => `${outer}  ${field}`).join(`,${eol}`)}${eol}${outer}}`;
  };
  return {
    file,
    redirects,
    extensible: literal.complete,
    write,
    add: (from, to) => insertItem(text, literal, literal.items.length, write(from, to)),
    retarget: ({ to: literalTo }, to) => replaceString(text, literalTo, to),
  };
}
