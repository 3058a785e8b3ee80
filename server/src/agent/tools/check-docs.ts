import Type from "typebox";
import { findIntroducedProblems } from "../../workspace/docs/introduced/introduced.ts";
import { openPaths, selectPaths } from "./paths.ts";
import { defineTool, errorText, type Tool } from "./tool.ts";

const LIMIT_DEFAULT = 100;
const LIMIT_MAX = 500;

const KINDS = ["link", "anchor", "image", "navigation", "redirect", "syntax", "front-matter"] as const;

export function createCheckDocsTool(): Tool {
  return defineTool({
    name: "check_docs",
    description:
      "Checks the documentation as it is now: links, anchors, images, navigation entries, redirects, MDX syntax and front " +
      "matter. Answers `{framework, docsPath, pages, problems: [{kind, path, line, column, message, target?, suggestion?}], " +
      "total, more}`. A `suggestion` is what to write in place of `target`; it is given only where one answer is certain. " +
      "With `introduced` only problems that your changes brought: use it before you finish.",
    inputSchema: Type.Object(
      {
        glob: Type.Optional(Type.String({ description: "Only problems in paths that match." })),
        kind: Type.Optional(Type.Union(KINDS.map((kind) => Type.Literal(kind)))),
        introduced: Type.Optional(
          Type.Boolean({ description: "Only what the documentation did not have before this job's changes." }),
        ),
        offset: Type.Optional(Type.Integer({ minimum: 0, description: "How many problems to skip." })),
        limit: Type.Optional(
          Type.Integer({ minimum: 1, maximum: LIMIT_MAX, description: `How many to show. Default ${LIMIT_DEFAULT}.` }),
        ),
      },
      { additionalProperties: false },
    ),
    async run({ glob, kind, introduced = false, offset = 0, limit = LIMIT_DEFAULT }, { workspace, signal }) {
      const { docs, entries } = await openPaths(workspace);
      const selected = selectPaths(
        entries.map(({ path }) => path),
        glob,
        docs.docsPath,
      );
      if ("refused" in selected) return errorText(selected.refused);
      const { docsPath } = workspace.rules;
      const [pages, all] = await Promise.all([
        docs.pages(),
        introduced
          ? findIntroducedProblems({ before: workspace.base, after: workspace, docsPath, signal })
          : docs.check(signal),
      ]);
      const problems = all.filter(
        (problem) => selected.has(problem.path) && (kind === undefined || problem.kind === kind),
      );
      const shown = problems.slice(offset, offset + limit);
      const more = problems.length > offset + shown.length;
      return {
        type: "json",
        value: {
          framework: docs.framework,
          docsPath: docs.docsPath,
          pages: pages.length,
          problems: shown.map((problem) => ({ ...problem })),
          total: problems.length,
          more,
          ...(more ? { hint: `Go on with offset ${offset + shown.length}.` } : {}),
        },
      };
    },
  });
}
