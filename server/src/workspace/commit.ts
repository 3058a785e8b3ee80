import { createHash } from "node:crypto";
import { GitError, runGit } from "../git/git.ts";
import type { FileChange } from "./tree.ts";

export interface CommitContent {
  parent: string;
  changes: readonly FileChange[];
  message: string;
  author: { name: string; email: string };
  /** Author and committer date, to the second, as UTC: the same content always gives the same commit. */
  date: Date;
}

/** The form of a path that `git fast-import` reads back unchanged, whatever bytes it has. */
function quotePath(path: string): string {
  return `"${path.replace(/["\\]/g, "\\$&").replaceAll("\n", "\\n")}"`;
}

/** Git ends a name at `<`, `>` and line breaks. */
function cleanIdentity(text: string): string {
  return text.replace(/[<>\n\r\0]/g, "").trim();
}

function fastImportStream(content: CommitContent, ref: string): Buffer {
  const parts: (string | Uint8Array)[] = [];
  const data = (bytes: Uint8Array) => parts.push(`data ${bytes.length}\n`, bytes, "\n");
  const name = cleanIdentity(content.author.name) || "Docent";
  const identity = `${name} <${cleanIdentity(content.author.email)}>`;
  const when = `${Math.floor(content.date.getTime() / 1000)} +0000`;
  parts.push(`commit ${ref}\nmark :1\nauthor ${identity} ${when}\ncommitter ${identity} ${when}\n`);
  data(Buffer.from(content.message, "utf8"));
  parts.push(`from ${content.parent}\n`);
  // Deletions first: a deleted file may make room for a folder of the same name, and the other way round.
  for (const change of content.changes) {
    if (change.content === null) parts.push(`D ${quotePath(change.path)}\n`);
  }
  for (const change of content.changes) {
    if (change.content === null) continue;
    if (change.mode === "160000") throw new TypeError(`A submodule cannot be written: ${change.path}`);
    parts.push(`M ${change.mode} inline ${quotePath(change.path)}\n`);
    data(change.content);
  }
  parts.push("get-mark :1\ndone\n");
  return Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part, "utf8") : part)));
}

/**
 * Writes a commit on top of `parent`: the parent's tree with these changes and every other entry as it was, so that
 * blobs which the mirror left out are never read. One `git fast-import`: about 9 ms for five files.
 * Pins the commit by a ref under `refs/docent/commits/` and returns both names.
 */
export async function writeCommit(gitDir: string, content: CommitContent): Promise<{ commit: string; pin: string }> {
  const nameless = fastImportStream(content, "refs/docent/commits/");
  const pin = `refs/docent/commits/${createHash("sha256").update(nameless).digest("hex").slice(0, 40)}`;
  const stdin = fastImportStream(content, pin);
  const result = await runGit(["fast-import", "--quiet", "--done", "--date-format=raw"], {
    gitDir,
    stdin,
    // Loose objects, not a pack for each commit: thousands of tiny packs would slow every later read.
    config: { "fastimport.unpackLimit": String(content.changes.length * 32 + 1000) },
  });
  const commit = result.stdout.toString("utf8").trim();
  if (!/^[0-9a-f]{40,64}$/.test(commit)) throw new GitError("fast-import", result.exitCode, "printed no commit");
  return { commit, pin };
}
