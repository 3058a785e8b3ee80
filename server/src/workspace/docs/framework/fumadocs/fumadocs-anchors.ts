import type { Heading, Root } from "mdast";
import GithubSlugger from "github-slugger";
import { headings, textOf } from "../../page/heading-text.ts";
import { jsxElements, jsxString } from "../../page/jsx.ts";
import type { PageAnchors } from "../../page/markdown-profile.ts";
import { writtenIds } from "../heading-anchors.ts";

/** Components of Fumadocs that bring no ids beyond the text between their tags and what is noted below. */
const NO_IDS = new Set(
  (
    "Accordion Accordions Banner Callout CalloutContainer CalloutTitle CalloutDescription Card Cards CodeBlock CodeBlockTab " +
    "CodeBlockTabs CodeBlockTabsList CodeBlockTabsTrigger File Files Folder GithubInfo ImageZoom InlineTOC Image Link Mermaid " +
    "Pre Step Steps Tab Tabs TabsContent TabsList TabsTrigger include"
  ).split(" "),
);

/** `## Heading [#id]`: the rule of `remark-heading` in fumadocs-core. `[toc]` and `[!toc]` only say where it is listed. */
export function bracketId(heading: Heading): string | undefined {
  const last = heading.children.at(-1);
  return last?.type === "text" ? /\s*\[#([^]+?)\]\s*$/.exec(last.value)?.[1] : undefined;
}

function headingIds(root: Root): string[] {
  const slugger = new GithubSlugger();
  return headings(root).flatMap((heading) => {
    const own = bracketId(heading);
    if (own !== undefined) return [own];
    const text = textOf(heading);
    const marked = text.replaceAll(/\s*\[!?toc\]\s*$/g, "");
    return marked === text ? [slugger.slug(text)] : [slugger.slug(marked), new GithubSlugger().slug(text)];
  });
}

export function fumadocsAnchors(root: Root): PageAnchors {
  const ids = headingIds(root);
  let open = false;
  for (const element of jsxElements(root)) {
    const name = element.name ?? "";
    if (/^[A-Z]/.test(name) && !NO_IDS.has(name)) open = true;
    // An accordion or a tab opens by its id, else by its title.
    for (const title of [jsxString(element, "title"), jsxString(element, "value")]) {
      if (title !== undefined && /^(?:Accordion|Tab)/.test(name)) ids.push(title, new GithubSlugger().slug(title));
    }
  }
  const written = writtenIds(root);
  return { ids: [...new Set([...ids, ...written.ids])], open: open || written.open };
}
