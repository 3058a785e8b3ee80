import type { Nodes, Root } from "mdast";
import GithubSlugger from "github-slugger";
import { headings, textOf } from "../../page/heading-text.ts";
import type { PageAnchors } from "../../page/markdown-profile.ts";
import { writtenIds } from "../heading-anchors.ts";

/** The id of the page's title, which Starlight puts above the text: `PAGE_TITLE_ID` of its constants. */
const TITLE_ID = "_top";

/** Images have no text in the element tree that Astro slugs (`rehypeHeadingIds` of @astrojs/markdown-remark). */
function withoutImages(node: Nodes): string {
  if (node.type === "image" || node.type === "imageReference") return "";
  return "children" in node ? node.children.map(withoutImages).join("") : textOf(node);
}

/**
 * Ids as Astro makes them of headings. It cuts a hyphen off their end unless the site asks for GitHub's very ids, and
 * plugins read `{#id}`: where two forms are possible, both count as existing.
 */
export function starlightAnchors(root: Root): PageAnchors {
  const slugger = new GithubSlugger();
  const ids = [TITLE_ID];
  for (const heading of headings(root)) {
    const whole = withoutImages(heading);
    const custom = /\s*\{\s*#([\w:.-]+)\s*\}\s*$/.exec(whole);
    const slug = slugger.slug(whole);
    ids.push(slug, slug.replace(/-$/, ""));
    if (custom !== null) ids.push(custom[1] ?? "", new GithubSlugger().slug(whole.slice(0, custom.index)));
  }
  const written = writtenIds(root);
  return { ids: [...new Set([...ids, ...written.ids])].filter((id) => id !== ""), open: written.open };
}
