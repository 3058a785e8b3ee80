import { runGit } from "../../../git/git.ts";
import type { Scene } from "../stage.ts";

/** Of all jobs together: every branch has one pull request, and the project's own branch is where it was. */
export async function checkRepository(stage: Scene): Promise<string[]> {
  await stage.host.refresh(stage.projectId);
  const found: string[] = [];
  const { stdout } = await runGit(["for-each-ref", "--format=%(refname:lstrip=2)", "refs/heads"], {
    gitDir: stage.gitDir,
  });
  const branches = stdout.toString("utf8").split("\n").filter(Boolean).sort();
  const pullRequests = await stage.database
    .selectFrom("builtin_pull_requests")
    .select(["number", "head_branch"])
    .where("repository", "=", stage.projectId)
    .orderBy("number")
    .execute();
  const heads = pullRequests.map((pullRequest) => pullRequest.head_branch).sort();
  if (["main", ...heads].sort().join() !== branches.join()) {
    found.push(`The branches are ${branches.join()}; the pull requests are of ${heads.join()}.`);
  }
  const commits = await runGit(["rev-list", "--count", "refs/heads/main"], { gitDir: stage.gitDir });
  if (commits.stdout.toString("utf8").trim() !== "1") found.push("The project's own branch has moved.");
  return found;
}
