import type { MintlifyRedirect } from "./mintlify-config.ts";

/** A site path as redirects compare it: one leading slash, none at the end, no query or hash. */
export function sitePath(path: string): string {
  const bare = path
    .replace(/[?#].*$/s, "")
    .replaceAll(/\/{2,}/g, "/")
    .replace(/\/$/, "");
  return bare.startsWith("/") ? bare : `/${bare}`;
}

export function isPattern(path: string): boolean {
  return /\*|\/:\w/.test(path);
}

export function isExternal(destination: string): boolean {
  return /^[A-Za-z][A-Za-z\d+.-]*:|^\/\//.test(destination);
}

/** What stands before the first parameter or wildcard, as a folder. */
export function fixedFolder(pattern: string): string {
  const cut = /\/(?:[^/]*\*|:\w)/.exec(pattern);
  return cut === null ? sitePath(pattern) : sitePath(pattern.slice(0, cut.index));
}

interface Matcher {
  /** What every path that matches begins with. */
  start: string;
  pattern: RegExp;
  names: string[];
}

/** Each wildcard more raises the time of a regular expression by a power: seven of them took for ever. */
const WILDCARDS_MAX = 3;
const PATH_CHARACTERS_MAX = 1_000;

/** `/:slug*` and a lone `*` match any rest, `/:name` one part. Undefined for more of them than a redirect can need. */
function matcher(source: string): Matcher | undefined {
  const wildcards = source.match(/\*/g)?.length ?? 0;
  // Parameters between slashes are found without trying; several in one part are not.
  const parameters = Math.max(...source.split("/").map((part) => part.match(/:\w/g)?.length ?? 0));
  if (wildcards + Math.max(0, parameters - 1) > WILDCARDS_MAX) return undefined;
  const names: string[] = [];
  const pattern = sitePath(source).replaceAll(
    /\/:(\w+)\*|:(\w+)|\*|[.+?^${}()|[\]\\]/g,
    (token, rest?: string, part?: string) => {
      if (rest !== undefined) {
        names.push(rest);
        return "(?:/(.*))?";
      }
      if (part !== undefined) {
        names.push(part);
        return "([^/]+)";
      }
      if (token === "*") {
        names.push("*");
        return "(.*)";
      }
      return `\\${token}`;
    },
  );
  const start = /^.*?(?=\/?(?:\*|:\w))/.exec(sitePath(source))?.[0] ?? "";
  return { start, pattern: new RegExp(`^${pattern}$`), names };
}

export interface RedirectRules {
  /** Where the first matching redirect sends a path; undefined when none does. */
  follow(path: string): { destination: string; redirect: MintlifyRedirect } | undefined;
}

export function createRedirectRules(redirects: readonly MintlifyRedirect[]): RedirectRules {
  const literal = new Map<string, MintlifyRedirect>();
  const patterns: { redirect: MintlifyRedirect; matcher: Matcher }[] = [];
  for (const redirect of redirects) {
    const source = redirect.source.value;
    if (isPattern(source)) {
      const found = matcher(source);
      if (found !== undefined) patterns.push({ redirect, matcher: found });
    } else if (!literal.has(sitePath(source))) literal.set(sitePath(source), redirect);
  }
  return {
    follow(path) {
      const wanted = sitePath(path);
      const exact = literal.get(wanted);
      if (exact !== undefined) return { destination: exact.destination.value, redirect: exact };
      if (wanted.length > PATH_CHARACTERS_MAX) return undefined;
      for (const { redirect, matcher: found } of patterns) {
        if (!wanted.startsWith(found.start)) continue;
        const { pattern, names } = found;
        const match = pattern.exec(wanted);
        if (match === null) continue;
        const values = new Map(names.map((name, index) => [name, match[index + 1] ?? ""]));
        const destination = redirect.destination.value.replaceAll(
          /:(\w+)\*?|\*/g,
          (token, name?: string) => values.get(name ?? "*") ?? token,
        );
        return { destination, redirect };
      }
      return undefined;
    },
  };
}
