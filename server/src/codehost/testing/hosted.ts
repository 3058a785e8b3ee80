import { createTestRepository, type TestRepository } from "../../git/testing/repository.ts";

/** A repository as products make them: bare, `main` with one commit. */
export async function createHostedRepository(): Promise<TestRepository> {
  const repository = await createTestRepository();
  await repository.commit("main", { "index.md": "# Start\n" });
  return repository;
}

/** Makes a merge commit, as a product's merge button does. Gives it. */
export async function mergeBranch({ git }: TestRepository, base: string, head: string): Promise<string> {
  const tree = await git("merge-tree", "--write-tree", base, head);
  const author = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"];
  const commit = await git(...author, "commit-tree", tree, "-p", base, "-p", head, "-m", `Merge ${head}`);
  await git("update-ref", `refs/heads/${base}`, commit);
  return commit;
}

export async function hasBranch({ git }: TestRepository, branch: string): Promise<boolean> {
  return (await git("for-each-ref", "--format=%(objectname)", `refs/heads/${branch}`)) !== "";
}
