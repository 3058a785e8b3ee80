import type { MarkdownProfile, PageFormat } from "./markdown-profile.ts";

/**
 * Stand-ins for characters that MDX would read as code although the framework reads them as text. They come from
 * Unicode's private use area, one code unit each, so every offset stays what it is in the file.
 */
const STAND_INS: Readonly<Record<string, string>> = { "{": "\uE07B", "}": "\uE07D", "<": "\uE03C" };
const ORIGINALS = new Map(Object.entries(STAND_INS).map(([original, standIn]) => [standIn, original]));

export function unmask(text: string): string {
  return text.replaceAll(/[\uE07B\uE07D\uE03C]/g, (standIn) => ORIGINALS.get(standIn) ?? standIn);
}

function mask(text: string): string {
  return text.replaceAll(/[{}<]/g, (character) => STAND_INS[character] ?? character);
}

const FENCE = /^[ \t]*(?:[-*+>][ \t]+|\d+[.)][ \t]+)*(`{3,}|~{3,})(.*)$/;
const HEADING_ID = /^([ \t]{0,3}#{1,6}[ \t].*?)(\{[ \t]*#[^{}\n]+\})([ \t]*)$/;
const DIRECTIVE_LINE = /^([ \t>]*:{2,}[A-Za-z][\w-]*(?:\[[^\]\n]*\])?)(\{[^\n]*\})([ \t]*)$/;
const TEXT_DIRECTIVE = /(:[A-Za-z][\w-]*(?:\[[^\]\n]*\])?)(\{[.#][^{}\n]*\})/g;
const CODE_SPAN_OR_MATH = /(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)|(?<![\\$])(\${1,2})(?![\s$])([^\n]*?[^\\\s$])\2(?!\$)/g;

function maskLine(line: string, profile: MarkdownProfile): string {
  let masked = line;
  if (profile.headingIds) {
    masked = masked.replace(HEADING_ID, (_, before: string, id: string, after: string) => before + mask(id) + after);
  }
  if (profile.directives && masked.includes(":")) {
    masked = masked
      .replace(DIRECTIVE_LINE, (_, before: string, braces: string, after: string) => before + mask(braces) + after)
      .replaceAll(TEXT_DIRECTIVE, (_, before: string, braces: string) => before + mask(braces));
  }
  if (profile.math && masked.includes("$")) {
    masked = masked.replaceAll(CODE_SPAN_OR_MATH, (all: string, ticks: string | undefined) =>
      ticks === undefined && /[\\{}<^_]/.test(all) ? mask(all) : all,
    );
  }
  return masked;
}

/** The page as MDX must see it, of equal length: what the framework itself rewrites before parsing is masked. */
export function maskSource(source: string, format: PageFormat, profile: MarkdownProfile): string {
  if (format === "md") return source;
  const lines = source.split("\n");
  let fence: { character: string; length: number; unwrapped: boolean } | undefined;
  let inFormula = false;
  let inScript = false;
  for (const [index, line] of lines.entries()) {
    inScript = inScript ? line.trim() !== "" : fence === undefined && /^(?:import|export)\s/.test(line);
    if (inScript) continue;
    const opening = FENCE.exec(line);
    if (fence !== undefined) {
      const marks = opening?.[1] ?? "";
      if (marks[0] === fence.character && marks.length >= fence.length && opening?.[2]?.trim() === "") {
        if (fence.unwrapped) lines[index] = line.replaceAll(/[^\r]/g, " ");
        fence = undefined;
      }
    } else if (opening?.[1] !== undefined && !inFormula) {
      const unwrapped = profile.mdxCodeBlocks && opening[2]?.trim() === "mdx-code-block";
      fence = { character: opening[1][0] ?? "`", length: opening[1].length, unwrapped };
      if (unwrapped) lines[index] = line.replaceAll(/[^\r]/g, " ");
    } else if (profile.math && /^[ \t]*\$\$[ \t]*\r?$/.test(line)) {
      inFormula = !inFormula;
    } else {
      lines[index] = inFormula ? mask(line) : maskLine(line, profile);
    }
  }
  return lines.join("\n");
}
