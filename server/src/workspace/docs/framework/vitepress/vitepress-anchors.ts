import type { Nodes, Root } from "mdast";
import { headings, textOf } from "../../page/heading-text.ts";
import { htmlAttributes } from "../../page/html-attributes.ts";
import type { PageAnchors } from "../../page/markdown-profile.ts";
import { walk } from "../../page/walk.ts";
import { writtenIds } from "../heading-anchors.ts";

const COMBINING = /[\u0300-\u036F]/g;
// oxlint-disable-next-line no-control-regex -- the characters that VitePress' slugify leaves out
const CONTROL = /[\u0000-\u001F]/g;
const SPECIAL = /[\s~`!@#$%^&*()\-_+=[\]{}|\\;:"'“”‘’<>,.?/]+/g;

/** What `slugify` of @mdit-vue/shared makes of a text: VitePress names headings by it, and the hashes of links. */
export function vitepressSlug(text: string): string {
  return text
    .normalize("NFKD")
    .replaceAll(COMBINING, "")
    .replaceAll(CONTROL, "")
    .replaceAll(SPECIAL, "-")
    .replaceAll(/-{2,}/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .replace(/^(\d)/, "_$1")
    .toLowerCase();
}

/** The text that a heading is named by: emoji short codes do not count, nor, in older versions, images. */
function headingTexts(heading: Nodes): string[] {
  const withoutImages = (node: Nodes): string =>
    node.type === "image" ? "" : "children" in node ? node.children.map(withoutImages).join("") : textOf(node);
  const texts = [textOf(heading), withoutImages(heading)];
  return [...new Set(texts.flatMap((text) => [text, text.replaceAll(/:[\w+-]+:/g, "")]))];
}

function createCounter(): (slug: string) => string {
  const used = new Set<string>();
  return (slug) => {
    let id = slug;
    for (let number = 1; used.has(id); number += 1) id = `${slug}-${number}`;
    used.add(id);
    return id;
  };
}

/** `{#id .class}` at the end of a heading; sites with braces in their text write `%{#id}%`. */
const ATTRIBUTES = /\s*%?\{([^{}]*)\}%?\s*$/;

/** Vue fills in text and ids that only the site knows. */
const FILLED_IN = /\{\{|(?:^|[\s<])(?::id|v-bind:id|v-for|v-html)\s*=/;
const LOCAL_COMPONENT = /<script\b[^>]*>[\s\S]*?\bimport\b[^\n]*["'][^"'\n]*\.(?:vue|md|tsx?|jsx)["']/;

/** Every id of a page that a link can jump to, in the form that links are compared in as well. */
export function vitepressAnchors(root: Root): PageAnchors {
  const counters = [createCounter(), createCounter(), createCounter(), createCounter()];
  const ids: string[] = [];
  let open = false;
  for (const heading of headings(root)) {
    const texts = headingTexts(heading);
    const attributes = ATTRIBUTES.exec(texts[0] ?? "");
    const custom = /(?:^|\s)#([^\s.}]+)/.exec(attributes?.[1] ?? "")?.[1];
    if (/\{\{/.test(texts[0] ?? "")) open = true;
    if (custom !== undefined) ids.push(custom, vitepressSlug(custom));
    else {
      for (const [index, text] of texts.entries()) {
        const plain = attributes === null ? text : text.replace(ATTRIBUTES, "");
        ids.push(counters[index]?.(vitepressSlug(plain)) ?? "");
      }
    }
  }
  walk(root, (node) => {
    if (node.type !== "html") return;
    if (FILLED_IN.test(node.value) || LOCAL_COMPONENT.test(node.value)) open = true;
    // A heading in HTML has no id but its own; a component's slot may.
    for (const { name, value } of htmlAttributes(node.value)) if (name === "id") ids.push(vitepressSlug(value));
  });
  const written = writtenIds(root);
  return { ids: [...new Set([...ids, ...written.ids])].filter((id) => id !== ""), open: open || written.open };
}
