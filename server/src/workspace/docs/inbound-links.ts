import type { Site } from "./framework/framework.ts";
import { parseLinkTarget } from "./link-target.ts";

/** Every reference to a file from other pages, in the order of the pages and their lines. */
export function inboundLinks(site: Site, path: string): { path: string; line: number }[] {
  return [...site.facts.keys()].sort().flatMap((from) =>
    from === path
      ? []
      : (site.facts.get(from)?.links ?? []).flatMap((link) => {
          const target = parseLinkTarget(link.url);
          if (target === undefined || target.path === "") return [];
          const resolution = site.resolve(from, target.path, link);
          return "path" in resolution && resolution.path === path ? [{ path: from, line: link.line }] : [];
        }),
  );
}
