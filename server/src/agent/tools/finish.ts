import Type from "typebox";
import { readRounds } from "../rounds.ts";
import type { Transcript } from "../transcript.ts";
import { currentTodos } from "./todo-write.ts";
import { defineTool, errorText, type Tool } from "./tool.ts";

const OPEN_LISTED_MAX = 10;

export function createFinishTool(): Tool {
  return defineTool({
    name: "finish",
    description:
      "Ends the job: your changes become a pull request with this title and summary. Call it also when nothing needs changing, and say why.",
    inputSchema: Type.Object(
      {
        title: Type.String({
          minLength: 1,
          maxLength: 200,
          description: "The change in at most 72 characters, imperative.",
        }),
        summary: Type.String({
          minLength: 1,
          description: "Markdown for the reviewer: what changed, why, what to check.",
        }),
      },
      { additionalProperties: false },
    ),
    run(_input, { transcript }) {
      const open = currentTodos(transcript).filter(({ status }) => status !== "completed");
      if (open.length === 0 || wasReminded(transcript)) return Promise.resolve({ type: "text", value: "Finished." });
      const listed = open.slice(0, OPEN_LISTED_MAX).map(({ content }) => `- ${content}`);
      return Promise.resolve(
        errorText(
          `Your plan has steps that are not completed:\n${listed.join("\n")}\nDo them, or finish again and say in the summary what is left and why.`,
        ),
      );
    },
  });
}

export function createGiveUpTool(): Tool {
  return defineTool({
    name: "give_up",
    description: "Ends the job as failed, without a pull request. Only when the instruction cannot be carried out.",
    inputSchema: Type.Object(
      { reason: Type.String({ minLength: 1, description: "For the user: why, and what would be needed." }) },
      { additionalProperties: false },
    ),
    run: () => Promise.resolve({ type: "text", value: "Given up." }),
  });
}

/** Open steps hold a turn up once; the model may have good reason to leave them. */
function wasReminded(transcript: Transcript): boolean {
  const rounds = readRounds(transcript);
  const since = rounds.findLastIndex(({ words }) => words.some(({ type }) => type === "prompt"));
  return rounds
    .slice(Math.max(since, 0))
    .flatMap(({ calls }) => calls)
    .some(({ call, output }) => call.toolName === "finish" && output?.type === "error-text");
}
