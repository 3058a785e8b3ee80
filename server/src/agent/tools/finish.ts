import Type from "typebox";
import { defineTool, type Tool } from "./tool.ts";

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
    run: () => Promise.resolve({ type: "text", value: "Finished." }),
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
