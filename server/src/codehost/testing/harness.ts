import type { CodeHost } from "../codehost.ts";

/** What a product may not have. The suite leaves the tests of it out. */
export type CodeHostFeature =
  | "drafts"
  | "labels"
  | "reviewers"
  /** People with and without the right to push. */
  | "accounts"
  /** Repositories that are read-only. */
  | "archiving"
  /** Pull requests from another repository. */
  | "forks"
  /** Tokens that are refused, or that may do less than others. */
  | "credentials";

/** A product with an adapter connected to it. */
export interface CodeHostHarness {
  /** Connected with a credential that may do everything Docent does. */
  host: CodeHost;
  lacks: readonly CodeHostFeature[];
  /** A repository that nobody has used, its default branch `main` with one commit. */
  addRepository(): Promise<HostedRepository>;
  /** The same product with a token that it does not accept, or one that may read repositories and nothing else. */
  connect(credential: "refused" | "read-only"): Promise<CodeHost>;
  /** Throws when the product was asked something that its published description does not allow. */
  verify(): void;
  close(): Promise<void>;
}

/** A repository of the product, with what people do there. */
export interface HostedRepository {
  /** As the adapter is called with it. */
  name: string;
  /** The bare repository that the product serves over git. */
  gitDir: string;
  /** Merges in git, too. */
  merge(number: number): Promise<void>;
  close(number: number): Promise<void>;
  archive(): Promise<void>;
  /** Makes an account with this access to the repository. Gives its login name. */
  addPerson(access: "none" | "read" | "write" | "admin"): Promise<string>;
  /** Somebody else, with write access, comments. */
  say(number: number, body: string): Promise<void>;
  /** Somebody opens a pull request from a branch of their fork. Gives its number. */
  openFromFork(headBranch: string): Promise<number>;
  /** What a person sees of a pull request, beyond what the adapter answers. */
  look(number: number): Promise<PullRequestLook>;
  /** How many pull requests were ever opened. */
  countPullRequests(): Promise<number>;
}

export interface PullRequestLook {
  isDraft: boolean;
  labels: string[];
  /** Login names. */
  reviewers: string[];
  /** Oldest first. */
  comments: string[];
}
