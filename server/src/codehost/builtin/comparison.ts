import { diffTrees, type ComparedFile } from "../../git/diff-tree.ts";
import { runGit } from "../../git/git.ts";
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

export async function compare(gitDir: string, base: string, head: string): Promise<Comparison> {
  const from = (await mergeBase(gitDir, base, head)) ?? base;
  const range = `${from}..${head}`;
  const format = "--format=%H%x00%an%x00%aI%x00%s%x00%b%x00";
  const [log, count, files] = await Promise.all([
    runGit(["log", `--max-count=${COMMITS_MAX}`, format, range], { gitDir }),
    runGit(["rev-list", "--count", range], { gitDir }),
    diffTrees(gitDir, from, head),
  ]);
  return {
    from,
    to: head,
    commits: parseCommits(log.stdout.toString("utf8")).toReversed(),
    commitsTotal: Number(count.stdout.toString("utf8")),
    files,
  };
}
