import Type from "typebox";
import { joinedGlob, openPaths } from "./paths.ts";
import type { Refusal } from "../../workspace/refusal.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { contextPlace } from "./context-files.ts";
import { defineTool, errorText, type Tool, type ToolContext } from "./tool.ts";

const LIMIT_DEFAULT = 100;
const LIMIT_MAX = 500;
const OFFSET_MAX = 10_000;
const LINE_CHARACTERS_MAX = 300;

export function createSearchTool(): Tool {
  return defineTool({
    name: "search",
    description:
      "Finds lines in all text files by a Perl-compatible regular expression, or by an exact string with `literal`. " +
      "Answers `{matches: [{path, line, text}], more}`; long lines are cut.",
    inputSchema: Type.Object(
      {
        pattern: Type.String({ minLength: 1, description: "What to find, on one line." }),
        literal: Type.Optional(Type.Boolean({ description: "The pattern is an exact string." })),
        ignoreCase: Type.Optional(Type.Boolean()),
        glob: Type.Optional(Type.String({ description: "Only in paths that match, e.g. `docs/**/*.mdx`." })),
        offset: Type.Optional(
          Type.Integer({ minimum: 0, maximum: OFFSET_MAX, description: "How many matches to skip." }),
        ),
        limit: Type.Optional(
          Type.Integer({ minimum: 1, maximum: LIMIT_MAX, description: `How many to show. Default ${LIMIT_DEFAULT}.` }),
        ),
      },
      { additionalProperties: false },
    ),
    async run({ glob, offset = 0, limit = LIMIT_DEFAULT, ...query }, context) {
      const place = await searchedPlace(context, glob);
      if ("refused" in place) return errorText(place.refused);
      const globs = place.glob === undefined ? {} : { glob: place.glob };
      const found = await place.tree.search({
        ...query,
        ...globs,
        matchesMax: offset + limit,
        signal: context.signal,
      });
      if ("refused" in found) return errorText(found.refused);
      const matches = found.matches.slice(offset, offset + limit).map(({ path, line, text }) => ({
        path: place.prefix + path,
        line,
        text: text.length > LINE_CHARACTERS_MAX ? `${text.slice(0, LINE_CHARACTERS_MAX)}…` : text,
      }));
      const more = found.more || found.matches.length > offset + limit;
      const hint = more
        ? { hint: `More matches: go on with offset ${offset + matches.length}, or narrow the search.` }
        : {};
      return { type: "json", value: { matches, more, ...hint } };
    },
  });
}

interface SearchedPlace {
  tree: Pick<Workspace, "search">;
  glob: string | undefined;
  /** Before every path that is shown. */
  prefix: string;
}

async function searchedPlace(context: ToolContext, glob: string | undefined): Promise<SearchedPlace | Refusal> {
  const place = glob === undefined ? undefined : contextPlace(context, glob);
  if (place !== undefined) {
    const tree = await place.open();
    if ("refused" in tree) return tree;
    return { tree, glob: place.path === "" ? undefined : joinedGlob(place.path, ""), prefix: `@${place.name}/` };
  }
  const { docs } = await openPaths(context.workspace);
  const joined = glob === undefined ? undefined : joinedGlob(glob, docs.docsPath);
  return { tree: context.workspace, glob: joined, prefix: "" };
}
