import type { TestRepository } from "../../../git/testing/repository.ts";

export type Permission = "none" | "read" | "write" | "admin" | "owner";

export interface Account {
  id: number;
  login: string;
}

export interface Token {
  account: Account;
  /** docs.gitea.com "API usage": `read:` or `write:` and a category; writing includes reading. */
  scopes: readonly string[];
}

export interface Label {
  id: number;
  name: string;
  color: string;
}

export interface StoredPullRequest {
  number: number;
  title: string;
  body: string;
  state: "open" | "closed";
  merged: boolean;
  head: string;
  base: string;
  /** The repository of the head: this one's id, or a fork's. */
  headRepository: number;
  labels: Label[];
  reviewers: Account[];
  author: Account;
  comments: { id: number; author: Account; body: string }[];
}

export interface StoredRepository {
  id: number;
  /** `owner/name`. */
  name: string;
  repository: TestRepository;
  isArchived: boolean;
  permissions: Map<Account, Permission>;
  labels: Label[];
  pullRequests: StoredPullRequest[];
}

export interface GiteaState {
  accounts: Account[];
  tokens: Map<string, Token>;
  repositories: StoredRepository[];
  /** Of an organization, by its name. */
  organizationLabels: Map<string, Label[]>;
  addAccount(login: string): Account;
  nextId(): number;
}

export function createState(): GiteaState {
  let lastId = 10;
  const state: GiteaState = {
    accounts: [],
    tokens: new Map(),
    repositories: [],
    organizationLabels: new Map(),
    nextId: () => (lastId += 1),
    addAccount(login) {
      const account = { id: state.nextId(), login };
      state.accounts.push(account);
      return account;
    },
  };
  return state;
}

export function permissionOf({ permissions }: StoredRepository, account: Account): Permission {
  return permissions.get(account) ?? "none";
}

export function mayWrite(repository: StoredRepository, account: Account): boolean {
  return ["write", "admin", "owner"].includes(permissionOf(repository, account));
}

/** docs.gitea.com "Configuration cheat sheet": WORK_IN_PROGRESS_PREFIXES is `WIP:,[WIP]`. */
export function isDraft({ title }: Pick<StoredPullRequest, "title">): boolean {
  return /^(?:wip:|\[wip\])/i.test(title);
}
