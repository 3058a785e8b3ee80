import { normaliseEol, normaliseTypography, type NormalisedText } from "./normalise.ts";
import type { Region } from "./region.ts";

/** A text that several edits are looked for in. Its comparable forms are made once, when they are first asked for. */
export interface Haystack {
  readonly text: string;
  readonly eolForm: NormalisedText;
  readonly typographyForm: NormalisedText;
}

export function createHaystack(text: string): Haystack {
  let eolForm: NormalisedText | undefined;
  let typographyForm: NormalisedText | undefined;
  return {
    text,
    get eolForm() {
      return (eolForm ??= normaliseEol(text));
    },
    get typographyForm() {
      return (typographyForm ??= normaliseTypography(text, { fragment: false }));
    },
  };
}

/** A mark, a joiner or a skin tone belongs to the character before it; cut off, it would change another one. */
const GOES_ON = /^[\p{M}\p{Emoji_Modifier}\u200d]/u;

/**
 * Every place of `needle` that starts within these offsets of the original, overlapping ones too: "aa" stands at two
 * places of "aaa", so it does not name one. A place that would cut a character in two is none.
 */
export function findIn(form: NormalisedText, text: string, needle: string, within?: Region): Region[] {
  const regions: Region[] = [];
  if (needle === "") return regions;
  const from = within === undefined ? 0 : indexOfOffset(form, within.start);
  const to = within === undefined ? form.text.length : indexOfOffset(form, within.end);
  const slice = within === undefined ? form.text : form.text.slice(0, to + needle.length);
  for (let at = slice.indexOf(needle, from); at !== -1 && at < to; at = slice.indexOf(needle, at + 1)) {
    const region = regionAt(form, at, at + needle.length);
    if (region === undefined) continue;
    const after = text.slice(region.end, region.end + 2);
    if (GOES_ON.test(after) || text[region.start - 1] === "\u200d") continue;
    regions.push(region);
  }
  return regions;
}

/** The original's place of a stretch of the form; undefined when one end of it lies inside of what was one character. */
function regionAt(form: NormalisedText, from: number, to: number): Region | undefined {
  const start = form.starts[from];
  const end = form.ends[to - 1];
  if (start === undefined || end === undefined) return undefined;
  const startsInside = from > 0 && (form.ends[from - 1] ?? 0) > start;
  const endsInside = to < form.starts.length && (form.starts[to] ?? end) < end;
  return startsInside || endsInside ? undefined : { start, end };
}

/** The first index of the form that stands for this offset of the original or a later one. */
function indexOfOffset(form: NormalisedText, offset: number): number {
  let low = 0;
  let high = form.starts.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((form.starts[middle] ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
