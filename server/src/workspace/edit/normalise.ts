/** A text in a comparable form, with the way back: character `i` stands for `starts[i]` to `ends[i]` of the original. */
export interface NormalisedText {
  text: string;
  starts: readonly number[];
  ends: readonly number[];
}

/** Characters that people and word processors put where a model writes the ASCII one. */
const LOOK_ALIKES = new Map<string, string>(
  Object.entries({
    "'": "\u2018\u2019\u201a\u201b\u2032\u02bc\uff07",
    '"': "\u201c\u201d\u201e\u201f\u2033\uff02",
    "-": "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d",
  }).flatMap(([plain, variants]) => [...variants].map((variant) => [variant, plain] as const)),
).set("\u2026", "...");

const EOL = /\r\n/y;
const INVISIBLE = /[\u00ad\u200b\u2060\ufeff]+/y;
const SPACES = /[^\S\r\n]+/y;
const CLUSTER = /\P{M}\p{M}+/uy;
const CHARACTER = /[^]/uy;

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

function createBuilder() {
  const parts: string[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  return {
    add(form: string, start: number, end: number): void {
      parts.push(form);
      for (let index = 0; index < form.length; index += 1) {
        // A character of two code units that stays itself keeps an offset for each of them.
        const keeps = form.length === end - start;
        starts.push(keeps ? start + index : start);
        ends.push(keeps ? start + index + 1 : end);
      }
    },
    done: (): NormalisedText => ({ text: parts.join(""), starts, ends }),
  };
}

/** Line ends as LF, everything else as it is. */
export function normaliseEol(text: string): NormalisedText {
  const builder = createBuilder();
  let at = 0;
  for (let crlf = text.indexOf("\r\n"); crlf !== -1; crlf = text.indexOf("\r\n", at)) {
    if (crlf > at) builder.add(text.slice(at, crlf), at, crlf);
    builder.add("\n", crlf, crlf + 2);
    at = crlf + 2;
  }
  if (at < text.length) builder.add(text.slice(at), at, text.length);
  return builder.done();
}

/**
 * Line ends as LF; typographic quotes, dashes, dots and spaces as the ASCII ones; accents composed; invisible
 * characters and white space at line ends gone; runs of white space inside a line as one space. Indentation stays.
 * `fragment`: the text may end in the middle of a line, so that white space at its very end means something.
 * `midLine`: it begins in the middle of a line, so that white space at its very start is no indentation.
 */
export function normaliseTypography(text: string, options: { fragment: boolean; midLine?: boolean }): NormalisedText {
  const builder = createBuilder();
  let at = 0;
  let lineStart = options.midLine !== true;
  const take = (form: string, length: number) => {
    builder.add(form, at, at + length);
    at += length;
  };
  while (at < text.length) {
    if (text[at] === "\n" || matchAt(EOL, text, at) !== undefined) {
      take("\n", text[at] === "\n" ? 1 : 2);
      lineStart = true;
      continue;
    }
    const invisible = matchAt(INVISIBLE, text, at);
    if (invisible !== undefined) {
      take("", invisible.length);
      continue;
    }
    const spaces = matchAt(SPACES, text, at);
    if (spaces !== undefined) {
      const end = at + spaces.length;
      const endsLine = end === text.length ? !options.fragment : text[end] === "\n" || text.startsWith("\r\n", end);
      if (endsLine) take("", spaces.length);
      else if (lineStart) take(spaces.replace(/[^\t]/g, " "), spaces.length);
      else take(" ", spaces.length);
      continue;
    }
    lineStart = false;
    const cluster = matchAt(CLUSTER, text, at);
    if (cluster === undefined) {
      const character = matchAt(CHARACTER, text, at) ?? text.charAt(at);
      take(LOOK_ALIKES.get(character) ?? character, character.length);
    } else take(cluster.normalize("NFC"), cluster.length);
  }
  return builder.done();
}
