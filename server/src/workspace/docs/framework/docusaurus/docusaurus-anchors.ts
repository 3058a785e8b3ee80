import type { Heading, Root } from "mdast";
import GithubSlugger from "github-slugger";
import { headings, textOf } from "../../page/heading-text.ts";
import type { PageAnchors } from "../../page/markdown-profile.ts";
import { writtenIds } from "../heading-anchors.ts";

/** The id in a comment that ends the heading: `{/* #id *\/}` or `<!-- #id -->`. */
function commentId(heading: Heading): string | undefined {
  const last = heading.children.at(-1);
  const comment =
    last?.type === "mdxTextExpression"
      ? /^\s*\/\*([\s\S]*)\*\/\s*$/.exec(last.value)?.[1]
      : last?.type === "html"
        ? /^<!--([\s\S]*)-->$/.exec(last.value)?.[1]
        : undefined;
  const first = comment?.trim().split(" ")[0];
  return first !== undefined && first.startsWith("#") && first.length > 1 ? first.slice(1) : undefined;
}

/** Heading ids as Docusaurus 3's `headings` remark plugin makes them, and ids that stand in the page. */
export function docusaurusAnchors(root: Root): PageAnchors {
  const slugger = new GithubSlugger();
  const ids: string[] = [];
  for (const heading of headings(root)) {
    const text = textOf(heading);
    const classic = /\s*\{#(?<id>(?:.(?!\{#|\}))*.)\}$/.exec(text);
    ids.push(commentId(heading) ?? classic?.groups?.["id"]?.trim() ?? slugger.slug(text));
  }
  const written = writtenIds(root);
  return { ids: [...ids, ...written.ids], open: written.open };
}
