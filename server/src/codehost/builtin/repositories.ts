import { randomUUID } from "node:crypto";
import { appendFile, mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { runGit } from "../../git/git.ts";
import { CodeHostError } from "../codehost.ts";

/**
 * Every repository's own settings. Docent's own refs are neither shown nor pushed to, pull request heads are shown
 * but not pushed to, and a client may leave out large blobs. Meanings: git-config(1).
 */
export const REPOSITORY_CONFIG = `[transfer]
	hideRefs = refs/docent
[receive]
	denyNonFastForwards = false
	hideRefs = refs/pull
[uploadpack]
	allowFilter = true
	allowAnySHA1InWant = false
`;

/** The bare repositories under one directory, one per name. */
export interface Repositories {
  /** @throws CodeHostError `not_found` for a name that could not be a repository's. */
  path(name: string): string;
  /** Makes an empty bare repository, in one step for all who look; one that was left there unfinished is replaced. */
  create(name: string): Promise<string>;
}

export function createRepositories(directory: string): Repositories {
  function path(name: string): string {
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(name)) {
      throw new CodeHostError("not_found", "There is no such repository on the built-in code host.");
    }
    return join(directory, `${name}.git`);
  }

  return {
    path,
    async create(name) {
      const target = path(name);
      const scratch = join(directory, `.new-${randomUUID()}`);
      await mkdir(directory, { recursive: true });
      try {
        await runGit(["init", "--bare", "--quiet", "--template=", "--initial-branch=main", scratch]);
        await appendFile(join(scratch, "config"), REPOSITORY_CONFIG);
        await rm(target, { recursive: true, force: true });
        await rename(scratch, target);
      } finally {
        await rm(scratch, { recursive: true, force: true });
      }
      return target;
    },
  };
}
