import { runOnThread } from "../../limited-thread.ts";
import type { Refusal } from "../../workspace/refusal.ts";

export interface TextQuery {
  find: string;
  replace: string;
  /** `find` is a JavaScript regular expression and `replace` may say `$1`, `$<name>`, `$&`. */
  regex: boolean;
  wholeWord: boolean;
  ignoreCase: boolean;
}

/** One place to replace, in UTF-16 code units. */
export interface TextMatch {
  start: number;
  end: number;
  replacement: string;
}

/** A pattern can take for ever (`(a+)+$`), so that patterns run on a thread that can be stopped. */
const PATTERN_TIME_MAX_MS = 2000;
/** Of all replacements in one call together: a long one at every letter of a page would fill the memory. */
const REPLACEMENT_CHARACTERS_MAX = 32 * 1024 * 1024;
const TOO_MUCH: Refusal = {
  refused: `The replacements would have more than ${REPLACEMENT_CHARACTERS_MAX} characters together. Replace less, or with something shorter.`,
};

const WORD = String.raw`[\p{L}\p{N}\p{M}_]`;
const STARTS_WITH_WORD = new RegExp(`^${WORD}`, "u");
const ENDS_WITH_WORD = new RegExp(`${WORD}$`, "u");

/** What a pattern's thread answers; null when the replacements are too much. */
export type PatternMatches = TextMatch[][] | null;

/**
 * Every match in every text, in order and without overlaps. A pattern that is not valid or takes too long is refused,
 * and so are replacements too long to hold.
 */
export async function findMatches(texts: readonly string[], query: TextQuery): Promise<TextMatch[][] | Refusal> {
  if (query.regex) return matchPattern(texts, query);
  const found = literalTextMatches(texts, query);
  const count = found.reduce((sum, matches) => sum + matches.length, 0);
  return count * query.replace.length > REPLACEMENT_CHARACTERS_MAX ? TOO_MUCH : found;
}

function literalTextMatches(texts: readonly string[], query: TextQuery): TextMatch[][] {
  if (!query.wholeWord && !query.ignoreCase) return texts.map((text) => literalMatches(text, query));
  const pattern = literalPattern(query);
  return texts.map((text) =>
    Array.from(text.matchAll(pattern), (match) => ({
      start: match.index,
      end: match.index + match[0].length,
      replacement: query.replace,
    })),
  );
}

function literalMatches(text: string, { find, replace }: TextQuery): TextMatch[] {
  const matches: TextMatch[] = [];
  for (let at = text.indexOf(find); at >= 0; at = text.indexOf(find, at + find.length)) {
    matches.push({ start: at, end: at + find.length, replacement: replace });
  }
  return matches;
}

function literalPattern({ find, wholeWord, ignoreCase }: TextQuery): RegExp {
  const escaped = find.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
  const before = wholeWord && STARTS_WITH_WORD.test(find) ? `(?<!${WORD})` : "";
  const after = wholeWord && ENDS_WITH_WORD.test(find) ? `(?!${WORD})` : "";
  return new RegExp(before + escaped + after, ignoreCase ? "giu" : "gu");
}

/** True when a match is a part of a longer word: the "flag" of "flagship". */
export function isInsideWord(text: string, match: TextMatch): boolean {
  const found = text.slice(match.start, match.end);
  const before = text.slice(Math.max(0, match.start - 2), match.start);
  const after = text.slice(match.end, match.end + 2);
  return (
    (STARTS_WITH_WORD.test(found) && ENDS_WITH_WORD.test(before)) ||
    (ENDS_WITH_WORD.test(found) && STARTS_WITH_WORD.test(after))
  );
}

/** The text with its matches replaced. The matches are in order and do not overlap. */
export function spliceMatches(text: string, matches: readonly TextMatch[]): string {
  let result = "";
  let position = 0;
  for (const { start, end, replacement } of matches) {
    result += text.slice(position, start) + replacement;
    position = end;
  }
  return result + text.slice(position);
}

async function matchPattern(texts: readonly string[], query: TextQuery): Promise<TextMatch[][] | Refusal> {
  const source = query.wholeWord ? `(?<!${WORD})(?:${query.find})(?!${WORD})` : query.find;
  const flags = query.ignoreCase ? "gimu" : "gmu";
  try {
    void new RegExp(source, flags);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { refused: `The regular expression is not valid: ${reason}.` };
  }
  const outcome = await runOnThread<PatternMatches>(
    new URL("./pattern-worker.ts", import.meta.url),
    { texts, source, flags, replace: query.replace, replacementCharactersMax: REPLACEMENT_CHARACTERS_MAX },
    PATTERN_TIME_MAX_MS,
  );
  if (outcome === "took too long") {
    return { refused: `The regular expression took longer than ${PATTERN_TIME_MAX_MS / 1000} s. Make it simpler.` };
  }
  return outcome.result ?? TOO_MUCH;
}
