import type { Git } from "./git.ts";

export type ChangeKind = "added" | "changed" | "deleted";

/** What a job made of its base: two commits of one repository. */
export interface TreePair {
  /** On the repository that holds both. */
  git(args: readonly string[]): Promise<string>;
  base: string;
  result: string;
  /** Of the result. */
  paths: readonly string[];
  /** Of the base. */
  basePaths: readonly string[];
  /** By path; a moved file is one that was deleted and one that was added. */
  changes: ReadonlyMap<string, ChangeKind>;
  /** A file of the result as text; undefined when there is none. */
  read(path: string): Promise<string | undefined>;
}

const KINDS: Readonly<Record<string, ChangeKind>> = { A: "added", D: "deleted" };

export async function openTreePair(
  runGit: Git,
  { gitDir, base, result }: { gitDir: string; base: string; result: string },
): Promise<TreePair> {
  const git = (args: readonly string[]): Promise<string> => runGit(args, { gitDir });
  const list = async (commit: string): Promise<string[]> =>
    (await git(["ls-tree", "-r", "-z", "--name-only", commit])).split("\0").filter((path) => path !== "");
  const diff = await git(["diff-tree", "-r", "-z", "--no-renames", "--name-status", base, result]);
  const fields = diff.split("\0");
  const changes = new Map<string, ChangeKind>();
  for (let at = 0; at + 1 < fields.length; at += 2) {
    changes.set(fields[at + 1] ?? "", KINDS[fields[at] ?? ""] ?? "changed");
  }
  const paths = await list(result);
  const known = new Set(paths);
  return {
    git,
    base,
    result,
    paths,
    basePaths: await list(base),
    changes,
    read: async (path) => (known.has(path) ? git(["cat-file", "blob", `${result}:${path}`]) : undefined),
  };
}

/** The difference as people read it, cut after so many lines. */
export async function diffText({ git, base, result }: TreePair, linesMax: number): Promise<string> {
  const diff = await git(["diff", "--no-color", "--no-ext-diff", "--no-textconv", base, result]);
  const lines = diff.trimEnd().split("\n");
  if (lines.length <= linesMax) return lines.join("\n");
  return `${lines.slice(0, linesMax).join("\n")}\n… ${lines.length - linesMax} more lines`;
}
