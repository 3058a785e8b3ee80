import Type from "typebox";
import { readFileSync } from "node:fs";
import { editLargeText } from "../../workspace/edit/edit-large.ts";
import { encodeText } from "../../workspace/text.ts";
import { plural } from "../../plural.ts";
import { openDocument, type TextDocument } from "./document.ts";
import { isKnownFile } from "./known-files.ts";
import { openPaths } from "./paths.ts";
import { defineTool, errorText, type Tool } from "./tool.ts";

interface Edit {
  old: string;
  new: string;
  all?: boolean;
  line?: number;
}

interface LineEdit extends Edit {
  line: number;
}

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
      const byLine = edits.filter((edit): edit is LineEdit => edit.line !== undefined);
      const anywhere = edits.filter((edit) => edit.line === undefined);
      const onLines = editLines(document, byLine);
      if ("refused" in onLines) return errorText(`${document.path} was not changed. ${onLines.refused}`);
      let content = encodeText(onLines.text, document.bom);
      if (anywhere.length > 0) {
        const edited = await editLargeText(
          content,
          anywhere.map(({ old, new: replacement, all }) => ({
            old,
            new: replacement,
            ...(all === undefined ? {} : { all }),
          })),
        );
        if ("refused" in edited) return errorText(`${document.path} was not changed. ${edited.refused}`);
        content = edited.content;
      }
      const refusal = await workspace.write(document.path, content, document.mode);
      if (refusal !== undefined) return errorText(refusal.refused);
      const count = plural(edits.length, "edit");
      return { type: "text", value: `Edited ${document.path}: ${count} made.` };
    },
  });
}

/** Makes the edits that name a line. All lines are numbered as in the file before any edit; each edit matches exactly once there, or all. */
function editLines(document: TextDocument, edits: readonly LineEdit[]): { text: string } | { refused: string } {
  const { text, eol } = document;
  const starts = lineStarts(text);
  const splices: { start: number; end: number; text: string }[] = [];
  for (const edit of edits) {
    const start = starts[edit.line - 1];
    if (start === undefined) return { refused: `There is no line ${edit.line}: the file has ${starts.length} lines.` };
    const end = starts[edit.line] ?? text.length;
    const found = occurrences(text.slice(start, end), edit.old);
    if (found.length === 0) {
      return {
        refused: `Line ${edit.line} does not hold ${JSON.stringify(edit.old)}. It is: ${text.slice(start, end).trimEnd()}`,
      };
    }
    if (found.length > 1 && edit.all !== true) {
      return {
        refused: `Line ${edit.line} holds ${JSON.stringify(edit.old)} ${found.length} times. Give more of the line, or set \`all\`.`,
      };
    }
    const replacement = edit.new.replaceAll(/\r?\n/g, eol);
    for (const at of found) splices.push({ start: start + at, end: start + at + edit.old.length, text: replacement });
  }
  splices.sort((a, b) => a.start - b.start);
  let result = "";
  let position = 0;
  for (const splice of splices) {
    if (splice.start < position) return { refused: "Two edits overlap. Make them one edit." };
    result += text.slice(position, splice.start) + splice.text;
    position = splice.end;
  }
  return { text: result + text.slice(position) };
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0 && at + 1 < text.length; at = text.indexOf("\n", at + 1))
    starts.push(at + 1);
  return starts;
}

function occurrences(text: string, part: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) found.push(at);
  return found;
}
