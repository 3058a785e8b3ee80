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
  pattern: RegExp;
  names: string[];
}

/** `/:slug*` and a lone `*` match any rest, `/:name` one part. */
function matcher(source: string): Matcher {
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
  return { pattern: new RegExp(`^${pattern}$`), names };
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
    if (isPattern(source)) patterns.push({ redirect, matcher: matcher(source) });
    else if (!literal.has(sitePath(source))) literal.set(sitePath(source), redirect);
  }
  return {
    follow(path) {
      const exact = literal.get(sitePath(path));
      if (exact !== undefined) return { destination: exact.destination.value, redirect: exact };
      for (const {
        redirect,
        matcher: { pattern, names },
      } of patterns) {
        const match = pattern.exec(sitePath(path));
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
