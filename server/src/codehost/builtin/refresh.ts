import type { Kysely, Selectable } from "kysely";
import type { BuiltinPullRequestsTable, Schema } from "../../database/schema.ts";
import type { PullRequestState } from "../codehost.ts";
import { isAncestor, pinPullRequest, readRefs } from "./refs.ts";

export type PullRequestRow = Selectable<BuiltinPullRequestsTable>;

interface Seen {
  state: PullRequestState;
  head: string | null;
  base: string | null;
}

/**
 * What the branches say about an open pull request. `row.base_commit` is what was last seen while it was open, and so
 * is `row.head_commit`, null until a first look has pinned it: a head that the base did not have then and has now was merged; one that has nothing of its own
 * any more, or is gone, was given up.
 */
async function look(gitDir: string, row: PullRequestRow, refs: ReadonlyMap<string, string>): Promise<Seen> {
  const base = refs.get(`refs/heads/${row.base_branch}`);
  const branch = refs.get(`refs/heads/${row.head_branch}`);
  const head = branch ?? row.head_commit;
  if (branch !== undefined && branch === row.head_commit && base === row.base_commit) {
    return { state: "open", head: branch, base: row.base_commit };
  }
  if (head !== null && base !== undefined && (await isAncestor(gitDir, head, base))) {
    const had = row.base_commit !== null && (await isAncestor(gitDir, head, row.base_commit));
    // Keeps the base from before the merge: after it, there would be no difference left to show.
    return { state: had ? "closed" : "merged", head: had ? (row.head_commit ?? head) : head, base: row.base_commit };
  }
  if (branch === undefined) return { state: "closed", head, base: row.base_commit };
  return { state: "open", head: branch, base: base ?? row.base_commit };
}

/**
 * Brings the repository's open pull requests up to what its branches say, and keeps their commits reachable.
 * One git process when nothing has changed, none when nothing is open. Safe to repeat and to run side by side.
 */
export async function refreshPullRequests(
  database: Kysely<Schema>,
  gitDir: string,
  repository: string,
  now: Date,
): Promise<void> {
  // Rows before refs: a branch is always pushed before its row is written, so it cannot seem to be missing.
  const rows = await database
    .selectFrom("builtin_pull_requests")
    .selectAll()
    .where("repository", "=", repository)
    .where("state", "=", "open")
    .execute();
  if (rows.length === 0) return;
  const branches = new Set(rows.flatMap((row) => [row.head_branch, row.base_branch]));
  const refs = await readRefs(
    gitDir,
    [...branches].map((branch) => `refs/heads/${branch}`),
  );
  for (const row of rows) {
    const { state, head, base } = await look(gitDir, row, refs);
    if (state === "open" && head === row.head_commit && base === row.base_commit) continue;
    if (head !== null && base !== null) await pinPullRequest(gitDir, row.number, head, base);
    await database
      .updateTable("builtin_pull_requests")
      .set({ state, head_commit: head, base_commit: base, ended_at: state === "open" ? null : now })
      .where("repository", "=", repository)
      .where("number", "=", row.number)
      .where("state", "=", "open")
      .execute();
  }
}
