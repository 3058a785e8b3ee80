import { plural } from "../../../plural.ts";
import type { ToolOutput } from "../../transcript.ts";
import { missingFiles } from "./edit-tasks.ts";
import type { Instruction } from "./instruction.ts";
import { LINES_AFTER, lineEdits, type FixableProblem, type LineEdit } from "./link-edits.ts";
import { callTool, countField, outputField, outputText, type Outcome, type PlannedCall, type Task } from "./task.ts";
import { repairLongLines } from "./long-lines.ts";

const PROBLEMS_A_PAGE = 200;
const CALLS_AN_ANSWER = 40;
/** A repair can uncover another: a moved page's anchors are checked only once its address is right. */
const ROUNDS_MAX = 10;
const LISTED_MAX = 50;

interface ReportedProblem extends Omit<FixableProblem, "target" | "suggestion"> {
  message: string;
  target: string | undefined;
  suggestion: string | undefined;
}

/**
 * Repairs what `check_docs` reports with a certain answer, round after round until nothing certain is left. A problem
 * without an answer is never touched; the summary lists it.
 */
export function* fixLinks({ kinds, glob }: Extract<Instruction, { type: "fix-links" }>): Task {
  const missing = glob === undefined ? undefined : yield* missingFiles(glob);
  if (missing !== undefined) return { type: "failed", reason: missing };
  const tried = new Set<string>();
  let fixed = 0;
  const files = new Set<string>();
  for (let round = 0; ; round += 1) {
    const checked = yield* checkAll(glob, kinds);
    if ("failed" in checked) return { type: "failed", reason: checked.failed };
    const fixable =
      round < ROUNDS_MAX ? checked.problems.filter(isFixable).filter((each) => !tried.has(problemKey(each))) : [];
    if (fixable.length === 0) return summarise(fixed, files.size, checked.problems);
    for (const problem of fixable) tried.add(problemKey(problem));
    for (const [path, count] of yield* repair(fixable)) {
      fixed += count;
      files.add(path);
    }
  }
}

function* checkAll(
  glob: string | undefined,
  kinds: readonly string[],
): Generator<PlannedCall[], { problems: ReportedProblem[] } | { failed: string }, ToolOutput[]> {
  const problems: ReportedProblem[] = [];
  const onlyKind = kinds.length === 1 ? kinds[0] : undefined;
  for (let offset = 0; ; offset += PROBLEMS_A_PAGE) {
    const output = yield* callTool("check_docs", {
      ...(glob === undefined ? {} : { glob }),
      ...(onlyKind === undefined ? {} : { kind: onlyKind }),
      offset,
      limit: PROBLEMS_A_PAGE,
    });
    const page = outputField(output, "problems");
    if (!Array.isArray(page)) return { failed: outputText(output) };
    problems.push(...page.flatMap(readProblem).filter((problem) => kinds.includes(problem.kind)));
    if (outputField(output, "more") !== true || offset + page.length >= countField(output, "total"))
      return { problems };
  }
}

function readProblem(value: unknown): ReportedProblem[] {
  if (typeof value !== "object" || value === null) return [];
  const field = (name: string): unknown => Object.entries(value).find(([key]) => key === name)?.[1];
  const text = (name: string): string | undefined => {
    const found = field(name);
    return typeof found === "string" ? found : undefined;
  };
  return [
    {
      kind: text("kind") ?? "",
      path: text("path") ?? "",
      line: Number(field("line")),
      column: Number(field("column")),
      message: text("message") ?? "",
      target: text("target"),
      suggestion: text("suggestion"),
    },
  ];
}

function isFixable(problem: ReportedProblem): problem is ReportedProblem & FixableProblem {
  const { target, suggestion } = problem;
  return target !== undefined && target !== "" && suggestion !== undefined && target !== suggestion;
}

function problemKey({ kind, path, line, column, target, suggestion }: ReportedProblem): string {
  return JSON.stringify([kind, path, line, column, target, suggestion]);
}

/** Reads the lines of each file's problems, then edits them; answers how many were repaired in each file. */
function* repair(
  problems: readonly FixableProblem[],
): Generator<PlannedCall[], [path: string, count: number][], ToolOutput[]> {
  const byPath = new Map<string, FixableProblem[]>();
  for (const problem of problems) byPath.set(problem.path, [...(byPath.get(problem.path) ?? []), problem]);
  const edits: { path: string; edits: LineEdit[]; count: number }[] = [];
  const onLongLines: FixableProblem[] = [];
  for (const batch of batches([...byPath])) {
    const read = yield* readLines(batch.map(([path, each]) => ({ path, ...span(each) })));
    for (const [index, [path, each]] of batch.entries()) {
      const lines = read[index] ?? new Map<number, string>();
      const { edits: fileEdits, notFound } = lineEdits(lines, each);
      onLongLines.push(...notFound.filter(({ line }) => !lines.has(line)));
      if (fileEdits.length > 0) edits.push({ path, edits: fileEdits, count: each.length - notFound.length });
    }
  }
  const repaired: [string, number][] = [];
  for (const batch of batches(edits)) {
    const outputs = yield batch.map(({ path, edits: fileEdits }) => ({
      toolName: "edit_file",
      input: { path, edits: fileEdits.map((edit) => ({ ...edit })) },
    }));
    for (const [index, { path, count }] of batch.entries()) {
      if (outputs[index]?.type !== "error-text") repaired.push([path, count]);
    }
  }
  for (const batch of batches(onLongLines)) {
    for (const { path } of yield* repairLongLines(batch)) repaired.push([path, 1]);
  }
  return repaired;
}

interface Span {
  path: string;
  first: number;
  last: number;
}

function span(problems: readonly FixableProblem[]): { first: number; last: number } {
  const lines = problems.map(({ line }) => line);
  return { first: Math.min(...lines), last: Math.max(...lines) + LINES_AFTER };
}

/** The lines of some files. A reading that was cut short goes on where it stopped. */
function* readLines(spans: readonly Span[]): Generator<PlannedCall[], Map<number, string>[], ToolOutput[]> {
  const lines = spans.map(() => new Map<number, string>());
  let waiting = spans.map((each, index) => ({ ...each, index, next: each.first }));
  while (waiting.length > 0) {
    const outputs = yield waiting.map(({ path, next, last }) => ({
      toolName: "read_file",
      input: { path, offset: next - 1, limit: last - next + 1 },
    }));
    waiting = waiting.flatMap((each, position) => {
      const output = outputs[position];
      const read = output === undefined || output.type === "error-text" ? [] : readNumbered(outputText(output));
      for (const { number, text, isWhole } of read) if (isWhole) lines[each.index]?.set(number, text);
      const next = (read.at(-1)?.number ?? Infinity) + 1;
      return next <= each.last && hasMore(output) ? [{ ...each, next }] : [];
    });
  }
  return lines;
}

function hasMore(output: ToolOutput | undefined): boolean {
  return output !== undefined && /\n\[\d+ more of \d+ lines: go on with offset \d+\.\]$/.test(outputText(output));
}

function readNumbered(text: string): { number: number; text: string; isWhole: boolean }[] {
  return text.split("\n").flatMap((line) => {
    const match = /^(\d+)→(.*)$/s.exec(line);
    if (match === null) return [];
    const isWhole = !/\[… \d+ more characters in this line\]$/.test(line);
    return [{ number: Number(match[1]), text: match[2] ?? "", isWhole }];
  });
}

function* batches<Item>(items: readonly Item[]): Generator<Item[]> {
  for (let start = 0; start < items.length; start += CALLS_AN_ANSWER) yield items.slice(start, start + CALLS_AN_ANSWER);
}

function summarise(fixed: number, filesFixed: number, remaining: readonly ReportedProblem[]): Outcome {
  // A template that is used on every page brings its defect a thousand times.
  const alike = [...Map.groupBy(remaining, ({ message }) => message).values()].flatMap(describeAlike);
  const lines = alike.slice(0, LISTED_MAX);
  const more = alike.length > LISTED_MAX ? [`- and ${alike.length - LISTED_MAX} more`] : [];
  const left =
    remaining.length === 0
      ? ""
      : `\n\n${plural(remaining.length, "problem")} left as found, because no answer is certain or its place cannot be told:\n\n${[...lines, ...more].join("\n")}`;
  const done =
    fixed > 0
      ? `Repaired ${plural(fixed, "broken link")} in ${plural(filesFixed, "file")}.`
      : remaining.length === 0
        ? "No broken links were found, so nothing needed changing."
        : "No broken link has a certain answer, so nothing was changed.";
  return { type: "done", title: "Fix broken links", summary: done + left, changedFiles: fixed > 0 };
}

function describeAlike(problems: readonly ReportedProblem[]): string[] {
  const [first] = problems;
  if (first === undefined) return [];
  const others = problems.length > 1 ? ` (and in ${plural(problems.length - 1, "other place")})` : "";
  return [`- \`${first.path}\` line ${first.line}${others}: ${first.message}`];
}
