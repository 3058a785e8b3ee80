import { findIn, type Haystack } from "./haystack.ts";
import { normaliseEol, normaliseTypography } from "./normalise.ts";
import type { Region } from "./region.ts";
import { findReindented } from "./reindent.ts";

/** How loosely a place was found. `exact` still takes every line end for the same. */
export type MatchLevel = "exact" | "typography" | "indentation";

export interface Matches {
  level: MatchLevel;
  regions: readonly Region[];
}

/** Scripts that write no space between words. */
const UNSPACED = String.raw`\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}\p{sc=Tibt}`;
const STARTS_WITH_WORD = new RegExp(String.raw`^(?![${UNSPACED}])[\p{L}\p{N}_]`, "u");
const ENDS_WITH_WORD = new RegExp(String.raw`(?![${UNSPACED}])[\p{L}\p{N}_]$`, "u");

/** True when the place begins or ends inside a word: "it's" in "bandit’s" is not what was meant. */
function cutsWord(text: string, { start, end }: Region): boolean {
  const found = text.slice(start, end);
  return (
    (STARTS_WITH_WORD.test(found) && ENDS_WITH_WORD.test(text.slice(Math.max(0, start - 2), start))) ||
    (ENDS_WITH_WORD.test(found) && STARTS_WITH_WORD.test(text.slice(end, end + 2)))
  );
}

/**
 * The places that `old` names, by the strictest of the levels that finds any; only those that start within the given
 * region when there is one.
 */
export function findMatches(haystack: Haystack, old: string, within?: Region): Matches | undefined {
  const { text } = haystack;
  const exact = findIn(haystack.eolForm, text, normaliseEol(old).text, within);
  if (exact.length > 0) return { level: "exact", regions: exact };
  const needle = normaliseTypography(old, { fragment: true }).text;
  const alike = needle.trim() === "" ? [] : findIn(haystack.typographyForm, text, needle, within);
  const typography = alike.filter((region) => !cutsWord(text, region));
  if (typography.length > 0) return { level: "typography", regions: typography };
  const indentation = findReindented(text, old).filter(
    ({ start }) => within === undefined || (start >= within.start && start < within.end),
  );
  return indentation.length > 0 ? { level: "indentation", regions: indentation } : undefined;
}
