import type { PageAnchors } from "../page/markdown-profile.ts";
import type { PageFacts } from "../page/page-facts.ts";

export interface AnchorRules {
  /** The page that an import of a page brings in, `null` for modules that bring no ids, undefined for all others. */
  importedPage(fromPath: string, source: string): string | null | undefined;
  /** Other pages that the page includes by name. */
  included(path: string, facts: PageFacts): string[];
  /** Something else than the text generates ids on this page. */
  generatesIds(path: string, facts: PageFacts): boolean;
}

/** A page's own ids and those of the pages it includes. */
export function createAnchorIndex(
  facts: ReadonlyMap<string, PageFacts>,
  rules: AnchorRules,
): (path: string) => PageAnchors {
  const known = new Map<string, PageAnchors>();

  const collect = (path: string, within: readonly string[]): PageAnchors => {
    const own = facts.get(path);
    if (own === undefined || within.includes(path)) return { ids: [], open: own === undefined };
    const ids = [...own.anchors];
    let open = own.anchorsOpen || rules.generatesIds(path, own);
    const include = (target: string): void => {
      const inner = collect(target, [...within, path]);
      ids.push(...inner.ids);
      open ||= inner.open;
    };
    for (const { source, used } of own.imports) {
      const target = used ? rules.importedPage(path, source) : null;
      if (typeof target === "string") include(target);
      else open ||= target === undefined;
    }
    for (const target of rules.included(path, own)) include(target);
    return { ids, open };
  };

  return (path) => {
    let anchors = known.get(path);
    if (anchors === undefined) {
      anchors = collect(path, []);
      known.set(path, anchors);
    }
    return anchors;
  };
}
