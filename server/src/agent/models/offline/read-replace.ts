import type { Doubt, Instruction } from "./instruction.ts";
import { isQuoted, readModifiers, readValue, type Modifiers } from "./places.ts";
import { QUOTED } from "./quotes.ts";

const VERB = "(?:find and )?(replace|rename|change|swap|substitute|update|convert|turn|switch)";
const COUNT = String.raw`(?:(?:all|every|each|any)(?: of)? (?:the )?)?(?:(?:occurrences?|mentions?|instances?|uses?|appearances?) of )?`;
const TERM_NOUN =
  "(?:(?:old |new |exact |product )?(?:term|word|words|phrase|string|strings|text|name|product|feature|brand) )?";
const LEAD = `${COUNT}(?:the )?${TERM_NOUN}`;
const LINK = "(?:with|by|to|into|as|for|->|=>|→)";

const QUOTED_PAIR = new RegExp(`^${VERB} ${LEAD}(${QUOTED})(.*?),? ${LINK} (?:the )?${TERM_NOUN}(${QUOTED})(.*)$`, "i");
const INSTEAD = new RegExp(
  `^(?:use|write|say|put) ${LEAD}(${QUOTED}) (?:instead of|in place of|rather than|for) ${LEAD}(${QUOTED})(.*)$`,
  "i",
);
const SHOULD_BE = new RegExp(
  `^${LEAD}(${QUOTED}) (?:should|must|has to|needs to|shall) (?:now )?(?:be|become|read)(?: called| named| written(?: as)?| spelled(?: as)?| spelt(?: as)?| renamed to| replaced (?:with|by)| changed to)? (${QUOTED})(.*)$`,
  "i",
);
const BARE_PAIR = new RegExp(
  String.raw`^(replace|rename) ((?:(?:all|every|each|any) )?(?:(?:occurrences?|mentions?|instances?|uses?) of )?(?:the (?:term|word|phrase|product|name|product name) |(?:term|word|phrase) )?)(.+?) (with|by|to) (.+)$`,
  "i",
);

const BARE_WORDS_MAX = 3;
const NOT_IN_BARE_TERM =
  /(?:^|\s)(?:to|with|by|in|into|on|of|at|and|or|under|within|across|only|everywhere|all|every|each|any|not|but|then|instead|for|from|the|a|an|this|that|these|those|it|its|them|my|our|your|old|new|ones?|better|more|page|pages|file|files|section|sections|everything|something)(?:\s|$)|[,;:"()<>|=]/i;

/** Reads `replace "A" with "B" in guides/**, prose only` and its variations. */
export function readReplace(text: string, values: readonly string[]): Instruction | Doubt | undefined {
  const pair = QUOTED_PAIR.exec(text);
  if (pair !== null) return readQuotedPair(pair, values);
  const instead = INSTEAD.exec(text);
  if (instead !== null) return build(instead[2], instead[1], instead[3], values);
  const shouldBe = SHOULD_BE.exec(text);
  if (shouldBe !== null) return build(shouldBe[1], shouldBe[2], shouldBe[3], values);
  return readBarePair(text, values);
}

function readQuotedPair(match: RegExpExecArray, values: readonly string[]): Instruction | Doubt | undefined {
  const [, verb = "", first, between = "", second, rest = ""] = match;
  const link = new RegExp(` (${LINK}) (?:the )?${TERM_NOUN}${QUOTED}`, "i").exec(
    match[0].slice(match[0].indexOf(first ?? "")),
  )?.[1];
  const isSubstitute = /^substitute$/i.test(verb);
  if (link?.toLowerCase() === "for") {
    // "Substitute B for A" puts B where A was; "swap A for B" the other way round.
    if (isSubstitute) return build(second, first, `${between}${rest}`, values);
    if (!/^(?:swap|switch|change)$/i.test(verb))
      return { doubt: 'it is not clear which text goes: say replace "old" with "new"' };
  }
  return build(first, second, `${between},${rest}`, values);
}

function build(
  find: string | undefined,
  replace: string | undefined,
  modifiers: string | undefined,
  values: readonly string[],
): Instruction | Doubt | undefined {
  const read = readModifiers(modifiers ?? "", values);
  if (find === undefined || replace === undefined || read === undefined) return undefined;
  return replacement(readValue(find, values), readValue(replace, values), read, true);
}

function replacement(find: string, replace: string, modifiers: Modifiers, isQuotedTerm: boolean): Instruction | Doubt {
  if (find === "") return { doubt: "the text to replace is empty" };
  if (find === replace) return { doubt: "both texts are the same" };
  if (find.includes("\n")) return { doubt: "a text to replace must be on one line" };
  const { scope = "everywhere", wholeWord = false, ignoreCase = false, glob } = modifiers;
  const base = { type: "replace" as const, find, replace, scope, wholeWord, ignoreCase, isQuoted: isQuotedTerm };
  return glob === undefined ? base : { ...base, glob };
}

/** Terms without quotes: only where nothing else can be meant. */
function readBarePair(text: string, values: readonly string[]): Instruction | Doubt | undefined {
  const match = BARE_PAIR.exec(text);
  if (match === null) return undefined;
  const [, verb = "", , find = "", link = "", rest = ""] = match;
  if (/^rename$/i.test(verb) !== /^to$/i.test(link)) return undefined;
  const [beforeMiddle, middle] = splitTerm(find, values);
  for (const [replace, tail] of splits(rest)) {
    const modifiers = readModifiers(`${middle},${tail}`, values);
    if (modifiers === undefined) continue;
    const doubt = doubtTerm(beforeMiddle) ?? doubtTerm(replace);
    if (doubt !== undefined) return { doubt };
    if (looksLikePath(beforeMiddle) && looksLikePath(replace) && !isQuoted(beforeMiddle)) {
      return {
        doubt: `it may mean a page or a term: say move ${beforeMiddle} to ${replace}, or replace "${beforeMiddle}" with "${replace}"`,
      };
    }
    const isQuotedTerm = isQuoted(beforeMiddle);
    return replacement(readValue(beforeMiddle, values), readValue(replace, values), modifiers, isQuotedTerm);
  }
  return undefined;
}

/** `"A" in guides/**` before the link word: the term and the words after it. */
function splitTerm(text: string, values: readonly string[]): [term: string, rest: string] {
  for (const [term, rest] of splits(text)) if (readModifiers(rest, values) !== undefined) return [term, rest];
  return [text, ""];
}

/** Every way to cut a text in two after a word, the shortest first part first. */
function* splits(text: string): Generator<[string, string]> {
  for (const match of text.matchAll(/,? |$/g)) yield [text.slice(0, match.index), text.slice(match.index)];
}

function doubtTerm(term: string): string | undefined {
  if (isQuoted(term)) return undefined;
  const words = term.split(" ");
  if (term === "" || words.length > BARE_WORDS_MAX || NOT_IN_BARE_TERM.test(term) || new RegExp(QUOTED).test(term)) {
    return 'the texts need quotes: say replace "old" with "new"';
  }
  return undefined;
}

function looksLikePath(text: string): boolean {
  return /\//.test(text) || /\.mdx?$/i.test(text);
}
