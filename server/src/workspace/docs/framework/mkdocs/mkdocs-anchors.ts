import type { Nodes, Root } from "mdast";
import { headings, textOf } from "../../page/heading-text.ts";
import type { PageAnchors } from "../../page/markdown-profile.ts";
import { walk } from "../../page/walk.ts";
import { writtenIds } from "../heading-anchors.ts";

/** What `slugify` of Python-Markdown's toc extension makes of a text: letters beyond ASCII lose their accents, or go. */
export function pythonSlug(text: string): string {
  return (
    text
      .normalize("NFKD")
      // oxlint-disable-next-line no-control-regex -- what Python's "ascii" codec with "ignore" leaves
      .replaceAll(/[^\u0000-\u007F]/g, "")
      .replaceAll(/[^\w\s-]/g, "")
      .trim()
      .toLowerCase()
      .replaceAll(/[-\s]+/g, "-")
  );
}

/** What `pymdownx.slugs.slugify` makes of it with `case: lower`: letters of every script stay. */
function unicodeSlugs(text: string): string[] {
  const plain = text
    .normalize("NFC")
    .replaceAll(/[^\p{L}\p{N}\p{M}_\-\s]/gu, "")
    .trim()
    .toLowerCase();
  return [plain.replaceAll(/\s/g, "-"), plain.replaceAll(/[-\s]+/g, "-")];
}

/** An id that is taken gets `_1`, one that ends so counts on (`unique` of the toc extension). */
function createCounter(): (id: string) => string {
  const used = new Set<string>();
  return (wanted) => {
    let id = wanted;
    while (used.has(id) || id === "") {
      const numbered = /^(.*)_(\d+)$/.exec(id);
      id = numbered === null ? `${id}_1` : `${numbered[1]}_${Number(numbered[2]) + 1}`;
    }
    used.add(id);
    return id;
  };
}

const ATTRIBUTES = /\s*\{:?[ \t]*([^{}\n]*)\}[ \t]*$/;
const ID = /(?:^|[\s:])#([^\s.#}=]+)|(?:^|\s)id=["']?([^\s"'}]+)/;

function withoutImages(node: Nodes): string {
  if (node.type === "image" || node.type === "imageReference") return "";
  return "children" in node ? node.children.map(withoutImages).join("") : textOf(node);
}

/** Ids in attribute lists anywhere: `{ #id }` after a heading, a paragraph, a link or an image. */
function listedIds(source: string): string[] {
  const ids: string[] = [];
  for (const match of source.matchAll(/\{:?[ \t]*([^{}\n]{1,300})\}/g)) {
    const id = ID.exec(match[1] ?? "");
    if (id !== null) ids.push(id[1] ?? id[2] ?? "");
  }
  return ids;
}

/** Footnotes are at `fn:name` and `fnref:name`. */
function footnoteIds(source: string): string[] {
  return [...source.matchAll(/\[\^([^\]\s]{1,100})\]/g)].flatMap(([, name]) => [`fn:${name}`, `fnref:${name}`]);
}

/** `=== "Title"` of content tabs; its id may have that of the heading before it in front. */
const TAB = /^[ \t]*-[ \t]+"([^"\n]{1,200})"[ \t]*$/gm;

function tabIds(source: string, headingIds: readonly string[]): string[] {
  const titles = [...source.matchAll(TAB)].flatMap(([, title]) => [
    pythonSlug(title ?? ""),
    ...unicodeSlugs(title ?? ""),
  ]);
  if (titles.length === 0 || titles.length * headingIds.length > COMBINED_MAX) return titles;
  return [
    ...titles,
    ...new Set(titles.flatMap((title) => headingIds.flatMap((id) => [`${id}-${title}`, `${id}--${title}`]))),
  ];
}

const COMBINED_MAX = 20_000;

/** Ids come from templates, from docstrings, from comments that a hook fills, or from files that cannot be told. */
const GENERATES_IDS = /<!--[ \t]*[a-z]+:\w+[ \t]|\{\{|\{%|^:::[ \t]+[\w.]|^::[ \t]/m;

function generatesIds(root: Root): boolean {
  let found = false;
  walk(root, (node) => {
    if (node.type === "text" || node.type === "html") found ||= GENERATES_IDS.test(node.value);
    else if (node.type === "code") found ||= /\bexec\b/.test(`${node.lang} ${node.meta}`);
  });
  return found;
}

/** Heading ids by Python-Markdown's toc extension. Where settings may choose another form, both count as existing. */
export function mkdocsAnchors(root: Root, source: string): PageAnchors {
  const count = createCounter();
  const counters = [createCounter(), createCounter()];
  const ids: string[] = [];
  for (const heading of headings(root)) {
    const whole = withoutImages(heading);
    const attributes = ATTRIBUTES.exec(whole);
    const own = attributes === null ? null : ID.exec(attributes[1] ?? "");
    if (own !== null) {
      ids.push(count(own[1] ?? own[2] ?? ""));
      continue;
    }
    const text = attributes === null ? whole : whole.slice(0, attributes.index);
    const withoutIcons = text.replaceAll(/:[a-z][\w-]*:/g, "");
    ids.push(count(pythonSlug(withoutIcons)));
    if (withoutIcons !== text) ids.push(pythonSlug(text));
    for (const [index, slug] of unicodeSlugs(withoutIcons).entries()) ids.push(counters[index]?.(slug) ?? "");
  }
  const written = writtenIds(root);
  return {
    ids: [
      ...new Set([
        ...ids,
        ...listedIds(source),
        ...footnoteIds(source),
        ...tabIds(source, ids),
        ...written.ids,
        "__skip",
      ]),
    ].filter((id) => id !== ""),
    open: written.open || generatesIds(root),
  };
}
