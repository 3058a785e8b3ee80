import { parentPort, workerData } from "node:worker_threads";

/** Runs one regular expression over texts, on a thread of its own: see text-matches.ts. */
const { texts, source, flags, replace }: { texts: string[]; source: string; flags: string; replace: string } =
  workerData;

const pattern = new RegExp(source, flags);
const matches = texts.map((text) =>
  Array.from(text.matchAll(pattern))
    .filter((match) => match[0].length > 0)
    .map((match) => ({ start: match.index, end: match.index + match[0].length, replacement: expand(replace, match) })),
);
parentPort?.postMessage(matches, []);

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
