import type { Kysely } from "kysely";
import type { Secret } from "../../access/secret.ts";
import type { Schema } from "../../database/schema.ts";
import { readPatch } from "../../git/diff-tree.ts";
import { runGit } from "../../git/git.ts";
import { CodeHostError, type CodeHost, type PullRequest } from "../codehost.ts";
import { compare, type Comparison } from "./comparison.ts";
import { mintGitToken, verifyGitToken, type GitAccess } from "./git-token.ts";
import { createComments, type Comments } from "./comments.ts";
import { mergeBranch, mergeTree } from "./merge.ts";
import type { ListedPullRequest, PullRequestDetails } from "./pull-request-details.ts";
import { createPullRequestRows, type PullRequestRow } from "./pull-requests.ts";
import { pinPullRequests, readExactRefs, readRefs } from "./refs.ts";
import { refreshPullRequests } from "./refresh.ts";
import { createRepositories, type Repositories } from "./repositories.ts";

export type { ListedPullRequest, PullRequestDetails } from "./pull-request-details.ts";

const BLOB_BYTES_MAX = 32 * 1024 * 1024;
const MERGE_AUTHOR = { name: "Docent", email: "docent@localhost" };

export interface BuiltinHostDependencies {
  database: Kysely<Schema>;
  /** Where the bare repositories lie; null on a machine that reaches them over HTTP. */
  repositoriesDirectory: string | null;
  /** Without a slash at its end. */
  publicUrl: string;
  secret: Secret;
  clock: () => Date;
}

/** The code host that Docent brings along. What is beyond `CodeHost` needs the repositories on this machine. */
export interface BuiltinHost extends CodeHost {
  /** Null when the repositories are elsewhere. */
  repositories: Repositories | null;
  comments: Comments;
  /** `ready` once it can be cloned; undefined when there is no such repository. */
  repositoryState(repository: string): Promise<"importing" | "ready" | "failed" | undefined>;
  hasBranch(repository: string, branch: string): Promise<boolean>;
  /** What a minted token opens in this repository. */
  verifyGitToken(token: string, repository: string): GitAccess | undefined;
  /** Call it before and after a push: notices merged and deleted branches, and keeps commits that are about to go. */
  refresh(repository: string): Promise<void>;
  getPullRequestDetails(repository: string, number: number): Promise<PullRequestDetails | undefined>;
  /** Newest first, from `before` on, which is not among them. */
  listPullRequests(
    repository: string,
    page: { limit: number; before?: number; state?: PullRequest["state"] },
  ): Promise<ListedPullRequest[]>;
  /** The unified diff, cut off at `bytesMax`. */
  readPatch(
    repository: string,
    comparison: Comparison,
    bytesMax: number,
  ): Promise<{ patch: Buffer; complete: boolean }>;
  /** A file's content by its object id, which must come from a comparison. */
  readBlob(repository: string, oid: string): Promise<Buffer>;
  /** Merges with a merge commit. Merging what is merged already does nothing. Undefined: there is no such pull request. */
  mergePullRequest(
    repository: string,
    number: number,
    options?: { expectedHead?: string },
  ): Promise<{ pullRequest: PullRequest } | { refused: string } | undefined>;
  closePullRequest(
    repository: string,
    number: number,
  ): Promise<{ pullRequest: PullRequest } | { refused: string } | undefined>;
}

export function createBuiltinHost(dependencies: BuiltinHostDependencies): BuiltinHost {
  const { database, repositoriesDirectory, publicUrl, secret, clock } = dependencies;
  const repositories = repositoriesDirectory === null ? null : createRepositories(repositoriesDirectory);
  const rows = createPullRequestRows(database);
  const comments = createComments(database, clock);

  function repositoryUrl(repository: string): string {
    return `${publicUrl}/git/${repository}.git`;
  }

  function getRepository(name: string) {
    return database
      .selectFrom("builtin_repositories")
      .select(["state", "import_error", "default_branch"])
      .where("name", "=", name)
      .executeTakeFirst();
  }

  function localPath(repository: string): string {
    if (repositories === null) throw new Error("The built-in code host's repositories are on another machine.");
    return repositories.path(repository);
  }

  function toPullRequest(row: PullRequestRow): PullRequest {
    return {
      number: row.number,
      url: `${publicUrl}/projects/${row.repository}/pull/${row.number}`,
      state: row.state,
      headBranch: row.head_branch,
      baseBranch: row.base_branch,
      title: row.title,
      body: row.body,
    };
  }

  function toListed(row: PullRequestRow): ListedPullRequest {
    const { draft, labels, created_at: createdAt, ended_at: endedAt } = row;
    return { ...toPullRequest(row), draft, labels, createdAt, endedAt };
  }

  async function refresh(repository: string): Promise<void> {
    if (repositories === null) return;
    await refreshPullRequests(database, repositories.path(repository), repository, { now: clock() });
  }

  /** The row as git has it now. On another machine: as it was after the last push, which refreshed it there. */
  async function refreshed(read: () => Promise<PullRequestRow | undefined>): Promise<PullRequestRow | undefined> {
    const row = await read();
    if (row?.state !== "open" || repositories === null) return row;
    const { repository, number } = row;
    await refreshPullRequests(database, repositories.path(repository), repository, { now: clock(), number });
    return rows.get(repository, number);
  }

  async function branchTips(repository: string, head: string, base: string) {
    const refs = await readExactRefs(localPath(repository), [`refs/heads/${head}`, `refs/heads/${base}`]);
    return { head: refs.get(`refs/heads/${head}`), base: refs.get(`refs/heads/${base}`) };
  }

  async function mergeOutlook(row: PullRequestRow): Promise<PullRequestDetails["merge"]> {
    if (row.state !== "open") return null;
    const { head, base } = await branchTips(row.repository, row.head_branch, row.base_branch);
    if (base === undefined) return { refused: `The branch ${row.base_branch} does not exist any more.` };
    if (head === undefined) return { refused: `The branch ${row.head_branch} does not exist any more.` };
    const merged = await mergeTree(localPath(row.repository), base, head);
    return { conflicts: "conflicts" in merged ? merged.conflicts : [] };
  }

  return {
    repositories,
    comments,
    repositoryUrl,
    refresh,
    repositoryState: async (repository) => (await getRepository(repository))?.state,

    async hasBranch(repository, branch) {
      const ref = `refs/heads/${branch}`;
      return (await readRefs(localPath(repository), [ref])).has(ref);
    },

    verifyGitToken: (token, repository) => verifyGitToken(secret, token, repository, clock()),

    async remote(repository, access) {
      const row = await getRepository(repository);
      if (row === undefined) {
        throw missingRepository();
      }
      if (row.state === "importing") {
        throw new CodeHostError("unavailable", "The repository is still being imported. Try again when it is ready.");
      }
      if (row.state === "failed") {
        throw new CodeHostError(
          "unavailable",
          `The repository could not be imported. ${row.import_error ?? ""}`.trim(),
        );
      }
      const url = repositoryUrl(repository);
      if (repositories !== null) return { url, directory: repositories.path(repository) };
      const password = mintGitToken(secret, repository, access, clock());
      return { url, authorization: `Basic ${Buffer.from(`docent:${password}`).toString("base64")}` };
    },

    async getPullRequest(repository, number) {
      const row = await refreshed(() => rows.get(repository, number));
      return row && toPullRequest(row);
    },

    async findPullRequest(repository, headBranch) {
      const row = await refreshed(() => rows.findNewest(repository, headBranch));
      return row && toPullRequest(row);
    },

    async createPullRequest(repository, creation) {
      let baseCommit: string | null = null;
      if (repositories !== null) {
        const { head, base } = await branchTips(repository, creation.headBranch, creation.baseBranch);
        for (const [tip, branch, code] of [
          [head, creation.headBranch, "not_found"],
          [base, creation.baseBranch, "base_branch_missing"],
        ] as const) {
          if (tip === undefined) throw new CodeHostError(code, `There is no branch ${branch}. Push it first.`);
        }
        baseCommit = base ?? null;
      }
      const attempt = () => rows.create(repository, { ...creation, baseCommit, now: clock() });
      try {
        return toPullRequest(await attempt());
      } catch (error) {
        if (!(error instanceof CodeHostError && error.code === "pull_request_exists")) throw error;
        // The one in the way may have been merged or given up by a push since it was last looked at.
        const existing = await refreshed(() => rows.findNewest(repository, creation.headBranch));
        if (existing?.state === "open") throw error;
        return toPullRequest(await attempt());
      }
    },

    async updatePullRequest(repository, number, content) {
      const row = await rows.setContent(repository, number, content);
      if (row === undefined) throw new CodeHostError("not_found", `There is no pull request ${number}.`);
      return toPullRequest(row);
    },

    async getRepository(repository) {
      const row = await getRepository(repository);
      if (row === undefined) throw missingRepository();
      const { default_branch: defaultBranch } = row;
      return { url: `${publicUrl}/git/${repository}`, defaultBranch, isArchived: false, mayPush: true };
    },

    async comment(repository, number, { body, marker }) {
      if ((await rows.get(repository, number)) === undefined) {
        throw new CodeHostError("not_found", `There is no pull request ${number}.`);
      }
      await comments.add(repository, number, { author: "Docent", body, marker });
    },

    // It has no accounts: whoever can write there may.
    mayPush: () => Promise.resolve(true),

    async getPullRequestDetails(repository, number) {
      const row = await refreshed(() => rows.get(repository, number));
      if (row === undefined) return undefined;
      const [comparison, merge, tips] = await Promise.all([
        row.head_commit === null || row.base_commit === null
          ? null
          : compare(localPath(repository), row.base_commit, row.head_commit),
        mergeOutlook(row),
        branchTips(repository, row.head_branch, row.base_branch),
      ]);
      return {
        ...toListed(row),
        branchDeleted: tips.head === undefined,
        comparison,
        merge,
      };
    },

    async listPullRequests(repository, page) {
      await refresh(repository);
      return (await rows.list(repository, page)).map(toListed);
    },

    readPatch: (repository, comparison, bytesMax) => readPatch(localPath(repository), comparison, bytesMax),

    async readBlob(repository, oid) {
      const options = { gitDir: localPath(repository), stdoutBytesMax: BLOB_BYTES_MAX };
      return (await runGit(["cat-file", "blob", oid], options)).stdout;
    },

    async mergePullRequest(repository, number, options = {}) {
      const row = await refreshed(() => rows.get(repository, number));
      if (row === undefined) return undefined;
      if (row.state === "merged") return { pullRequest: toPullRequest(row) };
      if (row.state === "closed") return { refused: "It is closed and cannot be merged." };
      const gitDir = localPath(repository);
      const merged = await mergeBranch(gitDir, {
        headBranch: row.head_branch,
        baseBranch: row.base_branch,
        expectedHead: options.expectedHead,
        message: `Merge pull request #${number} from ${row.head_branch}\n\n${row.title}\n`,
        author: MERGE_AUTHOR,
        now: clock(),
      });
      if ("refused" in merged) return merged;
      await pinPullRequests(gitDir, [{ number, head: merged.head, base: merged.base }]);
      await rows.end(repository, number, { state: "merged", head: merged.head, base: merged.base, now: clock() });
      return { pullRequest: { ...toPullRequest(row), state: "merged" } };
    },

    async closePullRequest(repository, number) {
      const row = await refreshed(() => rows.get(repository, number));
      if (row === undefined) return undefined;
      if (row.state === "merged") return { refused: "It is merged and cannot be closed." };
      await rows.end(repository, number, {
        state: "closed",
        head: row.head_commit,
        base: row.base_commit,
        now: clock(),
      });
      return { pullRequest: { ...toPullRequest(row), state: "closed" } };
    },
  };
}

function missingRepository(): CodeHostError {
  return new CodeHostError("not_found", "There is no such repository on the built-in code host.");
}
