import { createTestRepository, type TestRepository } from "../../git/testing/repository.ts";
import { mergeBranch } from "../builtin/merge.ts";

/** A repository as products make them: bare, `main` with one commit. */
export async function createHostedRepository(): Promise<TestRepository> {
  const repository = await createTestRepository();
  await repository.commit("main", { "index.md": "# Start\n" });
  return repository;
}

/** As a product's merge button does. */
export async function mergeAsPerson({ directory }: TestRepository, base: string, head: string): Promise<void> {
  const merged = await mergeBranch(directory, {
    baseBranch: base,
    headBranch: head,
    expectedHead: undefined,
    message: `Merge ${head}`,
    author: { name: "Ada", email: "ada@example.com" },
    now: new Date(),
  });
  if ("refused" in merged) throw new Error(merged.refused);
}

export async function hasBranch({ git }: TestRepository, branch: string): Promise<boolean> {
  return (await git("for-each-ref", "--format=%(objectname)", `refs/heads/${branch}`)) !== "";
}
