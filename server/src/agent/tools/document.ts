import type { Refusal } from "../../workspace/refusal.ts";
import type { FileMode, Tree, TreeEntry } from "../../workspace/tree.ts";
import { decodeText, type DecodedText } from "../../workspace/text.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { ContextPlace } from "./context-files.ts";
import { openPaths } from "./paths.ts";

/** A text file of the workspace, decoded. `encodeText` gives back exactly the bytes of what did not change. */
export interface TextDocument extends DecodedText {
  path: string;
  mode: FileMode;
}

/** The same for a file of a context repository, its path as `@name/path`. */
export async function openContextDocument(place: ContextPlace): Promise<TextDocument | Refusal> {
  const tree = await place.open();
  if ("refused" in tree) return tree;
  const entry = (await tree.list()).find(({ path }) => path === place.path);
  if (entry !== undefined) return readDocument(tree, entry, `@${place.name}/`);
  return {
    refused: `There is no file ${JSON.stringify(place.path)} in @${place.name}. list_files with the glob @${place.name}/** shows what there is.`,
  };
}

/** Opens a file as text, or says why it cannot be read so: missing, binary, not UTF-8, a symlink, a pointer to large content. */
export async function openDocument(workspace: Workspace, path: string): Promise<TextDocument | Refusal> {
  const { find } = await openPaths(workspace);
  const entry = find(path);
  if ("refused" in entry) return entry;
  return readDocument(workspace, entry, "");
}

async function readDocument(tree: Tree, entry: TreeEntry, prefix: string): Promise<TextDocument | Refusal> {
  const path = prefix + entry.path;
  if (entry.mode === "120000") return { refused: `${path} is a symbolic link. Work on the file that it points to.` };
  if (entry.mode === "160000") return { refused: `${path} is a submodule. Its content is another repository's.` };
  const bytes = await tree.read(entry.path);
  if (bytes === undefined) return { refused: `${path} is too large to be held here (${entry.bytes} bytes).` };
  const decoded = decodeText(bytes);
  return "refused" in decoded ? { refused: `${path}: ${decoded.refused}` } : { path, mode: entry.mode, ...decoded };
}
