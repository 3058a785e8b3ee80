import type { Refusal } from "../../workspace/docs/docs.ts";
import type { FileMode } from "../../workspace/tree.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { openPaths } from "./paths.ts";

/** A text file, taken apart so that `encodeDocument` gives back exactly the bytes of what did not change. */
export interface TextDocument {
  path: string;
  mode: FileMode;
  /** Without the byte order mark; line ends as they are. */
  text: string;
  bom: "" | "\uFEFF";
  /** The line end that most lines have. */
  eol: "\n" | "\r\n";
}

const LFS_POINTER = "version https://git-lfs.github.com/spec/";

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
  const document = decodeDocument(bytes);
  return "refused" in document
    ? { refused: `${entry.path} ${document.refused}` }
    : { path: entry.path, mode: entry.mode, ...document };
}

export function decodeDocument(bytes: Uint8Array): Pick<TextDocument, "text" | "bom" | "eol"> | Refusal {
  if (bytes.includes(0)) return { refused: "is a binary file." };
  let decoded: string;
  try {
    decoded = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return { refused: "is not UTF-8 text." };
  }
  if (decoded.startsWith(LFS_POINTER))
    return { refused: "is a Git LFS pointer; its content lies outside the repository." };
  const bom = decoded.startsWith("\uFEFF") ? "\uFEFF" : "";
  const text = decoded.slice(bom.length);
  const crlf = text.split("\r\n").length - 1;
  const lf = text.split("\n").length - 1 - crlf;
  return { text, bom, eol: crlf > lf ? "\r\n" : "\n" };
}

export function encodeDocument(document: Pick<TextDocument, "bom">, text: string): Uint8Array {
  return new TextEncoder().encode(document.bom + text);
}
