import type { Doubt, Instruction } from "./instruction.ts";
import { restoreQuotes } from "./places.ts";
import { takeQuotes } from "./quotes.ts";
import { readSetField } from "./read-field.ts";
import { readFixLinks } from "./read-links.ts";
import { readAddPage, readMove } from "./read-page.ts";
import { readReplace } from "./read-replace.ts";

export interface NotUnderstood {
  /** The user's own words, shortened. */
  notUnderstood: string;
  /** A clause, when more can be said than that. */
  why?: string;
}

/*
 * prompt      = piece { separator piece }
 * separator   = new line | ";" | "then" | list marker | ". " before a verb | "and" before a verb
 * piece       = [courtesy] [place ","] instruction [courtesy]
 * instruction = replace TERM with TERM [modifiers]        (rename, change, swap, "use B instead of A", …)
 *             | fix [broken] links [place]                (images, anchors, navigation, redirects)
 *             | move PATH to PATH                         (rename the page PATH to PATH)
 *             | add a page PATH titled TITLE [in group NAME | after PATH] with the text: TEXT
 *             | set FIELD to VALUE in PATH-OR-GLOB
 * modifiers   = { place | prose only | everywhere | including code | whole words | ignoring case }
 * place       = in PATH-OR-GLOB | in all pages | …
 * TERM, VALUE = in quotes of any kind or backticks; without, only where nothing else can be meant
 */
const READERS = [readMove, readAddPage, readSetField, readFixLinks, readReplace];

/** Stands for a space at which a line is not split; like the marks of quoted parts it cannot occur in text. */
const JOINT = "\uFDD2";
const VERBS =
  "(?:find and )?(?:replace|rename|change|swap|substitute|fix|repair|correct|mend|move|relocate|add|create|set|update|use)";
/** Without its quoted parts. Longer text is no instruction, and would keep the patterns below busy. */
const PIECE_CHARACTERS_MAX = 500;
const LINE_CHARACTERS_MAX = 5000;
const TOO_LONG: Doubt = { doubt: "it is too long for one instruction; put each instruction on a line of its own" };
const LIST_MARKER = /^\s*(?:(?:\d+|[a-z])[.)]|[-*•+]|step \d+[:.)]|- \[[ x]\])\s+/i;
const CONTINUES =
  /^\s*(?:in|under|within|inside|across|throughout|only|everywhere|but|except|excluding|including|with|by|to|after|titled|entitled|prose|leave|leaving|ignoring|as|case)\b/i;
const COURTESY_BEFORE = new RegExp(
  "^(?:" +
    [
      String.raw`(?:hi|hello|hey|dear)(?: docent| there| team| all)?[,!.]*`,
      "(?:please|kindly|pls|ok|okay|so|now|also|just|first|firstly|second|secondly|third|thirdly|next|finally|lastly|afterwards|then|and|additionally)(?: please)?[,:]?",
      "(?:after that|in addition|as well as that)[,:]?",
      "(?:can|could|would|will) (?:you|we)(?: please| kindly)?",
      "would you mind",
      "i(?:['’]d| would) like (?:you )?to",
      "i (?:want|need) (?:you )?to",
      "we(?:['’]d like to| need to| want to| have to| should| would like to| must)",
      "(?:let['’]?s|let us|you should|go ahead and|make sure to|help me|try to)",
      "(?:your )?(?:task|job|todo|instruction)(?: is to)?:?",
    ].join("|") +
    String.raw`)(?:\s+|$)`,
  "i",
);
const COURTESY_AFTER =
  /(?:[\s.!?,;]|(?:^|\s)(?:please|thanks|thank you|many thanks|thx|cheers|for me|for us|if you can|will you|ok|okay|now)(?= *$))+$/i;
const LEAD_IN =
  /^(?:(?:do|make|apply|carry out|perform)(?: all)? (?:the following|these|this|those)(?: \w+)?|the following(?: \w+)?|(?:many )?thanks(?: a lot| so much| very much| in advance)*|thank you(?: very much| so much| in advance)*|(?:best|kind) regards|instructions|tasks?|steps|to ?do)$/i;
/** What a move does anyway, said after it. */
const DONE_BY_MOVE =
  /^(?:update|adjust|rewrite|keep|fix up|change) (?:all |any |the |every )*(?:inbound |incoming |internal |existing )?(?:links?|references|navigation)(?: that (?:point|lead|refer) to (?:it|them|the page)| pointing to (?:it|the page)| to (?:it|them|the page|that page|this page)| accordingly| working)?$|^(?:add|leave|create|set up) a redirect(?: (?:from|for|to) .*)?$/i;

/**
 * Reads a prompt as instructions, in their order. Either every word of it is understood, or it is refused as a whole
 * with the part that is not.
 */
export function readInstructions(prompt: string): { instructions: Instruction[] } | NotUnderstood {
  const quoted = takeQuotes(prompt);
  if ("unclosed" in quoted) return { notUnderstood: quoted.unclosed, why: "the quote that opens here is not closed" };
  const instructions: Instruction[] = [];
  for (const piece of pieces(quoted.text)) {
    if (instructions.at(-1)?.type === "move" && DONE_BY_MOVE.test(piece)) continue;
    const read = piece.length > PIECE_CHARACTERS_MAX ? TOO_LONG : readPiece(piece, quoted.values);
    if (read === undefined || "doubt" in read) {
      const words = shorten(restoreQuotes(piece, quoted.values));
      return read === undefined ? { notUnderstood: words } : { notUnderstood: words, why: read.doubt };
    }
    instructions.push(read);
  }
  if (instructions.length === 0) return { notUnderstood: shorten(prompt.trim()), why: "it holds no instruction" };
  return { instructions };
}

function readPiece(piece: string, values: readonly string[]): Instruction | Doubt | undefined {
  let doubt: Doubt | undefined;
  for (const text of [piece, placeLast(piece)]) {
    if (text === undefined) continue;
    for (const read of READERS) {
      const result = read(text, values);
      if (result === undefined) continue;
      if (!("doubt" in result)) return result;
      doubt ??= result;
    }
  }
  return doubt;
}

/** `In guides/**, replace …` said the other way round. */
function placeLast(piece: string): string | undefined {
  const match = new RegExp(
    `^((?:in|under|within|inside|across|throughout|everywhere|on|for)\\b.*?),? (?=${VERBS} )`,
    "i",
  ).exec(piece);
  const place = match?.[1];
  return match === null || place === undefined
    ? undefined
    : `${piece.slice(match[0].length)} ${place.replace(/,$/, "")}`;
}

function pieces(text: string): string[] {
  const lines: string[] = [];
  for (const line of text.split("\n")) {
    const marked = LIST_MARKER.test(line);
    if (!marked && CONTINUES.test(line) && lines.length > 0 && !placeLastStarts(line))
      lines.push(`${lines.pop() ?? ""} ${line.trim()}`);
    else lines.push(line.replace(LIST_MARKER, ""));
  }
  const split = new RegExp(
    [
      String.raw`\s*;\s*`,
      String.raw`,?\s+(?:and\s+)?(?:then|after that|afterwards|finally)[,:]?\s+`,
      String.raw`[.!]\s+(?=(?:please |also |then |next |finally |now |and )*(?:${VERBS}|in|use)\b)`,
      String.raw`,?\s+and\s+(?=(?:also |please |then )*${VERBS}\s)`,
      String.raw`,\s+(?=(?:also |please )*${VERBS}\s)`,
    ].join("|"),
    "i",
  );
  return lines
    .flatMap((line) => (line.length > LINE_CHARACTERS_MAX ? [line] : splitGuarded(line, split)))
    .map((piece) => (piece.length > LINE_CHARACTERS_MAX ? piece : clean(piece)))
    .filter((piece) => piece !== "" && !LEAD_IN.test(piece));
}

/** "Find and replace" and "find and fix" are one verb. */
function splitGuarded(line: string, split: RegExp): string[] {
  const guarded = line.replaceAll(
    /\b(find|check|look|search|scan|fix)((?: for)?(?: all)?) and (?=fix|repair|correct|replace)/gi,
    `$1$2${JOINT}and${JOINT}`,
  );
  const placed = guarded.replace(
    /^((?:\s*(?:please|also|now)\s+)*(?:in|under|within|across|throughout|everywhere)\b[^,;]*),\s+/i,
    `$1,${JOINT}`,
  );
  return placed.split(split).map((piece) => piece.replaceAll(JOINT, " "));
}

function placeLastStarts(line: string): boolean {
  return new RegExp(
    `^\\s*(?:in|under|within|inside|across|throughout|everywhere)\\b[^,]*, (?:please )?${VERBS} `,
    "i",
  ).test(line);
}

function clean(piece: string): string {
  let text = piece.replaceAll(/\s+/g, " ").trim();
  for (let before = ""; before !== text;) {
    before = text;
    text = text.replace(COURTESY_BEFORE, "").replace(COURTESY_AFTER, "").replace(/:$/, "").trim();
  }
  return text;
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  const characters = [...line];
  return characters.length <= 160 ? line : `${characters.slice(0, 159).join("")}…`;
}
