import type { Refusal } from "../../workspace/refusal.ts";
import type { FileMode } from "../../workspace/tree.ts";
import { decodeText, type DecodedText } from "../../workspace/text.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { openPaths } from "./paths.ts";

/** A text file of the workspace, decoded. `encodeText` gives back exactly the bytes of what did not change. */
export interface TextDocument extends DecodedText {
  path: string;
  mode: FileMode;
}

/** Opens a file as text, or says why it cannot be read so: missing, binary, not UTF-8, a symlink, a pointer to large content. */
export async function openDocument(workspace: Workspace, path: string): Promise<TextDocument | Refusal> {
  const { find } = await openPaths(workspace);
  const entry = find(path);
  if ("refused" in entry) return entry;
  if (entry.mode === "120000")
    return { refused: `${entry.path} is a symbolic link. Work on the file that it points to.` };
  if (entry.mode === "160000") return { refused: `${entry.path} is a submodule. Its content is another repository's.` };
  const bytes = await workspace.read(entry.path);
  if (bytes === undefined) return { refused: `${entry.path} is too large to be held here (${entry.bytes} bytes).` };
  const decoded = decodeText(bytes);
  return "refused" in decoded
    ? { refused: `${entry.path}: ${decoded.refused}` }
    : { path: entry.path, mode: entry.mode, ...decoded };
}
