import type { TestRepository } from "../../../git/testing/repository.ts";

/** docs.gitlab.com "Members API". */
export const LEVELS = { none: 0, read: 20, write: 30, admin: 40 } as const;

export interface Account {
  id: number;
  username: string;
}

export interface Token {
  account: Account;
  scopes: readonly string[];
  state: "active" | "expired" | "revoked";
}

export interface Note {
  id: number;
  author: Account;
  body: string;
  /** GitLab's own, like "requested review from @ada". */
  system: boolean;
}

export interface StoredMergeRequest {
  iid: number;
  title: string;
  description: string;
  state: "opened" | "closed" | "locked" | "merged";
  source_branch: string;
  target_branch: string;
  source_project_id: number;
  labels: string[];
  reviewers: Account[];
  author: Account;
  notes: Note[];
  /** GitLab finds out in the background whether it can be merged. */
  merge_status: "unchecked" | "checking" | "can_be_merged";
}

export interface Project {
  id: number;
  /** With its groups. */
  path: string;
  repository: TestRepository;
  isArchived: boolean;
  isPublic: boolean;
  levels: Map<Account, number>;
  labels: Set<string>;
  mergeRequests: StoredMergeRequest[];
}

export interface GitLabState {
  accounts: Account[];
  tokens: Map<string, Token>;
  projects: Project[];
  /** Roles in a group hold for all that lies below it. */
  groupLevels: Map<string, Map<Account, number>>;
  /** Before GitLab looked whether the branches of a new merge request exist. */
  isBeforeBranchChecks: boolean;
  /** Pushed, and not in GitLab's cache of branches yet. */
  branchesUnseen: Set<string>;
  addAccount(username: string): Account;
  nextId(): number;
}

export function createState(): GitLabState {
  let lastId = 100;
  const state: GitLabState = {
    accounts: [],
    tokens: new Map(),
    projects: [],
    groupLevels: new Map(),
    isBeforeBranchChecks: false,
    branchesUnseen: new Set(),
    nextId: () => (lastId += 1),
    addAccount(username) {
      const account = { id: state.nextId(), username };
      state.accounts.push(account);
      return account;
    },
  };
  return state;
}

/** The highest role that somebody has in a project or in a group above it. */
export function levelOf(state: GitLabState, project: Project, account: Account): number {
  const groups = [...state.groupLevels].filter(([path]) => project.path.startsWith(`${path}/`));
  return Math.max(0, project.levels.get(account) ?? 0, ...groups.map(([, levels]) => levels.get(account) ?? 0));
}

export function maySee(state: GitLabState, project: Project, account: Account): boolean {
  return project.isPublic || levelOf(state, project, account) > 0;
}

/** docs.gitlab.com "Draft merge requests". */
export function isDraft({ title }: Pick<StoredMergeRequest, "title">): boolean {
  return /^\s*(?:draft:|\[draft\]|\(draft\))/i.test(title);
}
