/** Where git reads and writes a repository for one operation. */
export interface GitRemote {
  /** http(s) URL without user info. */
  url: string;
  /** Value of the HTTP `Authorization` header, minted for this operation. Never logged, never an argument. */
  authorization?: string;
  /** The host's, checked already: git connects to no other. */
  addresses?: readonly string[];
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

export interface PullRequestCreation extends PullRequestContent {
  headBranch: string;
  baseBranch: string;
  /** Not ready to be merged. A host or a plan without drafts opens an ordinary one. */
  draft?: boolean;
  /** Set where the host has labels; one that does not exist yet is made, or left out where Docent may not make it. */
  labels?: readonly string[];
  /** Login names (GitHub teams as `team:slug`). One who cannot be asked is left out: a review must not cost the pull request. */
  reviewers?: readonly string[];
}

/** A repository as its code host describes it to this credential. */
export interface Repository {
  /** As a person opens it, without `.git`. */
  url: string;
  defaultBranch: string;
  /** Read-only on its host. */
  isArchived: boolean;
  /** Whether this credential may push; null when the host does not say. */
  mayPush: boolean | null;
}

export type CodeHostErrorCode =
  | "pull_request_exists"
  | "permission_missing"
  | "credential_refused"
  | "not_found"
  | "branch_protected"
  | "repository_archived"
  | "base_branch_missing"
  | "invalid"
  | "unavailable";

/**
 * A code host refused something for a reason that its owner can act on. The message is one or two sentences: what
 * happened, and what to do. It holds no credential.
 */
export class CodeHostError extends Error {
  readonly code: CodeHostErrorCode;
  /** With `unavailable`: when the host asks to be tried again, in milliseconds from now; null when it does not say. */
  readonly retryAfterMs: number | null;
  constructor(code: CodeHostErrorCode, message: string, options: { retryAfterMs?: number; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "CodeHostError";
    this.code = code;
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}

/**
 * What Docent needs of a code host. `repository` is the host's own name of a repository, as the project stores it
 * (`owner/name`). Every operation may be repeated safely; a process can die between any two of them. Every operation
 * throws CodeHostError for what the host refuses.
 */
export interface CodeHost {
  /** The repository's full URL, as a person opens or clones it. */
  repositoryUrl(repository: string): string;
  /** Mints what git needs for one operation. */
  remote(repository: string, access: "read" | "write"): Promise<GitRemote>;
  getRepository(repository: string): Promise<Repository>;
  getPullRequest(repository: string, number: number): Promise<PullRequest | undefined>;
  /** The newest pull request from this branch of this very repository (not of a fork), in any state. */
  findPullRequest(repository: string, headBranch: string): Promise<PullRequest | undefined>;
  /** @throws CodeHostError `pull_request_exists` when an open one from this branch exists. */
  createPullRequest(repository: string, creation: PullRequestCreation): Promise<PullRequest>;
  updatePullRequest(repository: string, number: number, content: PullRequestContent): Promise<PullRequest>;
  /**
   * Says something below a pull request. `marker` names the comment: when one of Docent's with that marker is there
   * already, nothing is said again. It travels in the body as an HTML comment, which no reader sees.
   */
  comment(repository: string, number: number, comment: { body: string; marker: string }): Promise<void>;
  /** Whether this person may push to the repository: whose word in a comment is an instruction. */
  mayPush(repository: string, login: string): Promise<boolean>;
}
