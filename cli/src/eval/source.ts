import { existsSync, statSync } from "node:fs";
import { appendFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { CommandError } from "../failure.ts";
import type { Git } from "./git.ts";
import type { TaskSource } from "./task.ts";

/** A task's documentation as a repository on this machine, with one commit on the branch `base`. */
export interface PreparedSource {
  gitDir: string;
  /** A commit without a parent: what came before plays no part, and a big history costs nothing. */
  base: string;
}

export interface SourceOptions {
  git: Git;
  /** Where repositories are made. */
  directory: string;
  /** Copies of public repositories, in place of the network; see `localCopy`. */
  repositories?: string;
}

/** Makes each source once, however many tasks share it. */
export function createSources(options: SourceOptions): { prepare(source: TaskSource): Promise<PreparedSource> } {
  const made = new Map<string, Promise<PreparedSource>>();
  return {
    prepare(source) {
      const key = JSON.stringify(source);
      const known = made.get(key);
      if (known !== undefined) return known;
      const prepared = prepare(source, join(options.directory, `source-${made.size}.git`), options);
      made.set(key, prepared);
      return prepared;
    },
  };
}

async function prepare(source: TaskSource, gitDir: string, options: SourceOptions): Promise<PreparedSource> {
  const { git } = options;
  await git(["init", "--quiet", "--bare", "--initial-branch=base", gitDir]);
  const tree =
    "path" in source
      ? await treeOfPath(git, gitDir, source)
      : await treeOfUrl(git, gitDir, source, await localCopy(source.url, options.repositories));
  const commit = (await git(["commit-tree", tree, "-m", "The base of an evaluation"], { gitDir })).trim();
  await git(["update-ref", "refs/heads/base", commit], { gitDir });
  return { gitDir, base: commit };
}

async function treeOfPath(git: Git, gitDir: string, source: { path: string; commit?: string }): Promise<string> {
  if (!existsSync(source.path)) throw new CommandError(`There is no repository or folder ${source.path}.`);
  if (source.commit !== undefined) {
    const found = (await repositoryAt(source.path)) ?? source.path;
    await borrowObjects(gitDir, found);
    return treeOfCommit(git, gitDir, source.commit, source.path);
  }
  await git(["--work-tree", source.path, "add", "--all", "."], { gitDir });
  return (await git(["write-tree"], { gitDir })).trim();
}

async function treeOfUrl(
  git: Git,
  gitDir: string,
  { url, commit }: { url: string; commit: string },
  copy: string | undefined,
): Promise<string> {
  if (copy === undefined) {
    try {
      await git(["fetch", "--quiet", "--depth=1", url, commit], { gitDir });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new CommandError(
        `${url} could not be fetched: ${reason}`,
        "Without the network, name a folder of copies with --repositories.",
      );
    }
  } else {
    await borrowObjects(gitDir, copy);
  }
  return treeOfCommit(git, gitDir, commit, copy ?? url);
}

async function treeOfCommit(git: Git, gitDir: string, commit: string, where: string): Promise<string> {
  try {
    return (await git(["rev-parse", "--verify", "--quiet", `${commit}^{tree}`], { gitDir })).trim();
  } catch {
    throw new CommandError(`${where} does not hold the commit ${commit}.`);
  }
}

/** Reads another repository's objects where they are, instead of copying them. */
async function borrowObjects(gitDir: string, from: string): Promise<void> {
  await appendFile(join(gitDir, "objects/info/alternates"), `${join(from, "objects")}\n`);
}

/**
 * The copy of a public repository in a folder of copies: `owner+name`, `owner/name` or `name`, each with or without
 * `.git`, itself a git directory, a clone, or a folder that holds one git directory.
 */
async function localCopy(url: string, repositories: string | undefined): Promise<string | undefined> {
  if (repositories === undefined) return undefined;
  const [owner = "", name = ""] = new URL(url).pathname
    .replace(/\.git\/?$/, "")
    .split("/")
    .filter(Boolean)
    .slice(-2);
  for (const form of [`${owner}+${name}`, `${owner}/${name}`, name]) {
    for (const suffix of ["", ".git"]) {
      const found = await repositoryAt(join(repositories, form + suffix));
      if (found !== undefined) return found;
    }
  }
  throw new CommandError(
    `${repositories} holds no copy of ${url}.`,
    `Make one: git clone --bare ${url} ${join(repositories, `${owner}+${name}.git`)}`,
  );
}

async function repositoryAt(path: string): Promise<string | undefined> {
  if (!existsSync(path) || !statSync(path).isDirectory()) return undefined;
  if (isGitDirectory(path)) return path;
  const inside = (await readdir(path)).map((name) => join(path, name)).filter(isGitDirectory);
  return inside.find((each) => each.endsWith(".git")) ?? inside[0];
}

const isGitDirectory = (path: string): boolean => existsSync(join(path, "HEAD")) && existsSync(join(path, "objects"));
