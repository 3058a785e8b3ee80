import type { PageAnchors } from "../page/markdown-profile.ts";
import type { Side } from "./side.ts";

/** The ids that a page has on one side only; `any` where it cannot be told which. */
export type AnchorChange = ReadonlySet<string> | "any";

export type AnchorChanges = Map<string, AnchorChange>;

function difference(before: PageAnchors, after: PageAnchors): AnchorChange {
  return before.open === after.open ? new Set(before.ids).symmetricDifference(new Set(after.ids)) : "any";
}

/** How the ids of changed pages differ; both sides must have parsed them. Pages whose ids stay are not among them. */
export function changesOfAnchors(changed: Iterable<string>, before: Side, after: Side): AnchorChanges {
  const changes: AnchorChanges = new Map();
  for (const path of changed) {
    const isOnBoth = before.pages.has(path) && after.pages.has(path);
    const change = isOnBoth ? difference(before.site.anchors(path), after.site.anchors(path)) : "any";
    if (change === "any" || change.size > 0) changes.set(path, change);
  }
  return changes;
}

function union(left: AnchorChange | undefined, right: AnchorChange): AnchorChange {
  if (left === undefined) return right;
  return left === "any" || right === "any" ? "any" : left.union(right);
}

function isSame(left: AnchorChange | undefined, right: AnchorChange): boolean {
  return left === right || (left !== undefined && left !== "any" && right !== "any" && left.size === right.size);
}

/** Hands the changes on to the pages that include the pages, and to those that include these. */
export function spreadToIncluders(changes: AnchorChanges, includers: ReadonlyMap<string, ReadonlySet<string>>): void {
  const waiting = [...changes.keys()];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const change = changes.get(path);
    if (change === undefined) continue;
    for (const includer of includers.get(path) ?? []) {
      const before = changes.get(includer);
      const all = union(before, change);
      if (isSame(before, all)) continue;
      changes.set(includer, all);
      waiting.push(includer);
    }
  }
}
