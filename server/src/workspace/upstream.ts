/** Where a mirror's commits come from and go to: the repository on this machine, or one behind a URL. */
export interface Upstream {
  /** The commit that the branch, or HEAD (null), has now, present in the mirror; undefined when there is no such branch. */
  fetchBranch(branch: string | null): Promise<string | undefined>;
  /** Brings a commit into the mirror that it does not hold. False when the upstream does not have it. */
  fetchCommit(commit: string): Promise<boolean>;
  /** Whether any of `descendants` is `ancestor` or comes after it, where the mirror's own history does not tell. */
  isAncestorOfAny(ancestor: string, descendants: readonly string[]): Promise<boolean>;
  /**
   * Moves the branch from `expected` (null: it must not exist) to `commit`.
   * @throws GitError when it did not move and still is where it was expected: nobody else moved it, something failed.
   */
  push(push: BranchPush): Promise<"pushed" | "rejected">;
  /** Throws the mirror's content away and fetches again what this process used of it. Absent: nothing can be rebuilt. */
  rebuild?(): Promise<void>;
}

export interface BranchPush {
  branch: string;
  commit: string;
  expected: string | null;
}
