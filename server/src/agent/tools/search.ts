import Type from "typebox";
import { joinedGlob, openPaths } from "./paths.ts";
import { defineTool, errorText, type Tool } from "./tool.ts";

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
    async run({ glob, offset = 0, limit = LIMIT_DEFAULT, ...query }, { workspace, signal }) {
      const { docs } = await openPaths(workspace);
      const globs = glob === undefined ? {} : { glob: joinedGlob(glob, docs.docsPath) };
      const found = await workspace.search({ ...query, ...globs, matchesMax: offset + limit, signal });
      if ("refused" in found) return errorText(found.refused);
      const matches = found.matches.slice(offset, offset + limit).map(({ path, line, text }) => ({
        path,
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
