import type { Heading, Nodes, Root } from "mdast";
import { headingText, headings } from "../../page/heading-text.ts";
import { jsxElements, jsxString, type JsxElement } from "../../page/jsx.ts";
import type { PageAnchors } from "../../page/markdown-profile.ts";
import { writtenIds } from "../heading-anchors.ts";
import { librarySlug } from "./library-slug.ts";

/*
 * How Mintlify names its ids: the published packages @mintlify/common (slugify, component ids, table of contents) and
 * @mintlify/link-rot, read at 1.0.1211 and 3.0.1419. Headings go through encodeURIComponent and the slugify library, quotes
 * are made typographic first, and the page decodes the id and strips punctuation and emoji from it.
 */

const PUNCTUATION = /[?,;:!'"()[\]{}]/g;
const EMOJI =
  /\p{Emoji_Modifier}|\p{Emoji_Modifier_Base}|\p{Emoji_Presentation}|\p{Extended_Pictographic}|\u200D|\uFE0E|\uFE0F/gu;

/** The id as the page shows it. Links are cleaned the same way before they are compared. */
export function cleanMintlifyId(id: string): string {
  try {
    return decodeURIComponent(id.replaceAll(/%(?![0-9A-Fa-f]{2})/g, "%25"))
      .replaceAll(PUNCTUATION, "")
      .replaceAll(EMOJI, "");
  } catch {
    return id;
  }
}

/**
 * What `@sindresorhus/slugify` makes of a text that is already percent-encoded, so ASCII: its transliteration, which
 * takes about a millisecond a call, has nothing to do then.
 */
function slugOfTitle(title: string): string {
  const encoded = encodeURIComponent(title.toLowerCase().trim().replaceAll(/\s+/g, "-").toWellFormed());
  const percent = /%[0-9A-F]{2}/.test(encoded);
  return (percent ? encoded : encoded.toLowerCase())
    .replaceAll(percent ? /[^a-zA-Z\d%_]+/g : /[^a-z\d_]+/g, "-")
    .replaceAll(/([a-zA-Z\d]+)-([ts])(-|$)/g, "$1$2$3")
    .replaceAll(/-{2,}/g, "-")
    .replaceAll(/^-|-$/g, "");
}

/** Counts as the library's `slugifyWithCounter` does: the second `setup` is `setup-2`. */
function createCounter(): (slug: string) => string {
  const occurrences = new Map<string, number>();
  return (slug) => {
    if (slug === "") return "";
    const key = slug.toLowerCase();
    const numberless = occurrences.get(key.replace(/(?:-\d+?)+?$/, "")) ?? 0;
    const counter = occurrences.get(key);
    occurrences.set(key, counter === undefined ? 1 : counter + 1);
    const next = occurrences.get(key) ?? 2;
    return next >= 2 || numberless > 2 ? `${slug}-${next}` : slug;
  };
}

/** Quotes, dashes and dots as smartypants writes them; the two forms of a title have different ids. */
function typographic(title: string): string {
  return title
    .replaceAll("...", "…")
    .replaceAll("--", "—")
    .replaceAll(/(^|[\s([{])'/g, "$1‘")
    .replaceAll("'", "’")
    .replaceAll(/(^|[\s([{])"/g, "$1“")
    .replaceAll('"', "”");
}

/** A heading's text for its id: words and code. Images and expressions do not count. */
function tableOfContentsText(node: Nodes): string {
  if (node.type === "text" || node.type === "inlineCode") return node.value;
  return "children" in node ? node.children.map(tableOfContentsText).join("") : "";
}

function titleOf(heading: Heading): { title: string; customId: string | null } {
  const { text, customId } = headingText(heading);
  return { title: customId === null ? tableOfContentsText(heading) : text, customId };
}

/** The id of an accordion, a view or a step, from its title. */
function componentSlug(title: string): string {
  return librarySlug(title.replace(":", "-"), { decamelize: false });
}

const NAMED_FIELDS = new Set(["ParamField", "Param", "ResponseField"]);
const FIELD_NAMES = ["query", "path", "body", "header", "name"];

function componentIds(element: JsxElement, count: (slug: string) => string): string[] {
  const name = element.name ?? "";
  if (NAMED_FIELDS.has(name)) {
    const field = FIELD_NAMES.map((key) => jsxString(element, key)).find(
      (value) => value !== undefined && value !== "",
    );
    return field === undefined
      ? []
      : [`param-${field}`, `param-${field}_1`, field].map((id) => librarySlug(id, { decamelize: true }));
  }
  const title = jsxString(element, name === "Update" ? "label" : "title");
  if (title === undefined || !["Accordion", "View", "Step", "Tab", "Update", "Expandable"].includes(name)) return [];
  const ids = [componentSlug(title), slugOfTitle(title), slugOfTitle(typographic(title))];
  return [...new Set(ids)].flatMap((id) => [id, count(id)]);
}

/** Every id of a page that a link can jump to. Where two forms are possible, both count as existing. */
export function mintlifyAnchors(root: Root): PageAnchors {
  const ids = new Set<string>();
  const countStraight = createCounter();
  const countTypographic = createCounter();
  const countComponents = createCounter();
  for (const heading of headings(root)) {
    const { title, customId } = titleOf(heading);
    if (customId !== null) {
      ids.add(customId.replaceAll(/\s+/g, "-"));
    } else {
      ids.add(countStraight(slugOfTitle(title)));
      ids.add(countTypographic(slugOfTitle(typographic(title))));
    }
  }
  for (const element of jsxElements(root)) {
    if (/^h[1-6]$|^Heading$/.test(element.name ?? "") && jsxString(element, "id") === undefined) {
      const title = element.children.map(tableOfContentsText).join("");
      ids.add(slugOfTitle(title));
      ids.add(slugOfTitle(typographic(title)));
    }
    for (const id of componentIds(element, countComponents)) ids.add(id);
  }
  const written = writtenIds(root);
  for (const id of written.ids) ids.add(id);
  ids.delete("");
  return { ids: [...new Set([...ids].flatMap((id) => [id, cleanMintlifyId(id)]))], open: written.open };
}
