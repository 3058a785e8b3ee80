import type { Resolution } from "../framework/framework.ts";
import { spreadToIncluders, type AnchorChange, type AnchorChanges } from "./anchor-changes.ts";
import { pathOf, resolveUse, type Side } from "./side.ts";
import type { RoughReference } from "./rough-references.ts";

export interface Sides {
  before: Side;
  after: Side;
  /** Awaited between pages. */
  pause(): Promise<void> | undefined;
}

function isSame(left: Resolution, right: Resolution): boolean {
  if (left.type !== right.type || pathOf(left) !== pathOf(right)) return false;
  if (left.type !== "missing" || right.type !== "missing") return true;
  return left.redirectsTo === right.redirectsTo && left.mayBeRewritten === right.mayBeRewritten;
}

/** By page, the pages that may include it, on either side. */
export async function findIncluders(sides: Sides): Promise<Map<string, Set<string>>> {
  const includers = new Map<string, Set<string>>();
  for (const side of [sides.before, sides.after]) {
    for (const path of side.pages.keys()) {
      for (const reference of await side.references(path)) {
        for (const target of side.included(path, reference)) {
          const known = includers.get(target);
          if (known === undefined) includers.set(target, new Set([path]));
          else known.add(path);
        }
      }
      await sides.pause();
    }
  }
  return includers;
}

function concerns(change: AnchorChange | undefined, anchor: string): boolean {
  return change !== undefined && (change === "any" || change.has(anchor));
}

/**
 * The unchanged pages on which anything may be wrong after the changes that was not wrong before, or the other way round:
 * those with a reference that leads elsewhere now, or to an id that came or went.
 * @param moved whether references may lead elsewhere: files, addresses or the configuration changed
 */
export async function findSuspects(
  sides: Sides,
  unchanged: readonly string[],
  changes: AnchorChanges,
  moved: boolean,
): Promise<Set<string>> {
  const suspects = new Set<string>();
  if (!moved && changes.size === 0) return suspects;
  const { before, after } = sides;
  const leadsElsewhere = (path: string, { path: to, uses }: RoughReference): boolean =>
    uses.some((use) => !isSame(resolveUse(before, path, to, use), resolveUse(after, path, to, use)));

  for (const path of moved ? unchanged : []) {
    for (const reference of await before.references(path)) {
      if (!leadsElsewhere(path, reference)) continue;
      suspects.add(path);
      if (reference.uses.some(({ role }) => role === "import" || role === "snippet")) changes.set(path, "any");
    }
    await sides.pause();
  }
  if (changes.size === 0) return suspects;
  spreadToIncluders(changes, await findIncluders(sides));
  for (const path of unchanged) {
    if (suspects.has(path)) continue;
    for (const reference of await before.references(path)) {
      if (reference.anchor === null) continue;
      const anchor = before.site.normalizeAnchor(reference.anchor);
      const targets = reference.uses.flatMap(
        (use) => (use.role === "link" ? pathOf(resolveUse(before, path, reference.path, use)) : undefined) ?? [],
      );
      if (targets.some((target) => concerns(changes.get(target), anchor))) suspects.add(path);
    }
    await sides.pause();
  }
  return suspects;
}
