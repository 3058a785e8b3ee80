/** One part of a path pattern: `:name`, `:name*`, `:name?`, `:name+`, or text. */
const PARAMETER = /^:(\w+)([*+?]?)$/;

function matchParts(parts: readonly string[], path: readonly string[]): Map<string, string> | undefined {
  const [part, ...rest] = parts;
  if (part === undefined) return path.length === 0 ? new Map() : undefined;
  const parameter = PARAMETER.exec(part);
  if (parameter === null) {
    // `:page.md`, `:name(.*)`: a parameter with something around it.
    const inner = /^([^:]*):(\w+)(?:\(\.\*\))?([^:]*)$/.exec(part);
    const [first = ""] = path;
    if (inner === null) return part === first ? matchParts(rest, path.slice(1)) : undefined;
    const [, before = "", name = "", after = ""] = inner;
    const value = first.slice(before.length, first.length - after.length);
    if (!first.startsWith(before) || !first.endsWith(after) || value === "") return undefined;
    return matchParts(rest, path.slice(1))?.set(name, value);
  }
  const [, name = "", count = ""] = parameter;
  if (count === "" || count === "?") {
    return path.length === 0 ? undefined : matchParts(rest, path.slice(1))?.set(name, path[0] ?? "");
  }
  // What follows a parameter of several parts has a fixed number of them.
  const taken = path.length - rest.length;
  if (taken < (count === "+" ? 1 : 0)) return undefined;
  return matchParts(rest, path.slice(taken))?.set(name, path.slice(0, taken).join("/"));
}

/** Fills the parameters of a pattern; a part that comes to nothing goes with its slash. */
function fill(pattern: string, values: ReadonlyMap<string, string>): string {
  return pattern
    .split("/")
    .map((part) => part.replaceAll(/:(\w+)(?:\(\.\*\))?[*+?]?/g, (token, name: string) => values.get(name) ?? token))
    .filter((part) => part !== "")
    .join("/");
}

/** Where pages go by VitePress' `rewrites`: the first pattern that fits a path from the source folder holds. */
export function createRewrites(rewrites: readonly { from: string; to: string }[]): (path: string) => string {
  return (path) => {
    for (const { from, to } of rewrites) {
      const values = matchParts(from.split("/"), path.split("/"));
      if (values !== undefined) return fill(to, values);
    }
    return path;
  };
}
