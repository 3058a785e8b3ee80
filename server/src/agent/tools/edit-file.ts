import Type from "typebox";
import { readFileSync } from "node:fs";
import { editLargeText } from "../../workspace/edit/edit-large.ts";
import { encodeText } from "../../workspace/text.ts";
import { plural } from "../../plural.ts";
import { openDocument } from "./document.ts";
import { isKnownFile } from "./known-files.ts";
import { openPaths } from "./paths.ts";
import { defineTool, errorText, type Tool } from "./tool.ts";

export function createEditFileTool(): Tool {
  return defineTool({
    name: "edit_file",
    description: readFileSync(new URL("./edit-file.md", import.meta.url), "utf8").trim(),
    inputSchema: Type.Object(
      {
        path: Type.String({ minLength: 1 }),
        edits: Type.Array(
          Type.Object(
            {
              old: Type.String({ minLength: 1, description: "The text to replace, exactly as in the file." }),
              new: Type.String({ description: "What to write instead." }),
              all: Type.Optional(Type.Boolean({ description: "Replace every occurrence." })),
              line: Type.Optional(
                Type.Integer({ minimum: 1, description: "Only on this line, as numbered before this call." }),
              ),
            },
            { additionalProperties: false },
          ),
          { minItems: 1, maxItems: 500 },
        ),
      },
      { additionalProperties: false },
    ),
    async run({ path, edits }, { workspace, transcript }) {
      const paths = await openPaths(workspace);
      const document = await openDocument(workspace, path);
      if ("refused" in document) return errorText(document.refused);
      if (!isKnownFile(transcript, paths, document.path)) {
        return errorText(`Read ${document.path} with read_file before you edit it.`);
      }
      const edited = await editLargeText(encodeText(document.text, document.bom), edits);
      if ("refused" in edited) return errorText(`${document.path} was not changed. ${edited.refused}`);
      const refusal = await workspace.write(document.path, edited.content, document.mode);
      if (refusal !== undefined) return errorText(refusal.refused);
      const count = plural(edits.length, "edit");
      return { type: "text", value: `Edited ${document.path}: ${count} made.` };
    },
  });
}
