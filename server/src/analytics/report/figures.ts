import type { Counts, RowChoice } from "./reports.ts";

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

interface Row {
  key: string;
  counts: Counts;
}

/** The keys of a scope from several figures, in the order that is asked for; none without any counts. */
export function sumOf(
  parts: readonly Figures[],
  scope: string,
  { search = "", sort = "total", order }: RowChoice = {},
): Row[] {
  const keyed = parts.flatMap((part) => part.get(scope) ?? []);
  const sum = new FigureSum();
  for (const keys of keyed) for (const [key, counts] of keys) sum.add(scope, key, counts);
  const rows = [...(sum.scopes.get(scope) ?? [])]
    .map(([key, counts]) => ({ key, counts }))
    .filter(({ counts }) => counts.total > 0);
  return withText(rows, search).sort(comparison(sort, order));
}

function withText(rows: Row[], search: string): Row[] {
  if (search === "") return rows;
  const wanted = search.toLowerCase();
  return rows.filter(({ key }) => key.toLowerCase().includes(wanted));
}

/** No two rows are equal in it, so that the pages of a report hold each of them once. */
function comparison(sort: keyof Counts | "path", order?: "asc" | "desc"): (a: Row, b: Row) => number {
  if (sort === "path") {
    return order === "desc" ? (a, b) => compareUtf8(b.key, a.key) : (a, b) => compareUtf8(a.key, b.key);
  }
  return order === "asc"
    ? (a, b) => a.counts[sort] - b.counts[sort] || compareUtf8(a.key, b.key)
    : (a, b) => b.counts[sort] - a.counts[sort] || compareUtf8(a.key, b.key);
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
