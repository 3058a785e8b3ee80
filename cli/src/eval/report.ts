import { formatCost, formatTable } from "../table.ts";
import type { Terminal } from "../terminal.ts";
import type { TaskResult } from "./run-task.ts";

export interface EvaluationTotal {
  passed: number;
  tasks: number;
  steps: number;
  inputTokens: number;
  outputTokens: number;
  costUsd: number | null;
  seconds: number;
}

export function totalOf(results: readonly TaskResult[], seconds: number): EvaluationTotal {
  const sum = (field: "steps" | "inputTokens" | "outputTokens"): number =>
    results.reduce((all, result) => all + result[field], 0);
  const costs = results.map(({ costUsd }) => costUsd);
  return {
    passed: results.filter(({ passed }) => passed).length,
    tasks: results.length,
    steps: sum("steps"),
    inputTokens: sum("inputTokens"),
    outputTokens: sum("outputTokens"),
    costUsd: costs.includes(null) ? null : costs.reduce((all: number, cost) => all + (cost ?? 0), 0),
    seconds,
  };
}

/** The table of an evaluation: a row a task and their total; then, for each that did not pass, why, and its change. */
export function formatReport(terminal: Terminal, results: readonly TaskResult[], total: EvaluationTotal): string {
  const headings = ["TASK", "RESULT", "ENDED", "FILES", "STEPS", "TOKENS", "COST", "SECONDS"];
  const rows = results.map((result) => [
    result.name,
    result.passed ? "pass" : "FAIL",
    result.outcome,
    String(result.changedFiles),
    ...figures(result),
  ]);
  const last = ["total", `${total.passed} of ${total.tasks}`, "", "", ...figures(total)];
  const table = formatTable(terminal, headings, rows, { numbersFrom: 3, total: last });
  const failed = results.filter(({ passed }) => !passed);
  return table + failed.map((result) => describeFailure(terminal, result)).join("");
}

function figures(of: Pick<TaskResult, "steps" | "inputTokens" | "outputTokens" | "costUsd" | "seconds">): string[] {
  return [
    String(of.steps),
    (of.inputTokens + of.outputTokens).toLocaleString("en-US"),
    formatCost(of.costUsd),
    of.seconds.toFixed(1),
  ];
}

function describeFailure(terminal: Terminal, { name, failures, failureReason, outcome, diff }: TaskResult): string {
  const lines = failures.map((failure) => `  ${failure}`);
  if (failureReason !== null && outcome !== "refused") lines.push(`  The job said: ${failureReason}`);
  if (diff !== undefined) lines.push("", ...diff.split("\n").map((line) => `    ${line}`));
  return `\n${terminal.style("red", `✗ ${name}`)}\n${lines.join("\n")}\n`;
}
