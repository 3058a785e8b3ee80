import { runGit, spawnGit } from "../../git/git.ts";
import { mergeBase } from "./refs.ts";

const COMMITS_MAX = 250;

export interface ComparedCommit {
  oid: string;
  authorName: string;
  /** ISO 8601 with the author's own offset. */
  authoredAt: string;
  title: string;
  /** The rest of the message; may be empty. */
  message: string;
}

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

/** What a pull request changes: from where its branch left the base to its head. */
export interface Comparison {
  /** The commit that the files are compared with. */
  from: string;
  to: string;
  /** Oldest first, the newest 250 of them. */
  commits: ComparedCommit[];
  commitsTotal: number;
  /** In git's order, as `readPatch` has them. */
  files: ComparedFile[];
}

function parseCommits(output: string): ComparedCommit[] {
  const fields = output.split("\0");
  const commits: ComparedCommit[] = [];
  for (let at = 0; at + 4 < fields.length; at += 5) {
    const [oid = "", authorName = "", authoredAt = "", title = "", message = ""] = fields.slice(at, at + 5);
    commits.push({ oid: oid.trim(), authorName, authoredAt, title, message: message.trim() });
  }
  return commits;
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

export async function compare(gitDir: string, base: string, head: string): Promise<Comparison> {
  const from = (await mergeBase(gitDir, base, head)) ?? base;
  const range = `${from}..${head}`;
  const format = "--format=%H%x00%an%x00%aI%x00%s%x00%b%x00";
  const [log, count, diff] = await Promise.all([
    runGit(["log", `--max-count=${COMMITS_MAX}`, format, range], { gitDir }),
    runGit(["rev-list", "--count", range], { gitDir }),
    runGit(["diff-tree", "-r", "-z", "-M", "--raw", "--numstat", from, head], { gitDir }),
  ]);
  return {
    from,
    to: head,
    commits: parseCommits(log.stdout.toString("utf8")).toReversed(),
    commitsTotal: Number(count.stdout.toString("utf8")),
    files: parseFiles(diff.stdout.toString("utf8")),
  };
}

/** The unified diff. Past `bytesMax` it ends, and `complete` is false; no more than that is ever held. */
export function readPatch(
  gitDir: string,
  { from, to }: Pick<Comparison, "from" | "to">,
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
