import type { Root } from "mdast";
import GithubSlugger from "github-slugger";
import { headings, textOf } from "../page/heading-text.ts";
import { htmlAttributes } from "../page/html-attributes.ts";
import { jsxElements, jsxAttribute } from "../page/jsx.ts";
import type { PageAnchors } from "../page/markdown-profile.ts";
import { walk } from "../page/walk.ts";

/** `id` and `name` attributes that stand in the page itself, in HTML and in JSX. */
export function writtenIds(root: Root): PageAnchors {
  const ids: string[] = [];
  let open = false;
  walk(root, (node) => {
    if (node.type !== "html") return;
    for (const attribute of htmlAttributes(node.value)) {
      if (attribute.name === "id" || (attribute.name === "name" && attribute.element === "a"))
        ids.push(attribute.value);
    }
  });
  for (const element of jsxElements(root)) {
    for (const name of element.name === "a" ? ["id", "name"] : ["id"]) {
      const value = jsxAttribute(element, name)?.value;
      if (typeof value === "string") ids.push(value);
      else if (value !== null && value !== undefined) open = true;
    }
    if (element.attributes.some((attribute) => attribute.type === "mdxJsxExpressionAttribute")) open = true;
  }
  return { ids, open };
}

/** Ids as GitHub makes them of headings; also what most static site generators do. */
export function githubAnchors(root: Root): PageAnchors {
  const slugger = new GithubSlugger();
  const written = writtenIds(root);
  return {
    ids: [...headings(root).map((heading) => slugger.slug(textOf(heading))), ...written.ids],
    open: written.open,
  };
}
