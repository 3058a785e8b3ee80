/**
 * Python-Markdown's blocks that CommonMark has no name for, made list items: `!!! note` and its content, indented by four
 * spaces, become `-   note`. Every character of text stays at its place.
 */
const BLOCK = /^([ \t]*)(?:(!!!|\?\?\?|===)(?=[ \t]|[+!])|(:)(?=[ \t]{3,}\S))([+!]?)/;
const FENCE = /^[ \t]*(?:[-*+][ \t]+|\d+\.[ \t]+)?(`{3,}|~{3,})/;

function asItem(line: string): string {
  return line.replace(
    BLOCK,
    (all, indent: string, marks: string | undefined, colon: string | undefined, sign: string) => {
      if (colon !== undefined) return `${indent}-`;
      const rest = all.length - indent.length;
      // After four columns the item's text begins; a space there would begin code.
      return `${indent}-${" ".repeat(Math.max(0, (marks ?? "").length - 1))}${sign === "" ? "" : " "}`.slice(
        0,
        indent.length + rest,
      );
    },
  );
}

export function mkdocsSource(source: string): string {
  if (!/^[ \t]*(?:!!!|\?\?\?|===|:[ \t]{3})/m.test(source)) return source;
  let fence: string | undefined;
  return source
    .split("\n")
    .map((line) => {
      const marks = FENCE.exec(line)?.[1];
      if (fence !== undefined) {
        if (marks?.startsWith(fence) === true && line.trim() === marks) fence = undefined;
        return line;
      }
      if (marks !== undefined) {
        fence = marks;
        return line;
      }
      const item = asItem(line);
      // `-    note`, from a mark of four characters, would take the content for less indented than its own text.
      return item === line ? line : item.replace(/^([ \t]*- {3}) (?=\S)/, "$1x");
    })
    .join("\n");
}
