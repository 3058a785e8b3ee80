import type { CatFile } from "../git/cat-file.ts";
import { GitError } from "../git/git.ts";
import type { ObjectWriter } from "../git/object-writer.ts";
import type { FileChange } from "./tree.ts";
import { writeTree } from "./tree-writer.ts";

export interface CommitContent {
  parent: string;
  changes: readonly FileChange[];
  message: string;
  author: { name: string; email: string };
  /** Author and committer date, to the second, as UTC: the same content always gives the same commit. */
  date: Date;
  /** Gives the armored signature over the commit without it. */
  sign?: (payload: Buffer) => string;
}

/** Git ends a name at `<`, `>` and line breaks. */
function cleanIdentity(text: string): string {
  return text.replace(/[<>\n\r\0]/g, "").trim();
}

/**
 * Writes a commit on top of `parent`: the parent's tree with these changes and every other entry as it was, so that
 * blobs which the mirror left out are never read. No process is started: about 8 ms for one
 * file, most of it waiting for the disk.
 * @throws GitError when the parent or a folder of it is missing.
 */
export async function writeCommit(
  dependencies: { catFile: CatFile; objects: ObjectWriter },
  content: CommitContent,
): Promise<string> {
  const tree = await dependencies.catFile.resolve(`${content.parent}^{tree}`);
  if (tree === undefined) throw new GitError("cat-file", null, `the commit ${content.parent} is missing`);
  const written = await writeTree(dependencies, tree, content.changes);
  const name = cleanIdentity(content.author.name) || "Docent";
  const who = `${name} <${cleanIdentity(content.author.email)}> ${Math.floor(content.date.getTime() / 1000)} +0000`;
  const message = content.message.replaceAll("\0", "");
  const headers = [`tree ${written}`, `parent ${content.parent}`, `author ${who}`, `committer ${who}`];
  const unsigned = toBytes(headers, message);
  const signed =
    content.sign === undefined
      ? unsigned
      : toBytes([...headers, signatureHeader(content.parent, content.sign(unsigned))], message);
  const commit = dependencies.objects.put("commit", signed);
  await dependencies.objects.flush();
  return commit;
}

function toBytes(headers: readonly string[], message: string): Buffer {
  return Buffer.from([...headers, "", message].join("\n"), "utf8");
}

/** Repositories with SHA-256 names keep their signatures under a name of their own. */
function signatureHeader(parent: string, signature: string): string {
  const name = parent.length === 64 ? "gpgsig-sha256" : "gpgsig";
  return `${name} ${signature.replaceAll("\n", "\n ")}`;
}
