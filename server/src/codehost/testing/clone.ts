import { runGit } from "../../git/git.ts";
import { createTestRepository, type TestRepository } from "../../git/testing/repository.ts";
import type { GitRemote } from "../codehost.ts";

/** A person's clone of a hosted repository. */
export interface Clone extends TestRepository {
  /** git with this remote as `origin`, reached the way a worker reaches it. */
  at(remote: GitRemote, ...args: string[]): Promise<string>;
}

export async function cloneOf(gitDir: string): Promise<Clone> {
  const repository = await createTestRepository();
  await repository.git("fetch", "--quiet", gitDir, "+refs/heads/*:refs/heads/*");
  return {
    ...repository,
    async at({ url, authorization, directory }, ...args) {
      const config: Record<string, string> = { "remote.origin.url": directory ?? url };
      if (authorization !== undefined) config[`http.${url}.extraHeader`] = `Authorization: ${authorization}`;
      const { stdout } = await runGit(args, { gitDir: repository.directory, config });
      return stdout.toString("utf8").trim();
    },
  };
}
