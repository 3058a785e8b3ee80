/** A prompt whose quoted parts are taken out, so that words and quotes cannot be mixed up. */
export interface QuotedText {
  /** The prompt with a placeholder for each quoted part: `OPEN`, its index, `CLOSE`. */
  text: string;
  values: readonly string[];
}

/** Two characters that Unicode reserves for use inside programs; a prompt that holds them loses them. */
export const OPEN = "\uFDD0";
export const CLOSE = "\uFDD1";
/** Source of a regular expression that matches one placeholder. */
export const QUOTED = `${OPEN}\\d+${CLOSE}`;

const CLOSING: Readonly<Record<string, readonly string[]>> = {
  '"': ['"'],
  "'": ["'"],
  "`": ["`"],
  "“": ["”", "“", '"'],
  "”": ["”"],
  "„": ["“", "”"],
  "‘": ["’", "‘"],
  "‚": ["‘", "’"],
  "«": ["»"],
  "»": ["«"],
  "‹": ["›"],
};

const PAGE_TEXT_OPENING =
  /^(?:(?:with|containing|using)\s+)?(?:(?:the|this|following|its)\s+)*(?:text|contents?|body)(?:\s+is)?\s*(?::|\n)/i;
/** How much of the instruction before a page's text is looked at. */
const LOOK_BACK = 400;
const ADDS_PAGE = /\b(?:add|create|write|make)\b[^;\n]*\b(?:page|document|doc|article|guide|file|tutorial)\b[^;]*$/i;

/**
 * Takes the quoted parts out of a prompt: in quotes of any kind or backticks, and the text of a page to add, which
 * runs from `with the text:` to the end of the prompt, of its quotes (`"""` too) or of its numbered list item.
 */
export function takeQuotes(prompt: string): QuotedText | { unclosed: string } {
  const source = prompt.replaceAll("\r\n", "\n").replaceAll(new RegExp(`[${OPEN}${CLOSE}]`, "g"), "");
  const values: string[] = [];
  let text = "";
  const keep = (value: string) => {
    text += OPEN + values.length + CLOSE;
    values.push(value);
  };
  for (let at = 0; at < source.length;) {
    const opening = mayOpenPageText(source, at) ? PAGE_TEXT_OPENING.exec(source.slice(at, at + 200)) : null;
    if (opening !== null && ADDS_PAGE.test(text.slice(-LOOK_BACK))) {
      const block = pageText(source, at + opening[0].length, listItem(text));
      text += opening[0].replace(/\s*[:\n]$/, " ");
      keep(block.value);
      text += "\n";
      at = block.end;
      continue;
    }
    const quoted = quotedPart(source, at);
    if (quoted === undefined) {
      text += source[at];
      at += 1;
    } else if (quoted.end < 0) {
      return { unclosed: source.slice(at, at + 60) };
    } else {
      keep(quoted.value);
      at = quoted.end;
    }
  }
  return { text, values };
}

function mayOpenPageText(source: string, at: number): boolean {
  return (at === 0 || /\s/.test(source[at - 1] ?? "")) && /[a-z]/i.test(source[at] ?? "");
}

/** The quoted part that starts here; `end` is after its closing quote, or -1 when it is not closed. */
function quotedPart(source: string, at: number): { value: string; end: number } | undefined {
  const quote = source[at] ?? "";
  if (!Object.hasOwn(CLOSING, quote)) return undefined;
  const before = source[at - 1] ?? " ";
  // An apostrophe is no quote: "the team's", "rock 'n' roll" is rare enough to be asked about.
  if ((quote === "'" || quote === "”") && /[\p{L}\p{N}]/u.test(before)) return undefined;
  const run =
    quote === "`" ? (/^`+/.exec(source.slice(at))?.[0] ?? quote) : source.startsWith('"""', at) ? '"""' : quote;
  const closings = run.length > 1 ? [run] : (CLOSING[quote] ?? []);
  let value = "";
  for (let end = at + run.length; end < source.length; end += 1) {
    const closing = closings.find((each) => source.startsWith(each, end));
    const isApostrophe =
      closing !== undefined && /^['’]$/.test(closing) && /[\p{L}\p{N}]/u.test(source[end + 1] ?? " ");
    if (closing !== undefined && !isApostrophe)
      return { value: run === '"""' ? value.replace(/^\n/, "").trimEnd() : value, end: end + closing.length };
    if (quote === '"' && run.length === 1 && source.startsWith('\\"', end)) {
      value += '"';
      end += 1;
    } else {
      value += source[end];
    }
  }
  return { value: "", end: -1 };
}

/** The number of the list item that the text so far ends in, if it is in one. */
function listItem(text: string): number | undefined {
  const numbers = Array.from(text.matchAll(/^[ \t]*(\d+)[.)][ \t]/gm), (match) => Number(match[1]));
  return numbers.at(-1);
}

function pageText(source: string, start: number, item: number | undefined): { value: string; end: number } {
  const spaces = /^[ \t]*\n?(?:[ \t]*\n)*/.exec(source.slice(start))?.[0].length ?? 0;
  const from = start + spaces;
  const fence = /^```+(?:md|mdx|markdown)[ \t]*\n/i.exec(source.slice(from));
  if (fence !== null) {
    const marks = /^`+/.exec(fence[0])?.[0] ?? "```";
    const close = new RegExp(`^${marks}[ \\t]*$`, "m").exec(source.slice(from + fence[0].length));
    if (close !== null) {
      const end = from + fence[0].length + close.index;
      return { value: source.slice(from + fence[0].length, end).trimEnd(), end: end + close[0].length };
    }
  }
  const quoted = /^["“„«]/.test(source.slice(from)) ? quotedPart(source, from) : undefined;
  // A text may begin with a quoted word; quotes hold it all only when nothing of its line follows them.
  if (quoted !== undefined && quoted.end > 0 && /^[ \t.]*(?:;|\n|$|then\b|and then\b)/.test(source.slice(quoted.end)))
    return quoted;
  const nextItem =
    item === undefined ? null : new RegExp(`^[ \\t]*${item + 1}[.)][ \\t]`, "m").exec(source.slice(from));
  const end = nextItem === null ? source.length : from + nextItem.index;
  return { value: source.slice(from, end).trimEnd(), end };
}
