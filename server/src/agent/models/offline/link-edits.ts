/** A problem that `check_docs` reported with the answer to it. */
export interface FixableProblem {
  kind: string;
  path: string;
  line: number;
  column: number;
  target: string;
  suggestion: string;
}

export interface LineEdit {
  line: number;
  old: string;
  new: string;
}

/** A link's address may stand on a line after the one its problem names. */
export const LINES_AFTER = 5;

const BEFORE_ADDRESS = /(?:\]\(\s*<?|\]:\s*<?|=\s*["'{`]*\s*|["'`]\s*|<)$/;
const BEFORE_WORD = /[\w/.#%@-]$/;
const AFTER_WORD = /^(?:[\w/%#@-]|\.\w)/;

/**
 * The edits of a file's lines that put each suggestion in the place of its target, one edit a line. What is not found
 * where the problem says is given back and never touched.
 * @param lines the file's lines by their number; undefined where a line is not known in full
 */
export function lineEdits(
  lines: ReadonlyMap<number, string>,
  problems: readonly FixableProblem[],
): { edits: LineEdit[]; notFound: FixableProblem[] } {
  const splices = new Map<number, { at: number; problem: FixableProblem }[]>();
  const notFound: FixableProblem[] = [];
  for (const problem of problems) {
    const place = locate(lines, problem, splices);
    if (place === undefined) notFound.push(problem);
    else splices.set(place.line, [...(splices.get(place.line) ?? []), { at: place.at, problem }]);
  }
  const edits: LineEdit[] = [];
  for (const [line, places] of [...splices].sort(([a], [b]) => a - b)) {
    const old = lines.get(line) ?? "";
    let text = "";
    let position = 0;
    for (const { at, problem } of places.sort((a, b) => a.at - b.at)) {
      text += old.slice(position, at) + problem.suggestion;
      position = at + problem.target.length;
    }
    edits.push({ line, old, new: text + old.slice(position) });
  }
  return { edits, notFound };
}

function locate(
  lines: ReadonlyMap<number, string>,
  problem: FixableProblem,
  taken: ReadonlyMap<number, readonly { at: number; problem: FixableProblem }[]>,
): { line: number; at: number } | undefined {
  for (const isAddress of [true, false]) {
    for (let line = problem.line; line <= problem.line + LINES_AFTER; line += 1) {
      const text = lines.get(line);
      if (text === undefined || (line > problem.line && text.trim() === "")) break;
      const from = line === problem.line ? problem.column - 1 : 0;
      for (let at = text.indexOf(problem.target, from); at >= 0; at = text.indexOf(problem.target, at + 1)) {
        const before = text.slice(0, at);
        const fits = isAddress ? BEFORE_ADDRESS.test(before) : !BEFORE_WORD.test(before);
        const isTaken = taken
          .get(line)
          ?.some((other) => at < other.at + other.problem.target.length && other.at < at + problem.target.length);
        if (fits && !AFTER_WORD.test(text.slice(at + problem.target.length)) && isTaken !== true) return { line, at };
      }
    }
  }
  return undefined;
}
