import { listOf, recordOf, textOf } from "./json.ts";

export interface CallDescription {
  /** What is done: "Edited". */
  action: string;
  /** To what: a path, a pattern. Empty when there is nothing to name. */
  subject: string;
  /** What came of it: "3 problems". Empty when there is nothing to tell. */
  outcome: string;
}

const SUBJECT_CHARACTERS_MAX = 200;

/** A tool call in a few words. `output` is null while there is no result. */
export function describeCall(name: string, given: unknown, output: unknown): CallDescription {
  const { action, subject = "", outcome = "" } = describe(name, given, output);
  const line = subject.replaceAll(/\s+/g, " ").trim();
  const short = line.length > SUBJECT_CHARACTERS_MAX ? `${line.slice(0, SUBJECT_CHARACTERS_MAX)}…` : line;
  return { action, subject: short, outcome };
}

function describe(
  name: string,
  given: unknown,
  output: unknown,
): { action: string; subject?: string; outcome?: string } {
  const input = recordOf(given);
  const answer = recordOf(output);
  const path = textOf(input["path"]);
  switch (name) {
    case "list_files":
      return { action: "List files", subject: textOf(input["glob"]) };
    case "read_file":
      return { action: "Read", subject: path };
    case "search":
      return { action: "Search", subject: textOf(input["pattern"]), outcome: countMatches(answer) };
    case "edit_file":
      return { action: "Edit", subject: path, outcome: plural(listOf(input["edits"]).length, "edit") };
    case "write_file":
      return { action: "Write", subject: path };
    case "move_file":
      return { action: "Move", subject: `${textOf(input["from"])} → ${textOf(input["to"])}` };
    case "delete_file":
      return { action: "Delete", subject: path };
    case "replace_text":
      return {
        action: "Replace",
        subject: `${textOf(input["find"])} → ${textOf(input["replace"])}`,
        outcome: countOf(answer["filesChanged"], "file"),
      };
    case "set_front_matter":
      return { action: `Set ${textOf(input["field"])}`, subject: path || textOf(input["glob"]) };
    case "check_docs":
      return { action: "Check the docs", outcome: countOf(answer["total"], "problem") };
    case "todo_write":
      return { action: "Plan", ...describePlan(input["todos"]) };
    case "finish":
      return { action: "Finish", subject: textOf(input["title"]) };
    case "give_up":
      return { action: "Give up" };
    default:
      return { action: name };
  }
}

function describePlan(given: unknown): { subject: string; outcome: string } {
  const todos = listOf(given);
  const completed = todos.filter(({ status }) => status === "completed").length;
  const current = todos.find(({ status }) => status === "in_progress");
  return { subject: textOf(current?.["content"]), outcome: `${completed} of ${plural(todos.length, "step")}` };
}

function countMatches({ matches, more }: Record<string, unknown>): string {
  if (!Array.isArray(matches)) return "";
  return more === true ? `${matches.length}+ matches` : plural(matches.length, "match", "matches");
}

/** From a list or a number. */
function countOf(counted: unknown, unit: string): string {
  const count = Array.isArray(counted) ? counted.length : counted;
  return typeof count === "number" ? plural(count, unit) : "";
}

function plural(count: number, unit: string, units = `${unit}s`): string {
  return `${count === 0 ? "no" : count} ${count === 1 ? unit : units}`;
}
