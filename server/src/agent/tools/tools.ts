import { createCheckDocsTool } from "./check-docs.ts";
import { createDeleteFileTool } from "./delete-file.ts";
import { createEditFileTool } from "./edit-file.ts";
import { createFinishTool, createGiveUpTool } from "./finish.ts";
import { createListFilesTool } from "./list-files.ts";
import { createMoveFileTool } from "./move-file.ts";
import { createReadFileTool } from "./read-file.ts";
import { createReplaceTextTool } from "./replace-text.ts";
import { createSearchTool } from "./search.ts";
import { createSetFrontMatterTool } from "./set-front-matter.ts";
import { createTodoWriteTool } from "./todo-write.ts";
import type { Tool } from "./tool.ts";
import { createWriteFileTool } from "./write-file.ts";

/** Every tool of the agent, in the order in which the model sees them. */
export function createTools(): Tool[] {
  return [
    createListFilesTool(),
    createReadFileTool(),
    createSearchTool(),
    createEditFileTool(),
    createWriteFileTool(),
    createMoveFileTool(),
    createDeleteFileTool(),
    createReplaceTextTool(),
    createSetFrontMatterTool(),
    createCheckDocsTool(),
    createTodoWriteTool(),
    createFinishTool(),
    createGiveUpTool(),
  ];
}
