/**
 * What models put into a replacement that was never meant for the file: line numbers of a listing, a placeholder for
 * text that they left out, escapes of another format. Written as given, it would ruin the page.
 */
interface Artifact {
  isIn(replacement: string, old: string): boolean;
  refusal: string;
}

const NUMBERED_LINE = /^\s*\d+→/m;
/** A listing begins with its first line. */
const NUMBERED_LINE_LENGTH_MAX = 200;

const LEFT_OUT = String.raw`(?:existing|remaining|previous|other|rest of(?: the)?|unchanged|same as (?:before|above)|as before|omitted|truncated|snip(?:ped)?)`;
const KIND = String.raw`(?:content|contents|text|code|page|file|section|sections|lines?|document|rest|items?|rows?|steps?|unchanged|here|below|remains?|stays?|the same)`;
/** A line that is nothing but dots, a comment or brackets around words such as "rest of the page unchanged". */
const PLACEHOLDER_LINE = new RegExp(
  String.raw`^\s*(?:<!--|\{/\*|/\*|//|#|\[|\(|\{|\.{3}|…)\s*(?:\.{3}|…)?\s*(?:(?:the|keep|all|with)\s+)*(?:${LEFT_OUT}\b.*\b${KIND}\b|(?:content|text|code) (?:stays|remains|continues|unchanged)|unchanged|omitted)\b.{0,60}$`,
  "im",
);

const DIFF_MARKER = /^(?:<{5,9} ?(?:SEARCH|ORIGINAL|OLD)|>{5,9} ?(?:REPLACE|UPDATED|NEW))\b/m;
const TAG = /<\/([A-Za-z][\w.]*)|<([A-Za-z][\w.]*)\s[^>]*=/;

const ARTIFACTS: readonly Artifact[] = [
  {
    isIn: (replacement, old) => NUMBERED_LINE.test(replacement) && !NUMBERED_LINE.test(old),
    refusal:
      "`new` holds line numbers and arrows as read_file shows them. Leave them out: they are not part of the file.",
  },
  {
    isIn: (replacement, old) => PLACEHOLDER_LINE.test(replacement) && !PLACEHOLDER_LINE.test(old),
    refusal:
      "`new` holds a placeholder for text that was left out. It would be written as it stands, and that text would be lost. Write the whole text, or edit only what changes.",
  },
  {
    isIn: (replacement, old) => DIFF_MARKER.test(replacement) && !DIFF_MARKER.test(old),
    refusal: "`new` holds the markers of a search and replace block. Give only the text that the file is to have.",
  },
  {
    isIn: (replacement, old) =>
      old.includes('"') && !old.includes('\\"') && replacement.includes('\\"') && !/(?<!\\)"/.test(replacement),
    refusal: '`new` has a backslash before every quote (\\"), which `old` has not. Write the quotes as the file does.',
  },
  {
    isIn: (replacement, old) => {
      if (/&(?:quot|apos|#39|#34);/.test(replacement) && !/&(?:quot|apos|#39|#34);/.test(old)) return true;
      const tag = TAG.exec(old);
      const name = tag?.[1] ?? tag?.[2];
      return name !== undefined && new RegExp(`&lt;/?${name}\\b`).test(replacement) && !old.includes("&lt;");
    },
    refusal:
      "`new` writes quotes or tags as HTML entities (&quot;, &lt;), which `old` does not. Write the characters themselves.",
  },
  {
    isIn: (replacement, old) =>
      !replacement.includes("\n") &&
      /\\n(?:\\n|#{1,6} |[-*] |\d+\. |```|\||<\/?[A-Za-z])/.test(withoutCode(replacement)) &&
      !old.includes("\\n"),
    refusal: "`new` holds line breaks as the two characters \\n. Write real line breaks.",
  },
];

/** Inline code and quoted strings hold `\n` with good reason. */
const withoutCode = (text: string) => text.replaceAll(/`[^`]*`|"[^"]*"|'[^']*'/g, "");

/** Why the replacement cannot be meant as it stands; undefined when it can. */
export function artifactIn(replacement: string, old: string): string | undefined {
  return ARTIFACTS.find((artifact) => artifact.isIn(replacement, old))?.refusal;
}

const WHOLE_FENCE = /^\s*(`{3,}|~{3,})[^\n]*\n(?:---|#|import |<)[^]*\n\1\s*$/;

/**
 * The same for the whole content of a file. `before`: what the file holds now, null when there is none; what stands
 * there already was meant.
 */
export function artifactInPage(content: string, before: Uint8Array | null): string | undefined {
  const old = before === null ? "" : new TextDecoder().decode(before);
  if (NUMBERED_LINE.test(content.slice(0, NUMBERED_LINE_LENGTH_MAX)) && !NUMBERED_LINE.test(old)) {
    return "The content holds line numbers and arrows as read_file shows them. Leave them out.";
  }
  if (before !== null && PLACEHOLDER_LINE.test(content) && !PLACEHOLDER_LINE.test(old)) {
    return "The content holds a placeholder for text that was left out, and that text would be lost. Write the whole content, or change a part with edit_file.";
  }
  if (WHOLE_FENCE.test(content) && !WHOLE_FENCE.test(old)) {
    return "The content is wrapped in a code fence. Give it without.";
  }
  return undefined;
}
