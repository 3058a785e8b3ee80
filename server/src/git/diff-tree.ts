import { runGit, spawnGit } from "./git.ts";

/** How a file differs between two trees. */
export interface ComparedFile {
  /** The path at the head; at the base for a deleted file. */
  path: string;
  /** The path at the base where it differs, else null. */
  oldPath: string | null;
  status: "added" | "deleted" | "modified" | "renamed" | "type-changed";
  /** Changed lines; null for a binary file. */
  additions: number | null;
  deletions: number | null;
  /** Object ids of the content; null where the file is not there. */
  oldOid: string | null;
  newOid: string | null;
  oldMode: string | null;
  newMode: string | null;
}

const STATUS: Readonly<Record<string, ComparedFile["status"]>> = {
  A: "added",
  C: "added",
  D: "deleted",
  M: "modified",
  R: "renamed",
  T: "type-changed",
};

/** Reads `diff-tree --raw --numstat -z`: first all raw records, then the counts in the same order. */
function parseFiles(output: string): ComparedFile[] {
  const fields = output.split("\0");
  const files: ComparedFile[] = [];
  let at = 0;
  while (fields[at]?.startsWith(":")) {
    const [oldMode = "", newMode = "", oldOid = "", newOid = "", status = ""] = fields[at]!.slice(1).split(" ");
    const moved = status.startsWith("R") || status.startsWith("C");
    const first = fields[at + 1] ?? "";
    const present = (oid: string, value: string) => (/^0+$/.test(oid) ? null : value);
    files.push({
      path: moved ? (fields[at + 2] ?? "") : first,
      oldPath: moved ? first : null,
      status: STATUS[status.charAt(0)] ?? "modified",
      additions: null,
      deletions: null,
      oldOid: present(oldOid, oldOid),
      newOid: present(newOid, newOid),
      oldMode: present(oldOid, oldMode),
      newMode: present(newOid, newMode),
    });
    at += moved ? 3 : 2;
  }
  for (const file of files) {
    const [additions = "", deletions = "", path = ""] = (fields[at] ?? "").split("\t");
    file.additions = additions === "-" ? null : Number(additions);
    file.deletions = deletions === "-" ? null : Number(deletions);
    at += path === "" ? 3 : 1;
  }
  return files;
}

/** The files that differ, in git's order, renames as such. `from` and `to` are commits or trees. */
export async function diffTrees(gitDir: string, from: string, to: string): Promise<ComparedFile[]> {
  const { stdout } = await runGit(["diff-tree", "-r", "-z", "-M", "--raw", "--numstat", from, to], { gitDir });
  return parseFiles(stdout.toString("utf8"));
}

/** The unified diff. Past `bytesMax` it ends, and `complete` is false; no more than that is ever held. */
export function readPatch(
  gitDir: string,
  { from, to }: { from: string; to: string },
  bytesMax: number,
): Promise<{ patch: Buffer; complete: boolean }> {
  const args = ["diff-tree", "-p", "-M", "--no-color", "--no-ext-diff", "--no-textconv", "--full-index", from, to];
  return new Promise((resolve, reject) => {
    const child = spawnGit(args, { gitDir });
    const chunks: Buffer[] = [];
    let bytes = 0;
    let stderr = "";
    child.stdin.end();
    child.stdout.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > bytesMax) child.kill("SIGKILL");
    });
    child.stderr.on("data", (chunk: Buffer) => {
      stderr = (stderr + chunk.toString("utf8")).slice(0, 2000);
    });
    child.on("error", reject);
    child.on("close", (exitCode) => {
      if (bytes > bytesMax) resolve({ patch: Buffer.concat(chunks).subarray(0, bytesMax), complete: false });
      else if (exitCode === 0) resolve({ patch: Buffer.concat(chunks), complete: true });
      else reject(new Error(`git diff-tree failed: ${stderr.trim()}`));
    });
  });
}
