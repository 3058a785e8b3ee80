import type { Doubt, Instruction } from "./instruction.ts";
import { isQuoted, readModifiers, readValue } from "./places.ts";
import { QUOTED } from "./quotes.ts";

const BLOCK = "(?:front[- ]?matter|metadata|yaml)";
const NOUN = `(?:${BLOCK} )?(?:field|key|property|entry)`;
const FIELD = String.raw`(${QUOTED}|[A-Za-z_][\w.-]*(?::[\w.-]+)*)`;
const VALUE = String.raw`(${QUOTED}|true|false|null|-?\d+(?:\.\d+)?|(?:(?!(?:in|of|for|on|across|to|under|within|and|the|a|an|something|everything|what|whatever)\b)[\w./-]+))`;
const IS = "(?:to be |to |= ?|as |with(?: the)? value )";
const OF = "(?:in|of|for|on|across|under|within|to|throughout)";

/** `set description to "…" in guides/a`; group 1 verb, 2 what names it a field, 3 field, 4 value, 5 place. */
const VALUE_FIRST = new RegExp(
  `^(set|change|update|add|put) ((?:the )?(?:${NOUN} |${BLOCK} )?)${FIELD}((?: ${NOUN})?)(?::? ${IS}|: |=)(?:the )?${VALUE}((?:,? ${OF} .+| everywhere))$`,
  "i",
);
/** `set the description of guides/a to "…"`. */
const PLACE_FIRST = new RegExp(
  `^(set|change|update) ((?:the )?(?:${NOUN} |${BLOCK} )?)${FIELD}((?: ${NOUN})?) (${OF} .+?) (?:to be|to|=|as) ${VALUE}$`,
  "i",
);

const KNOWN_FIELDS =
  /^(?:title|description|sidebarTitle|sidebar_label|sidebar_position|icon|slug|tag|tags|mode|keywords|noindex|hidden|image|summary|date|draft|og:\w+)$/i;

/** Reads `set FIELD to VALUE in PATH` and its variations. */
export function readSetField(text: string, values: readonly string[]): Instruction | Doubt | undefined {
  const first = VALUE_FIRST.exec(text);
  if (first !== null) {
    const [, verb = "", before = "", field = "", after = "", value = "", place = ""] = first;
    return setField({ verb, before, field, after, value, place, isOfPage: false }, values);
  }
  const second = PLACE_FIRST.exec(text);
  if (second === null) return undefined;
  const [, verb = "", before = "", field = "", after = "", place = "", value = ""] = second;
  return setField({ verb, before, field, after, value, place, isOfPage: /^(?:of|for)\b/i.test(place) }, values);
}

interface Parts {
  verb: string;
  before: string;
  field: string;
  after: string;
  value: string;
  place: string;
  /** "the title of guides/a": nothing else can be meant. */
  isOfPage: boolean;
}

function setField(parts: Parts, values: readonly string[]): Instruction | Doubt | undefined {
  const field = readValue(parts.field, values);
  if (!/^[A-Za-z_][\w.:-]*$/.test(field)) return undefined;
  const isNamedField = new RegExp(`(?:${NOUN}|${BLOCK})`, "i").test(parts.before + parts.after);
  const isKnown = KNOWN_FIELDS.test(field) && !isQuoted(parts.field);
  if (!isNamedField && !/^(?:set|put)$/i.test(parts.verb)) {
    // "Change title to heading in guides/a" may as well be about the word "title".
    const isCertain = isKnown && isQuoted(parts.value) && (parts.isOfPage || /^the /i.test(parts.before));
    if (!isCertain) {
      return isKnown
        ? { doubt: `it may mean a field or a word: say set ${field} to "…" in …, or replace "${field}" with "…"` }
        : undefined;
    }
  }
  const place = /^(?:,? )?everywhere$/i.test(parts.place)
    ? "everywhere"
    : parts.place.replace(/^,? ?(?:to|of) /i, "in ");
  const modifiers = readModifiers(place, values);
  if (modifiers === undefined || modifiers.scope !== undefined || modifiers.wholeWord || modifiers.ignoreCase)
    return undefined;
  return { type: "set-field", field, value: readFieldValue(parts.value, values), target: modifiers.glob ?? "**" };
}

function readFieldValue(text: string, values: readonly string[]): string | number | boolean | null {
  if (isQuoted(text)) return readValue(text, values);
  if (/^(?:true|false)$/i.test(text)) return text.toLowerCase() === "true";
  if (/^null$/i.test(text)) return null;
  return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text;
}
