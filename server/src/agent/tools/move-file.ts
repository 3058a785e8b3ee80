import Type from "typebox";
import { applyChanges } from "./changes.ts";
import { isPage, openPaths } from "./paths.ts";
import { defineTool, errorText, type Tool } from "./tool.ts";

const LISTED_MAX = 50;

export function createMoveFileTool(): Tool {
  return defineTool({
    name: "move_file",
    description:
      "Moves or renames a file. Links to it, its own relative links, navigation entries and redirects follow it, and a " +
      "redirect from the old address is added where the framework has redirects.",
    inputSchema: Type.Object(
      {
        from: Type.String({ minLength: 1 }),
        to: Type.String({ minLength: 1, description: "The whole new path. Without a suffix it keeps the old one." }),
      },
      { additionalProperties: false },
    ),
    async run({ from, to }, { workspace }) {
      const paths = await openPaths(workspace);
      const source = paths.find(from);
      if ("refused" in source) return errorText(source.refused);
      const target = targetPath(source.path, paths.place(to));
      if (paths.entries.some(({ path }) => path.startsWith(`${paths.place(to)}/`)) && !/\.\w+$/.test(to)) {
        const inside = `${paths.place(to)}/${source.path.split("/").at(-1)}`;
        return errorText(`${paths.place(to)} is a folder. Name the whole new path, for example ${inside}.`);
      }
      if (paths.entries.some(({ path }) => path === target)) {
        return errorText(`${target} exists already. Choose another path, or delete that file first.`);
      }
      const move = await paths.docs.movePage(source.path, target);
      if ("refused" in move) return errorText(move.refused);
      const refusal = await applyChanges(workspace, move.changes);
      if (refusal !== undefined) return errorText(`Nothing was moved. ${refusal.refused}`);
      const { linksRewritten, navigationEntries, redirect } = move;
      return {
        type: "json",
        value: {
          moved: { from: source.path, to: target },
          linksRewritten: linksRewritten.slice(0, LISTED_MAX).map(({ path, count }) => ({ path, count })),
          filesWithLinks: linksRewritten.length,
          navigationEntries,
          redirect: redirect === null ? null : { ...redirect },
        },
      };
    },
  });
}

function targetPath(from: string, to: string): string {
  const name = from.split("/").at(-1) ?? from;
  if (to.endsWith("/")) return to + name;
  const suffix = /\.\w+$/.exec(name)?.[0] ?? "";
  const keepsSuffix = isPage(from) ? isPage(to) : /\.\w+$/.test(to);
  return keepsSuffix ? to : to + suffix;
}
