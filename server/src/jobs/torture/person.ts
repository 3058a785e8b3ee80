import { runGit } from "../../git/git.ts";

/** Commits one file on top of a branch, as a person's push would. */
export async function pushAsPerson(gitDir: string, branch: string, path: string, content: string): Promise<void> {
  const stdin = [
    `commit refs/heads/${branch}`,
    "committer Ada <ada@example.com> 1700000000 +0000",
    "data 14",
    "By a person\n\n",
    `from refs/heads/${branch}^0`,
    `M 100644 inline ${path}`,
    `data ${Buffer.byteLength(content)}`,
    content,
    "done\n",
  ].join("\n");
  await runGit(["fast-import", "--quiet", "--done"], { gitDir, stdin });
}
