import Type from "typebox";
import { artifactInPage } from "../../workspace/edit/artifacts.ts";
import { applyChanges, currentState } from "./changes.ts";
import { decodeText, encodeText } from "../../workspace/text.ts";
import { isKnownFile } from "./known-files.ts";
import { openPaths } from "./paths.ts";
import { defineTool, errorText, type Tool } from "./tool.ts";

export function createWriteFileTool(): Tool {
  return defineTool({
    name: "write_file",
    description:
      "Creates a file, or replaces all of one that you have read. A new page belongs into the navigation: say where with " +
      "`navigation`. To change a part of a file use `edit_file`. Line ends, byte order mark and final newline of a replaced file are kept.",
    inputSchema: Type.Object(
      {
        path: Type.String({
          minLength: 1,
          description: "Path from the root of the repository. Without a suffix it becomes a page.",
        }),
        content: Type.String({ description: "The whole content." }),
        navigation: Type.Optional(
          Type.Object(
            {
              group: Type.Optional(Type.String({ description: "At the end of the group with this name." })),
              after: Type.Optional(Type.String({ description: "Right after this page's path." })),
            },
            { additionalProperties: false },
          ),
        ),
      },
      { additionalProperties: false },
    ),
    async run({ path: wanted, content, navigation }, { workspace, transcript }) {
      const paths = await openPaths(workspace);
      const path = paths.placePage(wanted);
      const existing = paths.entries.find((entry) => entry.path === path);
      if (existing !== undefined && !isKnownFile(transcript, paths, path)) {
        return errorText(
          `${path} exists already. Read it with read_file before you replace it, or choose another path.`,
        );
      }
      const before = await currentState(workspace, path);
      const artifact = artifactInPage(content, before.content);
      if (artifact !== undefined) return errorText(`${path} was not written. ${artifact}`);
      const mode = existing?.mode ?? "100644";
      const refusal = await applyChanges(workspace, [{ path, mode, content: encodeLike(before.content, content) }]);
      if (refusal !== undefined) return errorText(refusal.refused);
      const done = existing === undefined ? `Created ${path}.` : `Replaced ${path}.`;
      if (navigation === undefined) return { type: "text", value: done };
      const after = navigation.after === undefined ? undefined : paths.find(navigation.after);
      const placed =
        after !== undefined && "refused" in after
          ? after
          : await paths.docs.addToNavigation(path, {
              ...(navigation.group === undefined ? {} : { group: navigation.group }),
              ...(after === undefined ? {} : { after: after.path }),
            });
      const fault = "refused" in placed ? placed : await applyChanges(workspace, placed);
      if (fault !== undefined) {
        await applyChanges(workspace, [before]);
        return errorText(`Nothing was written: the page cannot be put into the navigation. ${fault.refused}`);
      }
      const files = "refused" in placed ? [] : placed.map((change) => change.path);
      return {
        type: "text",
        value:
          files.length === 0
            ? `${done} The navigation needs no change.`
            : `${done} Added to the navigation in ${files.join(", ")}.`,
      };
    },
  });
}

/** New text in the form of the old: its line ends, byte order mark and final newline. A new file ends with a newline. */
function encodeLike(before: Uint8Array | null, content: string): Uint8Array {
  const old = before === null ? undefined : decodeText(before);
  if (old === undefined || "refused" in old || old.text === "") {
    const text = content === "" || content.endsWith("\n") ? content : `${content}\n`;
    return new TextEncoder().encode(text);
  }
  const lines = content
    .replace(/^\uFEFF/, "")
    .replaceAll("\r\n", "\n")
    .replace(/\n$/, "");
  const text = old.text.endsWith("\n") ? `${lines}\n` : lines;
  return encodeText(old.eol === "\r\n" ? text.replaceAll("\n", "\r\n") : text, old.bom);
}
