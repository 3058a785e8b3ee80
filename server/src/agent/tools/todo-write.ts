import { readFileSync } from "node:fs";
import Type from "typebox";
import { isJsonObject } from "../json-object.ts";
import { readRounds } from "../rounds.ts";
import type { Transcript } from "../transcript.ts";
import { defineTool, errorText, type Tool } from "./tool.ts";

export interface Todo {
  content: string;
  status: "pending" | "in_progress" | "completed";
}

const TODOS_MAX = 50;
const CONTENT_CHARACTERS_MAX = 300;
const STATES = ["pending", "in_progress", "completed"] as const;

/** The plan of a long job. The transcript keeps it; nothing else does. */
export function createTodoWriteTool(): Tool {
  return defineTool({
    name: "todo_write",
    description: readFileSync(new URL("./todo-write.md", import.meta.url), "utf8").trim(),
    inputSchema: Type.Object(
      {
        todos: Type.Array(
          Type.Object(
            {
              content: Type.String({
                minLength: 1,
                maxLength: CONTENT_CHARACTERS_MAX,
                description: "One step, e.g. `Rename the flag in guides/`.",
              }),
              status: Type.Union(STATES.map((state) => Type.Literal(state))),
            },
            { additionalProperties: false },
          ),
          { minItems: 1, maxItems: TODOS_MAX, description: "The whole list, each time." },
        ),
      },
      { additionalProperties: false },
    ),
    run({ todos }) {
      const contents = todos.map(({ content }) => content.trim());
      const twice = contents.find((content, index) => contents.indexOf(content) !== index);
      if (contents.includes("")) return Promise.resolve(errorText("A step of the plan is empty. Say what it is."));
      if (twice !== undefined) {
        return Promise.resolve(
          errorText(`The step ${JSON.stringify(twice)} stands in the plan twice. Give each once.`),
        );
      }
      const current = todos.filter(({ status }) => status === "in_progress");
      if (current.length > 1) {
        return Promise.resolve(
          errorText(`${current.length} steps are in_progress. Set one at a time, and the others to pending.`),
        );
      }
      const done = todos.filter(({ status }) => status === "completed").length;
      const now = current[0] === undefined ? "" : ` Now: ${current[0].content.trim()}`;
      return Promise.resolve({ type: "text", value: `${done} of ${todos.length} steps are completed.${now}` });
    },
  });
}

/** The plan as it stands since the last words of the user; empty when there is none. */
export function currentTodos(transcript: Transcript): Todo[] {
  const rounds = readRounds(transcript);
  const since = rounds.findLastIndex(({ words }) => words.some(({ type }) => type === "prompt"));
  const last = rounds
    .slice(Math.max(since, 0))
    .flatMap(({ calls }) => calls)
    .findLast(({ call, output }) => call.toolName === "todo_write" && output?.type === "text");
  if (last === undefined || !isJsonObject(last.call.input)) return [];
  const todos = last.call.input["todos"];
  if (!Array.isArray(todos)) return [];
  return todos.flatMap((todo): Todo[] => {
    if (!isJsonObject(todo) || typeof todo["content"] !== "string") return [];
    const status = STATES.find((state) => state === todo["status"]);
    return status === undefined ? [] : [{ content: todo["content"], status }];
  });
}
