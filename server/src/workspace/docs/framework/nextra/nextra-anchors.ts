import type { Root } from "mdast";
import GithubSlugger from "github-slugger";
import { headings, textOf } from "../../page/heading-text.ts";
import { jsxAttribute, jsxElements } from "../../page/jsx.ts";
import type { PageAnchors } from "../../page/markdown-profile.ts";
import { bracketId } from "../fumadocs/fumadocs-anchors.ts";
import { writtenIds } from "../heading-anchors.ts";

/** Components of Nextra that bring no ids beyond the text between their tags and what is noted below. */
const NO_IDS =
  /^(?:Callout|Cards|Card|Steps|Tabs|Tab|FileTree|Bleed|Image|Link|Button|Banner|Video|Playground|ImageZoom|Mermaid|MathJax)\b/;

/** The names of a list of tabs: each has a hidden heading of that text. */
function tabNames(root: Root): string[] {
  return jsxElements(root).flatMap((element) => {
    const list = element.name === "Tabs" ? jsxAttribute(element, "items")?.value : undefined;
    if (typeof list !== "object" || list === null) return [];
    return [...list.value.matchAll(/"([^"\\]*)"|'([^'\\]*)'|`([^`\\]*)`/g)].map(
      (match) => match[1] ?? match[2] ?? match[3] ?? "",
    );
  });
}

/** Heading ids by `remark-headings` of Nextra: a `[#id]` is slugged too; the first level has none in newer versions. */
export function nextraAnchors(root: Root): PageAnchors {
  const slugger = new GithubSlugger();
  const withoutTitle = new GithubSlugger();
  const ids: string[] = [];
  for (const heading of headings(root)) {
    const own = bracketId(heading);
    if (own !== undefined) ids.push(own);
    const text = own ?? textOf(heading);
    ids.push(slugger.slug(text));
    if (heading.depth > 1) ids.push(withoutTitle.slug(text));
  }
  let open = false;
  for (const element of jsxElements(root)) {
    const name = element.name ?? "";
    if (/^[A-Z]/.test(name) && !NO_IDS.test(name)) open = true;
    // A summary is a heading of its own.
    if (name === "summary") ids.push(new GithubSlugger().slug(element.children.map(textOf).join("")));
  }
  for (const name of tabNames(root)) ids.push(new GithubSlugger().slug(name));
  const written = writtenIds(root);
  return { ids: [...new Set([...ids, ...written.ids])], open: open || written.open };
}
