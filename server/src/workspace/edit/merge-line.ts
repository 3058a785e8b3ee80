import { commonPairs } from "./common.ts";
import { normaliseTypography } from "./normalise.ts";

/** What a line is compared by: words, white space, runs of one other character; each with its accents. */
const TOKEN = /[\p{L}\p{N}\p{M}_\u00ad\u200b\u2060\ufeff]+|\s+|([^\s\p{L}\p{N}_])\1*\p{M}*/gu;

interface Token {
  text: string;
  start: number;
}

const tokensOf = (line: string): Token[] =>
  Array.from(line.matchAll(TOKEN), (match) => ({ text: match[0], start: match.index }));

const isSpace = (token: Token | undefined) => token !== undefined && token.text.trim() === "";

/**
 * A line of the file with the change that leads from `oldLine` to `newLine` made in it. The file's line reads as
 * `oldLine` does but for typography; what the change does not touch keeps the file's own characters.
 * @param options.fragment the lines end in the middle of a line, so that white space at their end counts
 * @param options.midLine the lines begin in the middle of a line, so that white space at their start is no indentation
 */
export function mergeLine(
  fileLine: string,
  oldLine: string,
  newLine: string,
  options: { fragment: boolean; midLine: boolean },
): string {
  const file = normaliseTypography(fileLine, options);
  const old = normaliseTypography(oldLine, options);
  const oldTokens = tokensOf(oldLine);
  const newTokens = tokensOf(newLine);
  const pairs = commonPairs(
    oldTokens.map(({ text }) => text),
    newTokens.map(({ text }) => text),
  );
  const parts: string[] = [];
  let formAt = 0;
  let fileAt = 0;
  let oldAt = 0;
  let newAt = 0;
  for (const [oldIndex, newIndex] of pairs) {
    const added = newTokens.slice(newAt, newIndex);
    const removed = oldTokens.slice(oldAt, oldIndex);
    const token = oldTokens[oldIndex];
    if (token === undefined) continue;
    const { from, to } = formRange(token);
    const start = from === to ? fileAt : (file.starts[from] ?? fileAt);
    // What the comparable form leaves out, like a zero-width space, stays as well.
    const leftOut = removed.length === 0 ? fileLine.slice(fileAt, start) : "";
    parts.push(leftOut, ...added.map(({ text }) => text));
    if (from < to) {
      fileAt = file.ends[to - 1] ?? fileAt;
      parts.push(fileLine.slice(start, fileAt));
    }
    oldAt = oldIndex + 1;
    newAt = newIndex + 1;
  }
  const added = newTokens.slice(newAt);
  const removed = oldTokens.slice(oldAt);
  // White space at the end of the file's line stays, unless the edit is about it.
  const isAboutEnd = options.fragment || isSpace(added.at(-1)) || isSpace(removed.at(-1));
  const end = isAboutEnd ? fileLine.length : (/\s*$/.exec(fileLine)?.index ?? fileLine.length);
  parts.push(...added.map(({ text }) => text));
  parts.push(fileLine.slice(removed.length === 0 && !isAboutEnd ? fileAt : Math.max(end, fileAt)));
  return parts.join("");

  /** The stretch of the comparable form that a token of `old` stands for; the tokens come in order. */
  function formRange({ start, text }: Token): { from: number; to: number } {
    while (formAt < old.starts.length && (old.starts[formAt] ?? 0) < start) formAt += 1;
    const from = formAt;
    while (formAt < old.starts.length && (old.starts[formAt] ?? 0) < start + text.length) formAt += 1;
    return { from, to: formAt };
  }
}
