import { existsSync } from "node:fs";
import { join } from "node:path";
import { runGit } from "../git/git.ts";
import { createBareRepository } from "./bare-repository.ts";
import { isMissingOnRemote, type RemoteGit } from "./remote-git.ts";
import { createSerial } from "./serial.ts";

/** Most questions are about a branch and what people added to it since. */
const FIRST_DEPTH = 64;

/**
 * Answers questions about a remote's history from a repository of commits alone (no trees, no files), beside the
 * mirror. Deepening the mirror itself would fetch every old file; filtering trees there would leave commits whose
 * trees git believes to have.
 */
export function createHistory(dependencies: { gitDir: string; git: RemoteGit }) {
  const { gitDir, git } = dependencies;
  const serial = createSerial();

  async function fetch(commit: string, depth: readonly string[]): Promise<boolean> {
    try {
      const refspec = `+${commit}:refs/docent/tips/${commit}`;
      await git.run(["fetch", ...depth, "--no-tags", "--no-write-fetch-head", "--quiet", "origin", refspec], {
        filter: "tree:0",
      });
      return true;
    } catch (error) {
      if (isMissingOnRemote(error)) return false;
      throw error;
    }
  }

  async function tells(ancestor: string, descendant: string): Promise<boolean> {
    // 128: one of the two is not here, so that none comes after the other as far as this history goes.
    const result = await runGit(["merge-base", "--is-ancestor", ancestor, descendant], {
      gitDir,
      okExitCodes: [0, 1, 128],
    });
    return result.exitCode === 0;
  }

  return {
    isAncestor(ancestor: string, descendant: string): Promise<boolean> {
      return serial.run(async () => {
        const isNew = !existsSync(join(gitDir, "HEAD"));
        if (isNew) await createBareRepository(gitDir);
        const isShallow = () => existsSync(join(gitDir, "shallow"));
        const depth = isNew || isShallow() ? [`--depth=${FIRST_DEPTH}`] : [];
        if (!(await fetch(descendant, depth))) return false;
        if (await tells(ancestor, descendant)) return true;
        if (!isShallow()) return false;
        await fetch(descendant, ["--unshallow"]);
        return tells(ancestor, descendant);
      });
    },
  };
}
