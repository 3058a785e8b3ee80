import Type from "typebox";
import { applyChanges } from "./changes.ts";
import { openPaths } from "./paths.ts";
import { defineTool, errorText, type Tool } from "./tool.ts";

const LISTED_MAX = 50;

export function createDeleteFileTool(): Tool {
  return defineTool({
    name: "delete_file",
    description:
      "Deletes a file and takes it out of the navigation. Answers which links to it are broken now; mend them with `edit_file`.",
    inputSchema: Type.Object({ path: Type.String({ minLength: 1 }) }, { additionalProperties: false }),
    async run({ path }, { workspace }) {
      const { docs, find } = await openPaths(workspace);
      const entry = find(path);
      if ("refused" in entry) return errorText(entry.refused);
      const inbound = await docs.inboundLinks(entry.path);
      const navigation = await docs.removeFromNavigation(entry.path);
      const refusal = await applyChanges(workspace, [
        ...navigation,
        { path: entry.path, mode: entry.mode, content: null },
      ]);
      if (refusal !== undefined) return errorText(`Nothing was deleted. ${refusal.refused}`);
      return {
        type: "json",
        value: {
          deleted: entry.path,
          navigationFiles: navigation.map((change) => change.path),
          brokenLinks: inbound.slice(0, LISTED_MAX).map((link) => ({ ...link })),
          brokenLinksTotal: inbound.length,
        },
      };
    },
  });
}
