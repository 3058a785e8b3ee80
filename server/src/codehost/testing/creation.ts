import { CodeHostError, type PullRequestCreation } from "../codehost.ts";
import type { ProductHarness, ProductRepository } from "./product-harness.ts";

/** From the branch that `addWithBranch` makes. */
export const CREATION: PullRequestCreation = {
  title: "Say hello",
  body: "A summary.",
  headBranch: "work",
  baseBranch: "main",
};

export async function addWithBranch({
  addRepository,
}: Pick<ProductHarness, "addRepository">): Promise<ProductRepository> {
  const repository = await addRepository();
  await repository.git.git("branch", "work", "main");
  await repository.git.commit("work", { "hello.md": "# Hello\n" });
  return repository;
}

/** The error that this must end with. */
export async function refusalOf(run: Promise<unknown>): Promise<CodeHostError> {
  const [settled] = await Promise.allSettled([run]);
  if (settled.status === "rejected" && settled.reason instanceof CodeHostError) return settled.reason;
  throw new Error(`Expected a CodeHostError, got ${settled.status}`, { cause: settled });
}
