export interface Line {
  start: number;
  /** Without the line end. */
  text: string;
  /** `""` for a last line without one. */
  eol: "" | "\n" | "\r\n";
}

/** Cuts a text into its lines. A text that ends with a line end has no empty line after it. */
export function splitLines(text: string): Line[] {
  const lines: Line[] = [];
  for (let start = 0; start < text.length;) {
    const feed = text.indexOf("\n", start);
    if (feed === -1) {
      lines.push({ start, text: text.slice(start), eol: "" });
      break;
    }
    const isCrlf = feed > start && text[feed - 1] === "\r";
    lines.push({ start, text: text.slice(start, isCrlf ? feed - 1 : feed), eol: isCrlf ? "\r\n" : "\n" });
    start = feed + 1;
  }
  return lines;
}

/** The 1-based numbers of the lines that hold these offsets, which are in order; each line once. */
export function lineNumbersAt(text: string, offsets: readonly number[]): number[] {
  const numbers: number[] = [];
  let line = 1;
  let feed = text.indexOf("\n");
  for (const offset of offsets) {
    for (; feed !== -1 && feed < offset; feed = text.indexOf("\n", feed + 1)) line += 1;
    if (numbers.at(-1) !== line) numbers.push(line);
  }
  return numbers;
}
