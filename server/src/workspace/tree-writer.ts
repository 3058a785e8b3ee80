import type { CatFile } from "../git/cat-file.ts";
import { GitError } from "../git/git.ts";
import type { ObjectWriter } from "../git/object-writer.ts";
import type { FileChange } from "./tree.ts";

/** What happens to one name of a folder. Names are raw bytes as Latin-1 text: not every repository's are UTF-8. */
interface Node {
  change?: FileChange;
  children: Map<string, Node>;
}

interface Entry {
  mode: string;
  oid: string;
}

const FOLDER = "40000";

function plan(changes: readonly FileChange[]): Node {
  const root: Node = { children: new Map() };
  for (const change of changes) {
    if (change.mode === "160000" && change.content !== null) {
      throw new TypeError(`A submodule cannot be written: ${change.path}`);
    }
    let node = root;
    for (const part of change.path.split("/")) {
      const name = Buffer.from(part, "utf8").toString("latin1");
      if (name === "" || name === "." || name === ".." || name.includes("\0")) {
        throw new TypeError(`Not a path in a repository: ${JSON.stringify(change.path)}`);
      }
      const child = node.children.get(name) ?? { children: new Map() };
      node.children.set(name, child);
      node = child;
    }
    node.change = change;
  }
  return root;
}

/** One entry after another: `<mode> SP <name> NUL <binary id>`. */
function parseTree(bytes: Buffer, idBytes: number): Map<string, Entry> {
  const entries = new Map<string, Entry>();
  for (let at = 0; at < bytes.length;) {
    const space = bytes.indexOf(0x20, at);
    const end = bytes.indexOf(0, space);
    const mode = bytes.toString("latin1", at, space);
    const name = bytes.toString("latin1", space + 1, end);
    entries.set(name, { mode, oid: bytes.toString("hex", end + 1, end + 1 + idBytes) });
    at = end + 1 + idBytes;
  }
  return entries;
}

function formatTree(entries: ReadonlyMap<string, Entry>): Buffer {
  // Git sorts a folder as if its name ended with a slash.
  const key = ([name, entry]: [string, Entry]) => (entry.mode === FOLDER ? `${name}/` : name);
  const sorted = [...entries].sort((a, b) => (key(a) < key(b) ? -1 : 1));
  return Buffer.concat(
    sorted.flatMap(([name, { mode, oid }]) => [Buffer.from(`${mode} ${name}\0`, "latin1"), Buffer.from(oid, "hex")]),
  );
}

/**
 * Puts the tree that `tree` becomes with the changes, and returns its id. Reads only the folders on the way to a
 * change: every other entry keeps its id and mode, also where its content is not in this repository.
 * @throws GitError when a folder is missing.
 */
export async function writeTree(
  dependencies: { catFile: CatFile; objects: ObjectWriter },
  tree: string,
  changes: readonly FileChange[],
): Promise<string> {
  const { catFile, objects } = dependencies;

  async function readFolder(oid: string): Promise<Map<string, Entry>> {
    const found = await catFile.read(oid);
    if (found?.type !== "tree") throw new GitError("cat-file", null, `the tree ${oid} is missing`);
    return parseTree(found.bytes, oid.length / 2);
  }

  async function rewrite(before: string | undefined, node: Node): Promise<string | undefined> {
    const entries = before === undefined ? new Map<string, Entry>() : await readFolder(before);
    const rewritten = [...node.children].map(async ([name, child]) => {
      const entry = await rewriteEntry(entries.get(name), child);
      if (entry === undefined) entries.delete(name);
      else entries.set(name, entry);
    });
    await Promise.all(rewritten);
    return entries.size === 0 ? undefined : objects.put("tree", formatTree(entries));
  }

  async function rewriteEntry(before: Entry | undefined, node: Node): Promise<Entry | undefined> {
    const { change } = node;
    const isFolder = before?.mode === FOLDER;
    const folder = node.children.size === 0 ? undefined : await rewrite(isFolder ? before.oid : undefined, node);
    if (folder !== undefined) {
      if (change !== undefined && change.content !== null) {
        throw new TypeError(`${change.path} cannot be a file and a folder`);
      }
      if (before === undefined || isFolder || change !== undefined) return { mode: FOLDER, oid: folder };
      throw new TypeError("A file stands where a change needs a folder");
    }
    if (change !== undefined && change.content !== null) {
      return { mode: change.mode, oid: objects.put("blob", change.content) };
    }
    // Deleted, emptied, or a deletion below something that is no folder.
    return change !== undefined || isFolder ? undefined : before;
  }

  return (await rewrite(tree, plan(changes))) ?? objects.put("tree", new Uint8Array());
}
