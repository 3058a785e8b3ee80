import { CLOSE, OPEN, QUOTED } from "./quotes.ts";

/** Where in the documentation an instruction applies, and how a term is matched. */
export interface Modifiers {
  /** Undefined: all of the documentation. */
  glob?: string;
  scope?: "everywhere" | "prose";
  wholeWord?: boolean;
  ignoreCase?: boolean;
}

const CODE = String.raw`(?:the |any |all )?code(?:[- ]?(?:blocks?|samples?|examples?|snippets?|fences?))?(?: (?:and|or|nor) (?:inline code|code blocks?|links?|urls?))?`;
const ALL = String.raw`(?:(?:the |our |my )?(?:whole |entire |complete |full |all (?:of )?(?:the |our )?)?(?:docs|documentation|site|website|repo|repository|project|tree|docs site|docs folder)|(?:all|every|each|any)(?: of)?(?: the| our)? ?(?:docs?|documentation)? ?(?:pages?|files?|documents?|places?|docs|articles?|documentation))`;
const PLACE = String.raw`(?:${QUOTED}|(?!(?:code|prose|the|all|every|each|any|it|its|them|this|that|these|those|only|text)\b)[\w@./*{}[\]!?()%+~-]*[\w/*}\])])`;
const PLACES = String.raw`${PLACE}(?:(?:,| and|, and| or) ${PLACE})*`;
const NOUN = String.raw`(?:(?:folder|folders|directory|page|pages|file|files)\b)`;

const PATTERNS: readonly { pattern: RegExp; read: (match: RegExpExecArray) => Partial<Flags> }[] = [
  ...phrases("prose", [
    String.raw`(?:but )?(?:only )?(?:in |within )?(?:the )?prose(?: only| text)?`,
    String.raw`(?:in |within )?(?:the )?(?:running |body )?text only`,
    String.raw`only (?:in|within) (?:the )?(?:running |body )?text`,
    String.raw`(?:but )?(?:not|never) (?:in|inside|within) ${CODE}`,
    String.raw`(?:but )?(?:except|excluding|without|outside(?: of)?|skipping|but not|ignoring) (?:in |inside |for )?${CODE}`,
    String.raw`(?:but )?leav(?:e|ing) ${CODE} (?:alone|untouched|unchanged|as (?:it|they) (?:is|are)|as is)`,
    String.raw`(?:but )?(?:do not|don['’]t|without) (?:touch|chang)(?:e|ing)? ${CODE}`,
  ]),
  ...phrases("code", [
    String.raw`(?:including|also in|even in|include|in and outside(?: of)?) (?:in )?${CODE}(?: too| as well)?`,
    String.raw`in ${CODE},? (?:too|as well|also)`,
    String.raw`${CODE} (?:too|included|as well)`,
  ]),
  ...phrases("all", [
    "everywhere(?: else)?",
    "globally",
    "anywhere",
    String.raw`(?:in|on|across|throughout|through|over|for|of|within) ${ALL}`,
  ]),
  ...phrases("ignoreCase", [
    "case[- ]?insensitive(?:ly)?",
    "(?:ignoring|ignore|regardless of|whatever) (?:the |upper |lower )?(?:case|capitali[sz]ation)",
    "in any case",
  ]),
  ...phrases("exactCase", ["case[- ]?sensitive(?:ly)?", "(?:matching|match|with exact) case", "exact matches only"]),
  ...phrases("wholeWord", [
    "(?:(?:as|only|just|match|matching) )*(?:a |the )?(?:whole|entire|full|complete) words?(?: only)?",
    "(?:but )?not (?:inside|in|as (?:a )?part of) (?:longer|other|larger) words",
  ]),
  {
    pattern: start(
      String.raw`(?:only |just )?(?:in|under|within|inside|for|on|across|throughout|below) (?:only )?(?:the |all |every |each )*(?:${NOUN}(?: (?:in|under|at|of|inside))? (?:the )?(?:${NOUN} )?)?(${PLACES})(?: ${NOUN})?(?: only)?`,
    ),
    read: (match) => ({ place: match[1] ?? "" }),
  },
];

interface Flags {
  prose: true;
  code: true;
  all: true;
  ignoreCase: true;
  exactCase: true;
  wholeWord: true;
  place: string;
}

function start(source: string): RegExp {
  return new RegExp(`^(?:${source})(?=$|[\\s,.()])`, "i");
}

function phrases(flag: Exclude<keyof Flags, "place">, sources: readonly string[]) {
  return sources.map((source) => ({ pattern: start(source), read: () => ({ [flag]: true }) }));
}

/**
 * Reads words such as `in guides/**, prose only`. Undefined when any word remains, or two contradict each other:
 * what is not understood in full is not carried out.
 */
export function readModifiers(text: string, values: readonly string[]): Modifiers | undefined {
  let rest = text;
  const flags: Partial<Flags> = {};
  while ((rest = rest.replace(/^(?:[\s,()–—-]+|and (?!in\b)|but (?=in\b))+/i, "")) !== "") {
    const known = PATTERNS.map(({ pattern, read }) => ({ match: pattern.exec(rest), read })).find(
      ({ match }) => match !== null,
    );
    if (known?.match === undefined || known.match === null) return undefined;
    const read = known.read(known.match);
    if (read.place !== undefined && flags.place !== undefined) return undefined;
    Object.assign(flags, read);
    rest = rest.slice(known.match[0].length);
  }
  if ((flags.prose && flags.code) || (flags.ignoreCase && flags.exactCase)) return undefined;
  return {
    ...(flags.place === undefined ? {} : { glob: readPlaces(flags.place, values) }),
    ...(flags.prose ? { scope: "prose" as const } : {}),
    ...(flags.code ? { scope: "everywhere" as const } : {}),
    ...(flags.wholeWord ? { wholeWord: true } : {}),
    ...(flags.ignoreCase ? { ignoreCase: true } : {}),
  };
}

function readPlaces(places: string, values: readonly string[]): string {
  const globs = places.split(/(?:,| and|, and| or) /i).map((place) => readValue(place.trim(), values));
  return globs.length === 1
    ? (globs[0] ?? "")
    : `{${globs.map((glob) => (/[*/]$/.test(glob) || /\.\w+$/.test(glob) ? glob.replace(/\/$/, "/**") : `${glob}/**`)).join(",")}}`;
}

/** A quoted value for its placeholder, else the words themselves. */
export function readValue(text: string, values: readonly string[]): string {
  return isQuoted(text) ? (values[Number(text.slice(1, -1))] ?? "") : text;
}

export function isQuoted(text: string): boolean {
  return text.startsWith(OPEN) && text.endsWith(CLOSE) && text.indexOf(CLOSE) === text.length - 1;
}

/** Puts the quoted parts back, to show people their own words. */
export function restoreQuotes(text: string, values: readonly string[]): string {
  return text.replaceAll(new RegExp(QUOTED, "g"), (placeholder) => `"${readValue(placeholder, values)}"`);
}
