import type { Heading, Nodes, Root } from "mdast";
import { unmask } from "./masked-source.ts";
import { walk } from "./walk.ts";

/** All text inside a node: what `mdast-util-to-string` yields without raw HTML. */
export function textOf(node: Nodes): string {
  if (node.type === "html") return "";
  if ("value" in node) return unmask(node.value);
  if (node.type === "image" || node.type === "imageReference") return node.alt ?? "";
  if ("children" in node) return node.children.map(textOf).join("");
  return "";
}

/** A heading's text and the id that its author gave it as `{#id}` at its end. */
export function headingText(heading: Heading): { text: string; customId: string | null } {
  const whole = textOf(heading).trim();
  const custom = /\s*\{\s*#([^{}]+?)\s*\}$/.exec(whole);
  return custom === null
    ? { text: whole, customId: null }
    : { text: whole.slice(0, custom.index), customId: (custom[1] ?? "").trim() };
}

export function headings(root: Root): Heading[] {
  const found: Heading[] = [];
  walk(root, (node) => {
    if (node.type === "heading") found.push(node);
  });
  return found;
}
