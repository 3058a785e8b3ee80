import Type from "typebox";
import type { Refusal } from "../../workspace/refusal.ts";
import type { TreeEntry } from "../../workspace/tree.ts";
import { contextPlace } from "./context-files.ts";
import { defineTool, errorText, type Tool, type ToolContext } from "./tool.ts";
import { openPaths, selectPaths } from "./paths.ts";

const LIMIT_DEFAULT = 500;
const LIMIT_MAX = 2000;

export function createListFilesTool(): Tool {
  return defineTool({
    name: "list_files",
    description:
      "Lists the repository's files, one path per line, sorted. Give a glob such as `guides/**` or `*.mdx` to see fewer.",
    inputSchema: Type.Object(
      {
        glob: Type.Optional(Type.String({ description: "Only paths that match, e.g. `docs/guides/**` or `*.svg`." })),
        offset: Type.Optional(Type.Integer({ minimum: 0, description: "How many files to skip." })),
        limit: Type.Optional(
          Type.Integer({ minimum: 1, maximum: LIMIT_MAX, description: `How many to list. Default ${LIMIT_DEFAULT}.` }),
        ),
      },
      { additionalProperties: false },
    ),
    async run({ glob, offset = 0, limit = LIMIT_DEFAULT }, context) {
      const listed = await listOf(context, glob);
      if ("refused" in listed) return errorText(listed.refused);
      const { entries, prefix } = listed;
      const selected = selectPaths(
        entries.map(({ path }) => path),
        listed.glob,
        listed.docsPath,
      );
      if ("refused" in selected) return errorText(selected.refused);
      const found = entries.filter(({ path }) => selected.has(path));
      const shown = found.slice(offset, offset + limit);
      const lines = shown.map(({ path, mode }) => `${prefix}${path}${mode === "120000" ? " (symbolic link)" : ""}`);
      const rest = found.length - offset - shown.length;
      if (found.length === 0) lines.push(`[No file matches. The repository has ${entries.length} files.]`);
      else if (shown.length === 0) lines.push(`[Nothing after offset ${offset}: there are ${found.length} files.]`);
      else if (rest > 0)
        lines.push(`[${rest} more of ${found.length} files: go on with offset ${offset + shown.length}.]`);
      return { type: "text", value: lines.join("\n") };
    },
  });
}

interface Listed {
  entries: readonly TreeEntry[];
  glob: string | undefined;
  docsPath: string;
  /** Before every path that is shown. */
  prefix: string;
}

async function listOf(context: ToolContext, glob: string | undefined): Promise<Listed | Refusal> {
  const place = glob === undefined ? undefined : contextPlace(context, glob);
  if (place === undefined) {
    const { docs, entries } = await openPaths(context.workspace);
    return { entries, glob, docsPath: docs.docsPath, prefix: "" };
  }
  const tree = await place.open();
  if ("refused" in tree) return tree;
  const inside = place.path === "" ? undefined : place.path;
  return { entries: await tree.list(), glob: inside, docsPath: "", prefix: `@${place.name}/` };
}
