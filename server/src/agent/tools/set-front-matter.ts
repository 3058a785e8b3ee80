import Type from "typebox";
import { decodeText, encodeText } from "../../workspace/text.ts";
import { setField, type FieldValue } from "./front-matter-edit.ts";
import { isInside, isPage, openPaths, selectPaths } from "./paths.ts";
import { defineTool, errorText, type Tool, type ToolContext } from "./tool.ts";

const LISTED_MAX = 100;

export function createSetFrontMatterTool(): Tool {
  return defineTool({
    name: "set_front_matter",
    description:
      "Sets one field of the front matter in one page (`path`) or in all pages that match (`glob`); adds the field or the " +
      "block where it is missing. Comments, order and all other lines stay. Answers `{changed, unchanged, refused?}`.",
    inputSchema: Type.Object(
      {
        path: Type.Optional(Type.String({ minLength: 1 })),
        glob: Type.Optional(Type.String({ minLength: 1, description: "Instead of `path`: all pages that match." })),
        field: Type.String({ pattern: "^[A-Za-z_][\\w:.-]*$", description: "A top-level field, e.g. `description`." }),
        value: Type.Union(
          [
            Type.String(),
            Type.Number(),
            Type.Boolean(),
            Type.Null(),
            Type.Array(Type.Union([Type.String(), Type.Number()])),
          ],
          { description: "Text, a number, true, false, null or a list." },
        ),
      },
      { additionalProperties: false },
    ),
    async run({ path, glob, field, value }, context) {
      if ((path === undefined) === (glob === undefined)) return errorText("Give either `path` or `glob`.");
      const { docs, entries, find } = await openPaths(context.workspace);
      if (path !== undefined) {
        const entry = find(path);
        if ("refused" in entry) return errorText(entry.refused);
        if (!isPage(entry.path)) return errorText(`${entry.path} is not a page: only .md and .mdx have front matter.`);
        const result = await setInPage(context, entry.path, field, value);
        if (typeof result === "object") return errorText(`${entry.path} was not changed. ${result.refused}`);
        return {
          type: "json",
          value: result === "changed" ? { changed: [entry.path], unchanged: 0 } : { changed: [], unchanged: 1 },
        };
      }
      const selected = selectPaths(
        entries.map((entry) => entry.path),
        glob,
        docs.docsPath,
      );
      if ("refused" in selected) return errorText(selected.refused);
      const pages = entries.filter(
        (entry) =>
          isPage(entry.path) &&
          isInside(entry.path, docs.docsPath) &&
          selected.has(entry.path) &&
          entry.mode === "100644",
      );
      if (pages.length === 0) return errorText(`No page matches ${JSON.stringify(glob)}.`);
      return setInPages(
        context,
        pages.map((page) => page.path),
        field,
        value,
      );
    },
  });
}

async function setInPages(context: ToolContext, paths: readonly string[], field: string, value: FieldValue) {
  const changed: string[] = [];
  const refused: { path: string; reason: string }[] = [];
  for (const path of paths) {
    context.signal.throwIfAborted();
    const result = await setInPage(context, path, field, value);
    if (result === "changed") changed.push(path);
    else if (result !== "unchanged") refused.push({ path, reason: result.refused });
  }
  return {
    type: "json" as const,
    value: {
      changed: changed.slice(0, LISTED_MAX),
      filesChanged: changed.length,
      unchanged: paths.length - changed.length - refused.length,
      ...(refused.length > 0 ? { refused: refused.slice(0, LISTED_MAX) } : {}),
    },
  };
}

async function setInPage(
  { workspace }: ToolContext,
  path: string,
  field: string,
  value: FieldValue,
): Promise<"changed" | "unchanged" | { refused: string }> {
  const bytes = await workspace.read(path);
  if (bytes === undefined) return { refused: "Its content is too large to be held here." };
  const document = decodeText(bytes);
  if ("refused" in document) return document;
  const edited = setField(document.text, document.eol, field, value);
  if ("refused" in edited) return edited;
  if (edited.text === document.text) return "unchanged";
  return (await workspace.write(path, encodeText(edited.text, document.bom))) ?? "changed";
}
