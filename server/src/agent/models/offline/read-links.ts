import type { ProblemKind } from "../../../workspace/docs/problem.ts";
import type { Instruction } from "./instruction.ts";
import { readModifiers } from "./places.ts";

const KINDS_OF_WORD: readonly [RegExp, readonly ProblemKind[]][] = [
  [/link|url|reference/i, ["link", "anchor", "image", "navigation", "redirect"]],
  [/anchor|fragment/i, ["anchor"]],
  [/image|picture|screenshot/i, ["image"]],
  [/nav|sidebar/i, ["navigation"]],
  [/redirect/i, ["redirect"]],
];

const ADJECTIVE =
  "(?:broken|dead|invalid|wrong|bad|failing|incorrect|missing|rotten|stale|outdated|non-?working|internal|relative)";
const WORD =
  "(?:link rot|(?:internal |image |anchor |navigation |nav |page )?(?:hyper)?links?|anchors?(?: links?)?|fragments?|images?|pictures?|image references?|navigation(?: entr(?:y|ies)| items?)?|nav(?: entries| items)?|sidebar(?: entries| items)?|redirects?|(?:cross[- ]?)?references|urls?)";
const FIX =
  "(?:fix(?: up)?|repair|mend|correct|resolve|clean up|sort out|heal|(?:check|look|search|scan|find)(?: for)?(?: all)? and (?:fix|repair|correct)|(?:find|check) and (?:fix|repair|correct))";

const FIX_LINKS = new RegExp(
  `^${FIX} (?:all |any |every |each |the |our |my |these |of |remaining |known |those |other )*` +
    `((?:${ADJECTIVE},? (?:and |or )?)*${WORD}(?:(?:,| and|, and| or|/| &) (?:all |any |the )?(?:${ADJECTIVE} )*${WORD})*)` +
    "(?: (?:errors?|problems?|issues?))?((?: |,).*)?$",
  "i",
);
const BROKEN_ONES =
  /^(?:fix|repair|mend|correct) (?:all |any |every |the )*(?:links?|anchors?|images?|references?)(?: that| which) (?:are|is) (?:broken|dead|invalid)(.*)$/i;

/** Reads `fix broken links in guides/**` and its variations. */
export function readFixLinks(text: string, values: readonly string[]): Instruction | undefined {
  const broken = BROKEN_ONES.exec(text);
  const match = FIX_LINKS.exec(text);
  const words = broken === null ? match?.[1] : text;
  const rest = broken === null ? match?.[2] : broken[1];
  if (words === undefined) return undefined;
  const modifiers = readModifiers(rest ?? "", values);
  if (modifiers === undefined || modifiers.scope !== undefined || modifiers.wholeWord || modifiers.ignoreCase)
    return undefined;
  const kinds = kindsOf(words);
  return { type: "fix-links", kinds, ...(modifiers.glob === undefined ? {} : { glob: modifiers.glob }) };
}

function kindsOf(words: string): ProblemKind[] {
  const singular = words.replaceAll(/\b(image|anchor|navigation|nav)s? (?:hyper)?(?:links?|references?)/gi, "$1");
  const kinds = KINDS_OF_WORD.filter(([pattern]) => pattern.test(singular)).flatMap(([, each]) => each);
  return [...new Set(kinds)];
}
