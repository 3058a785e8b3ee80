import type { ContextTrees } from "../agent/tools/context-files.ts";
import { CodeHostError, type CodeHost, type GitRemote } from "../codehost/codehost.ts";
import type { ContextRepository, ProjectSettings } from "../database/schema.ts";
import { GitError } from "../git/git.ts";
import { openContextTree, type ContextTree } from "../workspace/context-tree.ts";
import type { Mirrors } from "../workspace/mirror.ts";
import type { Refusal } from "../workspace/refusal.ts";

interface Place {
  id: string;
  code_host_url: string | null;
  settings: ProjectSettings;
}

/** Reaches a repository that is on none of the project's code hosts. */
export type ReachPublicRepository = (url: string) => Promise<GitRemote>;

/**
 * The repositories that a project's jobs may read beside the documentation. Each is fetched when a tool first asks for it,
 * and stays at that commit for the rest of the run.
 */
export function openContextRepositories(
  dependencies: { mirrors: Mirrors; codeHost: CodeHost; reachPublicRepository: ReachPublicRepository },
  project: Place,
): ContextTrees {
  const { mirrors, codeHost, reachPublicRepository } = dependencies;

  async function open({ name, url, ref }: ContextRepository): Promise<ContextTree | Refusal> {
    const own = ownName(project, url);
    const remote = (): Promise<GitRemote> =>
      own === undefined ? reachPublicRepository(url) : codeHost.remote(own, "read");
    try {
      const mirror = await mirrors.open(`context:${project.id}:${url}`, remote);
      const commit = await mirror.fetchBranch(ref ?? null);
      if (commit !== undefined) return await openContextTree({ mirror, commit });
      return { refused: `@${name} has no ${ref === undefined ? "commits" : `branch ${ref}`}. Go on without it.` };
    } catch (error) {
      if (error instanceof CodeHostError) return { refused: `@${name} cannot be read: ${error.message}` };
      if (error instanceof GitError) return { refused: `@${name} cannot be read: git could not fetch it.` };
      throw error;
    }
  }

  const { contextRepositories = [] } = project.settings;
  return new Map(
    contextRepositories.map((repository): [string, () => Promise<ContextTree | Refusal>] => {
      let opened: Promise<ContextTree | Refusal> | undefined;
      return [repository.name, () => (opened ??= open(repository))];
    }),
  );
}

/** The name of a repository on the project's own code host, whose credential then reads it. */
function ownName({ code_host_url: host }: Place, url: string): string | undefined {
  // As it will be asked for: `..` leads out of a host that lies under a path.
  const address = URL.parse(url)?.href ?? "";
  if (host === null || !address.startsWith(`${host}/`)) return undefined;
  return address
    .slice(host.length + 1)
    .replace(/\/+$/, "")
    .replace(/\.git$/, "");
}
