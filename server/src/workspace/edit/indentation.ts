import type { Line } from "./lines.ts";

/** Which indentation of the file stands for each indentation of `old`. */
export type IndentMap = ReadonlyMap<string, string>;

export const indentOf = (line: string) => /^\s*/.exec(line)?.[0] ?? "";

/**
 * The indentations of `old` with those of the file's lines; undefined when the lines are nested in another way there:
 * when one would stand for two, two for one, or a deeper one for a shallower one.
 */
export function indentMap(oldLines: readonly Line[], fileLines: readonly Line[]): IndentMap | undefined {
  const map = new Map<string, string>();
  for (const [index, oldLine] of oldLines.entries()) {
    if (oldLine.text.trim() === "") continue;
    const from = indentOf(oldLine.text);
    const to = indentOf(fileLines[index]?.text ?? "");
    if (map.has(from) && map.get(from) !== to) return undefined;
    map.set(from, to);
  }
  const depths = [...map].sort(([a], [b]) => a.length - b.length).map(([, to]) => to.length);
  return depths.every((depth, index) => index === 0 || depth > (depths[index - 1] ?? 0)) ? map : undefined;
}

/**
 * The file's indentation for one of `new`. One that `old` does not have keeps its distance to the nearest that it has,
 * in the file's units; undefined when that cannot be told.
 */
export function mapIndent(indent: string, map: IndentMap): string | undefined {
  const known = map.get(indent);
  if (known !== undefined) return known;
  const bases = [...map.keys()].sort((a, b) => b.length - a.length);
  const base = bases.find((from) => indent.startsWith(from));
  if (base === undefined) return shallower(indent, map);
  const more = indent.slice(base.length);
  const to = map.get(base) ?? "";
  if (isOneKind(to + more) && isOneKind(indent)) return to + more;
  const unit = unitOf(map);
  return unit === undefined || more.length % unit.from.length !== 0 || !isOneKind(more)
    ? undefined
    : to + unit.to.repeat(more.length / unit.from.length);
}

const isOneKind = (indent: string) => /^(?: *|\t*)$/.test(indent);

/** Less than all of `old`: as many characters less than the file's shallowest line of it. */
function shallower(indent: string, map: IndentMap): string | undefined {
  const [from, to] = [...map].reduce((a, b) => (b[0].length < a[0].length ? b : a));
  if (!from.startsWith(indent)) return undefined;
  const less = from.slice(indent.length);
  if (to.endsWith(less)) return to.slice(0, to.length - less.length);
  const unit = unitOf(map);
  if (unit === undefined || less.length % unit.from.length !== 0) return undefined;
  const taken = unit.to.repeat(less.length / unit.from.length);
  return to.endsWith(taken) ? to.slice(0, to.length - taken.length) : undefined;
}

/** How much of `old`'s indentation is one tab of the file, or one of its tabs how many spaces; by any line that shows it. */
function unitOf(map: IndentMap): { from: string; to: string } | undefined {
  for (const [from, to] of map) {
    const [tabs, spaces] = from.startsWith("\t") ? [from, to] : [to, from];
    if (!/^\t+$/.test(tabs) || !/^ +$/.test(spaces) || spaces.length % tabs.length !== 0) continue;
    const step = " ".repeat(spaces.length / tabs.length);
    return tabs === from ? { from: "\t", to: step } : { from: step, to: "\t" };
  }
  return undefined;
}
