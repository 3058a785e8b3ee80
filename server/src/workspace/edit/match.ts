import { normaliseEol, normaliseTypography, type NormalisedText } from "./normalise.ts";
import type { Region } from "./region.ts";
import { findReindented } from "./reindent.ts";

/** How loosely a place was found. `exact` still takes every line end for the same. */
export type MatchLevel = "exact" | "typography" | "indentation";

export interface Matches {
  level: MatchLevel;
  regions: readonly Region[];
}

/** Every place of `old`, overlapping ones too: "aa" stands at two places of "aaa", so it does not name one. */
function findIn(haystack: NormalisedText, needle: string, replacement: string): Region[] {
  const regions: Region[] = [];
  if (needle === "") return regions;
  for (let at = haystack.text.indexOf(needle); at !== -1; at = haystack.text.indexOf(needle, at + 1)) {
    const start = haystack.starts[at];
    const end = haystack.ends[at + needle.length - 1];
    if (start !== undefined && end !== undefined) regions.push({ start, end, replacement });
  }
  return regions;
}

/** The places that `old` names in `text`, by the strictest of the levels that finds any. */
export function findMatches(text: string, old: string, replacement: string): Matches | undefined {
  const exact = findIn(normaliseEol(text), normaliseEol(old).text, replacement);
  if (exact.length > 0) return { level: "exact", regions: exact };
  const loose = normaliseTypography(text, { fragment: false });
  const needle = normaliseTypography(old, { fragment: true }).text;
  const typography = needle.trim() === "" ? [] : findIn(loose, needle, replacement);
  if (typography.length > 0) return { level: "typography", regions: typography };
  const indentation = findReindented(text, old, replacement);
  return indentation.length > 0 ? { level: "indentation", regions: indentation } : undefined;
}
