import { readFileSync } from "node:fs";
import Type from "typebox";
import type { Refusal } from "../../workspace/refusal.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { decodeText, encodeText, type DecodedText } from "../../workspace/text.ts";
import { isInside, isPage, openPaths, selectPaths } from "./paths.ts";
import { editProsePages } from "./prose-pages.ts";
import type { ProsePage } from "./prose.ts";
import { findMatches, isInsideWord, spliceMatches, type TextQuery } from "./text-matches.ts";
import { defineTool, errorText, type Tool, type ToolContext } from "./tool.ts";

const LISTED_MAX = 100;
const FILES_AT_ONCE = 256;

export function createReplaceTextTool(): Tool {
  return defineTool({
    name: "replace_text",
    description: readFileSync(new URL("./replace-text.md", import.meta.url), "utf8").trim(),
    inputSchema: Type.Object(
      {
        find: Type.String({ minLength: 1, description: "The exact text, or a regular expression with `regex`." }),
        replace: Type.String({ description: "What to write instead." }),
        scope: Type.Union([Type.Literal("everywhere"), Type.Literal("prose")], {
          description:
            "`everywhere`: every occurrence, code and addresses too. `prose`: only what readers read as words.",
        }),
        regex: Type.Optional(
          Type.Boolean({ description: "`find` is a JavaScript regular expression; `replace` may say `$1`." }),
        ),
        wholeWord: Type.Optional(Type.Boolean({ description: "Not inside longer words." })),
        ignoreCase: Type.Optional(Type.Boolean()),
        glob: Type.Optional(Type.String({ description: "Only in paths that match, e.g. `docs/guides/**`." })),
      },
      { additionalProperties: false },
    ),
    async run({ scope, glob, ...input }, context) {
      const query: TextQuery = { regex: false, wholeWord: false, ignoreCase: false, ...input };
      if (!query.regex && query.find === query.replace) return errorText("`find` and `replace` are the same text.");
      const report: Report = { files: [], skipped: [], insideLongerWords: 0, otherCase: 0 };
      const paths = await docsFiles(context, glob);
      if ("refused" in paths) return errorText(paths.refused);
      const edits: FileEdit[] = [];
      const { bytesMax } = context.workspace.rules;
      let bytes = 0;
      for (let start = 0; start < paths.length; start += FILES_AT_ONCE) {
        context.signal.throwIfAborted();
        const found = await editsInFiles(context, paths.slice(start, start + FILES_AT_ONCE), query, scope, report);
        if ("refused" in found) return errorText(found.refused);
        edits.push(...found);
        bytes += found.reduce((sum, edit) => sum + edit.content.length, 0);
        if (bytes > bytesMax) {
          return errorText(
            `Nothing was replaced: the changed files would have more than ${bytesMax} bytes together, the most that may be published. Narrow it with \`glob\`.`,
          );
        }
      }
      for (const { path, content, count, insideLongerWords } of edits) {
        const refusal = await context.workspace.write(path, content);
        if (refusal !== undefined) {
          report.skipped.push({ path, reason: refusal.refused });
          continue;
        }
        report.files.push({ path, count });
        report.insideLongerWords += insideLongerWords;
      }
      return { type: "json", value: { ...summarise(report), filesSearched: paths.length } };
    },
  });
}

interface FileEdit {
  path: string;
  content: Uint8Array;
  count: number;
  insideLongerWords: number;
}

interface Report {
  files: { path: string; count: number }[];
  skipped: { path: string; reason: string }[];
  insideLongerWords: number;
  /** Occurrences that differ from `find` in case alone; counted to tell a caller who found nothing. */
  otherCase: number;
}

/** The files that a replacement looks at: pages in the docs folder and the framework's navigation files. */
async function docsFiles({ workspace }: ToolContext, glob: string | undefined): Promise<string[] | Refusal> {
  const { docs, entries } = await openPaths(workspace);
  const paths = entries
    .filter(({ mode }) => mode === "100644" || mode === "100755")
    .map(({ path }) => path)
    .filter((path) => (isPage(path) && isInside(path, docs.docsPath)) || docs.isNavigationFile(path));
  const selected = selectPaths(paths, glob, docs.docsPath);
  return "refused" in selected ? selected : paths.filter((path) => selected.has(path));
}

/** The edits of some files. Nothing is written yet, so that a pattern refused half-way leaves everything as it was. */
async function editsInFiles(
  { workspace, signal }: ToolContext,
  paths: readonly string[],
  query: TextQuery,
  scope: "everywhere" | "prose",
  report: Report,
): Promise<FileEdit[] | Refusal> {
  const contents = await Promise.all(paths.map((path) => workspace.read(path)));
  const documents: (Pick<DecodedText, "text" | "bom"> & { path: string })[] = [];
  for (const [index, path] of paths.entries()) {
    const bytes = contents[index];
    if (bytes === undefined) continue;
    const document = decodeText(bytes);
    if ("refused" in document) report.skipped.push({ path, reason: document.refused });
    else documents.push({ path, ...document });
  }
  const found = await findMatches(
    documents.map(({ text }) => text),
    query,
  );
  if ("refused" in found) return found;
  const matched = documents.flatMap((document, index) => {
    const matches = found[index] ?? [];
    if (matches.length > 0) return [{ ...document, matches }];
    if (!query.regex && document.text.toLowerCase().includes(query.find.toLowerCase())) report.otherCase += 1;
    return [];
  });
  const replaced =
    scope === "prose"
      ? await editProsePages(await pagesOf(workspace, matched), signal)
      : matched.map(({ text, matches }) => ({ text: spliceMatches(text, matches), matches }));
  const edits: FileEdit[] = [];
  for (const [index, { path, text, bom }] of matched.entries()) {
    const edited = replaced[index];
    if (edited === undefined || "refused" in edited) {
      report.skipped.push({ path, reason: edited?.refused ?? "The page could not be read." });
    } else if (edited.text !== text) {
      const insideLongerWords = edited.matches.filter((match) => isInsideWord(text, match)).length;
      edits.push({ path, content: encodeText(edited.text, bom), count: edited.matches.length, insideLongerWords });
    }
  }
  return edits;
}

async function pagesOf(workspace: Workspace, pages: readonly Omit<ProsePage, "framework">[]): Promise<ProsePage[]> {
  const { framework } = await workspace.docs();
  return pages.map(({ path, text, matches }) => ({ path, text, matches, framework }));
}

function summarise({ files, skipped, insideLongerWords, otherCase }: Report) {
  return {
    replaced: files.reduce((sum, { count }) => sum + count, 0),
    filesChanged: files.length,
    files: files.slice(0, LISTED_MAX),
    ...(insideLongerWords > 0 ? { insideLongerWords } : {}),
    ...(skipped.length > 0 ? { skipped: skipped.slice(0, LISTED_MAX), filesSkipped: skipped.length } : {}),
    ...(files.length === 0 && otherCase > 0 ? { filesWithOtherCase: otherCase } : {}),
  };
}
