import { decodeText, encodeText } from "../text-edit.ts";
import { walkLiteral, type Literal } from "./literal.ts";
import { parseNamedExports, parseScript } from "./script-literal.ts";
import { parseYaml } from "./yaml-literal.ts";

interface Part {
  start: number;
  end: number;
}

/** The lists and objects that stand at these keys, wherever in the file; none when it does not parse. */
function partsOf(path: string, text: string, keys: readonly string[]): Part[] {
  const found: Part[] = [];
  const collect = (literal: Literal): void => {
    if (literal.kind === "unknown") {
      for (const inner of [
        ...(literal.call?.arguments ?? []),
        ...(literal.returns === undefined ? [] : [literal.returns]),
      ])
        walkLiteral(inner, visit);
      return;
    }
    if (literal.kind === "array" || literal.kind === "object") found.push({ start: literal.start, end: literal.end });
  };
  const visit = (literal: Literal): void => {
    if (literal.kind === "unknown") {
      for (const inner of [
        ...(literal.call?.arguments ?? []),
        ...(literal.returns === undefined ? [] : [literal.returns]),
      ])
        walkLiteral(inner, visit);
    }
    if (literal.kind !== "object") return;
    for (const { key, value } of literal.properties) if (keys.includes(key)) collectValue(value);
  };
  const collectValue = (value: Literal): void => {
    const inner = value.kind === "unknown" && value.call === undefined ? value.returns : value;
    if (inner !== undefined && inner.kind !== "unknown") collect(inner);
  };
  if (/\.ya?ml$/.test(path)) {
    const { root, error } = parseYaml(text);
    if (root !== undefined && error === undefined) walkLiteral(root, visit);
  } else {
    const typescript = /\.[cm]?ts$/.test(path);
    const byDefault = parseScript(text, typescript);
    for (const literal of [
      ...(byDefault === undefined ? [] : [byDefault]),
      ...parseNamedExports(text, typescript).values(),
    ]) {
      walkLiteral(literal, visit);
    }
  }
  return outermost(found);
}

function outermost(parts: readonly Part[]): Part[] {
  const sorted = [...parts].sort((left, right) => left.start - right.start || right.end - left.end);
  const kept: Part[] = [];
  for (const part of sorted) if (part.start >= (kept.at(-1)?.end ?? 0)) kept.push(part);
  return kept;
}

/** The text before, between and after the parts. */
function around(text: string, parts: readonly Part[]): string[] {
  let from = 0;
  const pieces = parts.map(({ start, end }) => {
    const piece = text.slice(from, start);
    from = end;
    return piece;
  });
  return [...pieces, text.slice(from)];
}

/** YAML's tags that Python makes values of, or that read the environment. */
function tags(text: string): number {
  return text.match(/![!\w]/g)?.length ?? 0;
}

/**
 * Why a configuration file may not be changed so: as the end of "… may not be changed here: …". Only what stands at these keys
 * may change, and every other character must stay. What is within is for `newScriptCode` to judge.
 */
export function configurationDefect(
  path: string,
  before: Uint8Array | undefined,
  after: Uint8Array | null,
  keys: readonly string[],
): string | undefined {
  const names = keys.map((key) => `\`${key}\``).join(" and ");
  if (after === null || before === undefined) return `it configures the site, and only its ${names} may be edited.`;
  const [old, next] = [decodeText(before), decodeText(after)];
  if (old === undefined || next === undefined) return "it is not UTF-8 text.";
  if (old === next) return undefined;
  const [oldParts, newParts] = [partsOf(path, old, keys), partsOf(path, next, keys)];
  const [outside, nextOutside] = [around(old, oldParts), around(next, newParts)];
  const isSame = outside.length === nextOutside.length && outside.every((piece, index) => piece === nextOutside[index]);
  if (oldParts.length === 0 || !isSame) return `of the site's configuration, only the literal ${names} may be edited.`;
  return tags(next) > tags(old) ? "no tag may be added to the site's configuration." : undefined;
}

/** What stands at these keys as a script of its own, so that it can be looked through for code. */
export function partsAsScript(path: string, content: Uint8Array, keys: readonly string[]): Uint8Array {
  const text = decodeText(content);
  if (text === undefined) return content;
  const values = partsOf(path, text, keys).map(({ start, end }) => text.slice(start, end));
  return encodeText(`export default [\n${values.join(",\n")}\n];\n`);
}
