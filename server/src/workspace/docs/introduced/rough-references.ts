import { includeReferences } from "../page/include-references.ts";
import { parseLinkTarget } from "../link-target.ts";
import type { LinkUse } from "../framework/framework.ts";

/** Something in a page's text that may be a reference, found without parsing the page. */
export interface RoughReference {
  path: string;
  anchor: string | null;
  /** All the ways in which the parser could read it. */
  uses: readonly LinkUse[];
}

export interface RoughReferences {
  /** Every reference that the parser would find, and more: what stands in code is among them. */
  references: RoughReference[];
  /** False where escapes or odd code hide what a reference is; only the parser can tell then. */
  complete: boolean;
}

const use = (role: LinkUse["role"], syntax: LinkUse["syntax"]): LinkUse => ({ role, syntax, element: null });
const IMPORT: readonly LinkUse[] = [use("import", "script")];
const MARKDOWN = [use("link", "markdown"), use("image", "markdown")];
const ATTRIBUTE = [use("link", "attribute"), use("image", "attribute")];
const SNIPPET = [use("snippet", "attribute")];
const INCLUDE = [use("snippet", "html")];
const SCRIPT = [use("link", "script"), use("image", "script"), ...IMPORT];

/** A text that is made to hold more, or longer ones, is the parser's, which may be stopped. */
const REFERENCES_MAX = 5000;
const LENGTH_MAX = 1000;

const MARKDOWN_OPENING = /\](\(|:)(\s*)([\s>]*)/g;
const ATTRIBUTE_OPENING = /\b(href|to|src|poster|img|icon|file)\s*=\s*/gi;
const IMPORT_OPENING = /\b(?:from|import)\s*(?=["'])/g;
const SCRIPT_STRING = /"([^"]*)"|'([^']*)'|`([^`]*)`/g;

/** The destination that starts at `start`; in parentheses it ends where they close. */
function destination(text: string, start: number, inParentheses: boolean): string {
  if (text[start] === "<") {
    const inside = text.slice(start + 1, start + LENGTH_MAX + 2);
    return inside.slice(0, /[<>\n\r]/.exec(inside)?.index ?? inside.length);
  }
  let depth = 0;
  let end = start;
  for (const last = start + LENGTH_MAX + 1; end < text.length && end < last; end += 1) {
    const code = text.charCodeAt(end);
    if (code <= 0x20) break;
    if (code === 0x5c) end += 1;
    else if (inParentheses && code === 0x28) depth += 1;
    else if (inParentheses && code === 0x29 && --depth < 0) break;
  }
  return text.slice(start, end);
}

/** Finds what may be a reference, at a hundredth of the time of parsing the page. */
export function roughReferences(text: string): RoughReferences {
  const found = new Map<string, RoughReference>();
  for (const { url, uses } of candidates(text)) {
    const trimmed = url?.trim();
    if (trimmed === "" || (trimmed !== undefined && /^[A-Za-z][A-Za-z\d+.-]*:|^\/\//.test(trimmed))) continue;
    if (trimmed === undefined || trimmed.length > LENGTH_MAX || /[&\\]/.test(trimmed) || found.size >= REFERENCES_MAX) {
      return { references: [], complete: false };
    }
    const target = parseLinkTarget(trimmed);
    if (target === undefined) continue;
    found.set(`${uses[0]?.role} ${uses[0]?.syntax} ${trimmed}`, { path: target.path, anchor: target.anchor, uses });
  }
  return { references: [...found.values()], complete: true };
}

/** `url` undefined: something hides what stands there. */
function* candidates(text: string): Generator<{ url: string | undefined; uses: readonly LinkUse[] }> {
  for (const match of text.matchAll(MARKDOWN_OPENING)) {
    const [opening, mark, , quoteMarks] = match;
    const end = match.index + opening.length;
    yield { url: destination(text, end, mark === "("), uses: MARKDOWN };
    // In a quote a line's `>` is not part of what it breaks; anywhere else it is.
    const start = end - (quoteMarks?.length ?? 0);
    if (start !== end) yield { url: destination(text, start, mark === "("), uses: MARKDOWN };
  }
  // A value is looked at where it starts, for one that never ends may hold others.
  for (const match of text.matchAll(ATTRIBUTE_OPENING)) {
    const start = match.index + match[0].length;
    const uses = match[1]?.toLowerCase() === "file" ? SNIPPET : ATTRIBUTE;
    if (text[start] === '"' || text[start] === "'") yield { url: quoted(text, start), uses };
    else yield { url: /^[^\s"'=<>`]*/.exec(text.slice(start, start + LENGTH_MAX + 2))?.[0], uses };
    if (text[start] === "{") yield* expressionStrings(text.slice(start + 1, start + LENGTH_MAX + 2));
  }
  for (const { url } of includeReferences(text)) yield { url, uses: INCLUDE };
  for (const match of text.matchAll(IMPORT_OPENING)) {
    yield { url: quoted(text, match.index + match[0].length), uses: IMPORT };
  }
}

/** What stands between the quote at `start` and the next one like it, or too much where there is none nearby. */
function quoted(text: string, start: number): string {
  const inside = text.slice(start + 1, start + LENGTH_MAX + 2);
  const end = inside.indexOf(text[start] ?? "");
  return end === -1 ? inside : inside.slice(0, end);
}

function* expressionStrings(rest: string): Generator<{ url: string | undefined; uses: readonly LinkUse[] }> {
  const end = rest.indexOf("}");
  const script = rest.slice(0, end === -1 ? rest.length : end);
  for (const string of script.matchAll(SCRIPT_STRING)) {
    yield { url: string[1] ?? string[2] ?? string[3] ?? "", uses: SCRIPT };
  }
  // A comment, or a string that is cut off at its brace, may hide the string that counts.
  if (/\/\*|["'`]/.test(script.replaceAll(SCRIPT_STRING, ""))) yield { url: undefined, uses: SCRIPT };
}
