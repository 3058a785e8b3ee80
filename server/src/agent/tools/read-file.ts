import Type from "typebox";
import { defineTool, errorText, type Tool } from "./tool.ts";
import { contextPlace } from "./context-files.ts";
import { openContextDocument, openDocument } from "./document.ts";

const LIMIT_DEFAULT = 2000;
const LINE_CHARACTERS_MAX = 4000;
const OUTPUT_CHARACTERS_MAX = 60_000;

export function createReadFileTool(): Tool {
  return defineTool({
    name: "read_file",
    description:
      "Reads a text file. Each line comes as `<number>→<text>`; the number and the arrow are not part of the file. " +
      "A last line in brackets says what remains.",
    inputSchema: Type.Object(
      {
        path: Type.String({ description: "Path from the root of the repository." }),
        offset: Type.Optional(Type.Integer({ minimum: 0, description: "How many lines to skip." })),
        limit: Type.Optional(
          Type.Integer({ minimum: 1, description: `How many lines to read. Default ${LIMIT_DEFAULT}.` }),
        ),
      },
      { additionalProperties: false },
    ),
    async run({ path, offset = 0, limit = LIMIT_DEFAULT }, context) {
      const place = contextPlace(context, path);
      const document = await (place === undefined ? openDocument(context.workspace, path) : openContextDocument(place));
      if ("refused" in document) return errorText(document.refused);
      if (document.text === "") return { type: "text", value: `[${document.path} is empty.]` };
      const lines = document.text.split(/\r?\n/);
      if (lines.at(-1) === "") lines.pop();
      if (offset >= lines.length) {
        return { type: "text", value: `[${document.path} has ${lines.length} lines; nothing after offset ${offset}.]` };
      }
      const shown: string[] = [];
      let characters = 0;
      for (const [index, line] of lines.slice(offset, offset + limit).entries()) {
        const numbered = `${offset + index + 1}→${cutLine(line)}`;
        characters += numbered.length + 1;
        if (characters > OUTPUT_CHARACTERS_MAX && shown.length > 0) break;
        shown.push(numbered);
      }
      const rest = lines.length - offset - shown.length;
      if (rest > 0) {
        shown.push(`[${rest} more of ${lines.length} lines: go on with offset ${offset + shown.length}.]`);
      }
      return { type: "text", value: shown.join("\n") };
    },
  });
}

function cutLine(line: string): string {
  if (line.length <= LINE_CHARACTERS_MAX) return line;
  return `${line.slice(0, LINE_CHARACTERS_MAX)}[… ${line.length - LINE_CHARACTERS_MAX} more characters in this line]`;
}
