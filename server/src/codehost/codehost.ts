/** Where git reads and writes a repository for one operation. */
export interface GitRemote {
  /** http(s) URL without user info. */
  url: string;
  /** Value of the HTTP `Authorization` header, minted for this operation. Never logged, never an argument. */
  authorization?: string;
  /** The bare repository itself when it lies on this machine: objects and refs are then used in place. */
  directory?: string;
}

export type PullRequestState = "open" | "merged" | "closed";

export interface PullRequest {
  number: number;
  /** The page where a person reads it. */
  url: string;
  state: PullRequestState;
  headBranch: string;
  baseBranch: string;
  title: string;
  body: string;
}

export interface PullRequestContent {
  title: string;
  /** Markdown. */
  body: string;
}

/** A code host refused something for a reason that its owner can act on. The message says what to do. */
export class CodeHostError extends Error {
  readonly code:
    | "pull_request_exists"
    | "permission_missing"
    | "not_found"
    | "branch_protected"
    | "repository_archived"
    | "unavailable";
  constructor(code: CodeHostError["code"], message: string) {
    super(message);
    this.name = "CodeHostError";
    this.code = code;
  }
}

/**
 * What Docent needs of a code host. `repository` is the host's own name of a repository, as the project stores it.
 * Every operation may be repeated safely; a process can die between any two of them.
 */
export interface CodeHost {
  /** The repository's full URL, as a person opens or clones it. */
  repositoryUrl(repository: string): string;
  remote(repository: string, access: "read" | "write"): Promise<GitRemote>;
  getPullRequest(repository: string, number: number): Promise<PullRequest | undefined>;
  /** The newest pull request from this branch, in any state. */
  findPullRequest(repository: string, headBranch: string): Promise<PullRequest | undefined>;
  /** @throws CodeHostError `pull_request_exists` when an open one from this branch exists. */
  createPullRequest(
    repository: string,
    pullRequest: PullRequestContent & { headBranch: string; baseBranch: string },
  ): Promise<PullRequest>;
  updatePullRequest(repository: string, number: number, content: PullRequestContent): Promise<PullRequest>;
}
