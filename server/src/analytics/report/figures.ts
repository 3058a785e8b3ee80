import type { Counts } from "./reports.ts";

/** Figures by scope (`page`, `site`, `agent`, …) and key. */
export type Figures = ReadonlyMap<string, ReadonlyMap<string, Counts>>;

/** Adds figures up, key by key. */
export class FigureSum {
  readonly scopes = new Map<string, Map<string, Counts>>();

  add(scope: string, key: string, { human, ai, total }: Counts): void {
    let keys = this.scopes.get(scope);
    if (keys === undefined) this.scopes.set(scope, (keys = new Map()));
    const known = keys.get(key);
    if (known === undefined) keys.set(key, { human, ai, total });
    else {
      known.human += human;
      known.ai += ai;
      known.total += total;
    }
  }
}

/** The keys of a scope from several figures, by `total` descending, then by key in the order of its UTF-8 bytes; none without any. */
export function sumOf(parts: readonly Figures[], scope: string): { key: string; counts: Counts }[] {
  const keyed = parts.flatMap((part) => part.get(scope) ?? []);
  const sum = new FigureSum();
  for (const keys of keyed) for (const [key, counts] of keys) sum.add(scope, key, counts);
  return [...(sum.scopes.get(scope) ?? [])]
    .map(([key, counts]) => ({ key, counts }))
    .filter(({ counts }) => counts.total > 0)
    .sort((a, b) => b.counts.total - a.counts.total || compareUtf8(a.key, b.key));
}

/** JavaScript compares UTF-16 units, which puts surrogates before the last part of the basic plane. */
function compareUtf8(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index += 1) {
    const [left, right] = [a.charCodeAt(index), b.charCodeAt(index)];
    if (left === right) continue;
    const [isLeftPair, isRightPair] = [isSurrogate(left), isSurrogate(right)];
    return isLeftPair === isRightPair ? left - right : isLeftPair ? 1 : -1;
  }
  return a.length - b.length;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}
