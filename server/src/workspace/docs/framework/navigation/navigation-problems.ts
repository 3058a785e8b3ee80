import { problemAt } from "../../config/config-file.ts";
import type { Problem } from "../../problem.ts";
import type { Resolution } from "../framework.ts";
import type { RedirectMove } from "./follow-redirects.ts";
import type { Navigation } from "./navigation.ts";
import type { RedirectList } from "./redirects.ts";

/** Entries that lead nowhere, and files that cannot be read. A list that is named twice is read twice, and told of once. */
export function navigationProblems({ entries, files }: Navigation): Problem[] {
  const broken = new Set(files.filter(({ problem }) => problem !== undefined).map(({ path }) => path));
  const problems = [
    ...files.flatMap(({ problem }) => problem ?? []),
    ...entries.flatMap(({ file, literal, missing, suggestion }) =>
      missing === undefined || broken.has(file.path)
        ? []
        : [problemAt(file, literal, "navigation", missing, suggestion)],
    ),
  ];
  const seen = new Set<string>();
  return problems.filter(({ path, line, column }) => {
    const key = `${path} ${line} ${column}`;
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
}

export interface RedirectRules {
  normalize: RedirectMove["normalize"];
  /** A page lies at the address that a redirect leads away from. */
  hidesPage(from: string): boolean;
  /** Where the destination of a redirect leads. */
  resolve(to: string): Resolution;
  /** The redirect matches more than one address: nothing is told of it. */
  isPattern(from: string): boolean;
}

/** Redirects that lead nowhere, back to themselves, or away from a page that is there. */
export function redirectProblems(list: RedirectList | undefined, rules: RedirectRules): Problem[] {
  if (list === undefined || list.file.problem !== undefined) return [];
  const { file, redirects } = list;
  const { normalize } = rules;
  const bare = (written: string): string => normalize(written.replace(/[?#].*$/s, ""));
  const targets = new Map(redirects.map(({ from, to }) => [normalize(from.value), bare(to.value)]));
  const leadsBack = (start: string): boolean => {
    const seen = new Set<string>();
    let next = targets.get(start);
    while (next !== undefined && next !== start && !seen.has(next)) {
      seen.add(next);
      next = targets.get(next);
    }
    return next === start;
  };
  return redirects.flatMap(({ from, to }): Problem[] => {
    if (rules.isPattern(from.value) || rules.isPattern(to.value)) return [];
    const hiding = rules.hidesPage(from.value)
      ? [
          problemAt(
            file,
            from,
            "redirect",
            `There is a page at \`${from.value}\`, and a redirect leads away from that address.`,
          ),
        ]
      : [];
    if (leadsBack(normalize(from.value))) {
      return [...hiding, problemAt(file, to, "redirect", `The redirect from \`${from.value}\` leads back to itself.`)];
    }
    if (targets.has(bare(to.value)) || rules.resolve(to.value).type !== "missing") return hiding;
    const message = `The redirect leads to \`${to.value}\`, and there is no such page.`;
    return [...hiding, problemAt(file, to, "redirect", message)];
  });
}
