import { parentPort, workerData } from "node:worker_threads";
import type { PatternMatches, TextMatch } from "./text-matches.ts";

/** Runs one regular expression over texts, on a thread of its own: see text-matches.ts. */
const {
  texts,
  source,
  flags,
  replace,
  replacementCharactersMax,
}: { texts: string[]; source: string; flags: string; replace: string; replacementCharactersMax: number } = workerData;

parentPort?.postMessage(findMatches(), []);

function findMatches(): PatternMatches {
  const pattern = new RegExp(source, flags);
  const found: TextMatch[][] = [];
  let characters = 0;
  for (const text of texts) {
    const matches: TextMatch[] = [];
    for (const match of text.matchAll(pattern)) {
      if (match[0].length === 0) continue;
      const replacement = expand(replace, match);
      characters += replacement.length;
      if (characters > replacementCharactersMax) return null;
      matches.push({ start: match.index, end: match.index + match[0].length, replacement });
    }
    found.push(matches);
  }
  return found;
}

/** The replacement of one match, with `$$`, `$&`, `$1`–`$99` and `$<name>` filled in as String.prototype.replace does. */
function expand(template: string, match: RegExpExecArray): string {
  return template.replaceAll(/\$(?:(\$)|(&)|(\d{1,2})|<([^>]*)>)/g, (whole, dollar, all, digits, name) => {
    if (dollar !== undefined) return "$";
    if (all !== undefined) return match[0];
    if (name !== undefined) return match.groups === undefined ? whole : (match.groups[name] ?? "");
    const index = Number(digits);
    if (index > 0 && index < match.length) return match[index] ?? "";
    const first = Number(String(digits).charAt(0));
    if (first > 0 && first < match.length) return (match[first] ?? "") + String(digits).slice(1);
    return whole;
  });
}
