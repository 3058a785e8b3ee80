import { splitLines, type Line } from "./lines.ts";
import { normaliseTypography } from "./normalise.ts";
import type { Region } from "./region.ts";

const indentOf = (line: string) => /^\s*/.exec(line)?.[0] ?? "";
const bodyOf = (line: string) => normaliseTypography(line.trim(), { fragment: false }).text;

/** Which indentation of the file stands for each indentation of `old`; undefined when one would stand for two. */
function indentMap(oldLines: readonly Line[], fileLines: readonly Line[]): Map<string, string> | undefined {
  const map = new Map<string, string>();
  for (const [index, oldLine] of oldLines.entries()) {
    if (oldLine.text.trim() === "") continue;
    const from = indentOf(oldLine.text);
    const to = indentOf(fileLines[index]?.text ?? "");
    if (map.has(from) && map.get(from) !== to) return undefined;
    map.set(from, to);
  }
  return map;
}

/** An indentation that `old` does not have goes under the deepest one it has that this one begins with. */
function mapIndent(indent: string, map: ReadonlyMap<string, string>): string {
  const known = map.get(indent);
  if (known !== undefined) return known;
  let deepest: string | undefined;
  for (const from of map.keys()) {
    if (indent.startsWith(from) && (deepest === undefined || from.length > deepest.length)) deepest = from;
  }
  if (deepest !== undefined) return (map.get(deepest) ?? "") + indent.slice(deepest.length);
  // Shallower than all of `old`: take as many characters away as the shallowest known one has too many.
  const [from, to] = [...map].reduce((a, b) => (b[0].length < a[0].length ? b : a), ["", ""] as [string, string]);
  return to.slice(0, Math.max(0, to.length - (from.length - indent.length)));
}

function reindent(replacement: string, map: ReadonlyMap<string, string>): string {
  return splitLines(replacement)
    .map((line) => {
      const body = line.text.trimStart();
      return (body === "" ? "" : mapIndent(indentOf(line.text), map) + body) + (line.eol === "" ? "" : "\n");
    })
    .join("");
}

/** The places where the lines of `old` stand with another indentation; the replacement takes the file's. */
export function findReindented(text: string, old: string, replacement: string): Region[] {
  const trimmed = old.replace(/^(?:[^\S\n]*\n)+/, "");
  const oldLines = splitLines(trimmed);
  const bodies = oldLines.map((line) => bodyOf(line.text));
  if (bodies.every((body) => body === "")) return [];
  const newText = trimmed === old ? replacement : replacement.replace(/^(?:[^\S\n]*\n)+/, "");
  const fileLines = splitLines(text);
  const fileBodies = fileLines.map((line) => bodyOf(line.text));
  const regions: Region[] = [];
  for (let at = 0; at + bodies.length <= fileLines.length; at += 1) {
    if (!bodies.every((body, index) => body === fileBodies[at + index])) continue;
    const window = fileLines.slice(at, at + bodies.length);
    const map = indentMap(oldLines, window);
    const first = window[0];
    const last = window.at(-1);
    if (map === undefined || first === undefined || last === undefined) continue;
    const whole = trimmed.endsWith("\n") && last.eol !== "";
    const end = last.start + last.text.length + (whole ? last.eol.length : 0);
    const indented = reindent(newText, map);
    // `old` ends with a line end that the file's last line does not have.
    const matched = trimmed.endsWith("\n") && !whole ? indented.replace(/\n$/, "") : indented;
    regions.push({ start: first.start, end, replacement: matched });
  }
  return regions;
}
