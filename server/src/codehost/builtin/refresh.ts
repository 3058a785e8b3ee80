import type { Kysely } from "kysely";
import type { Schema } from "../../database/schema.ts";
import type { PullRequestState } from "../codehost.ts";
import { announceEnd, type PullRequestRow } from "./pull-requests.ts";
import { isAncestor, pinPullRequests, pullRequestRefs, readRefs } from "./refs.ts";

interface Seen {
  state: PullRequestState;
  head: string | null;
  base: string | null;
}

interface Look {
  gitDir: string;
  /** Commits of the branches, by full ref name. */
  refs: ReadonlyMap<string, string>;
  /** The refs of branches and pull requests whose commits a base commit has. Asked once per base. */
  contained: (base: string) => Promise<ReadonlyMap<string, string>>;
}

/**
 * What the branches say about an open pull request. `row.base_commit` is what was last seen while it was open, and so
 * is `row.head_commit`, null until a first look has pinned it: a head that the base did not have then and has now was
 * merged; one that has nothing of its own any more, or is gone, was given up.
 */
async function look({ gitDir, refs, contained }: Look, row: PullRequestRow): Promise<Seen> {
  const base = refs.get(`refs/heads/${row.base_branch}`);
  const branch = refs.get(`refs/heads/${row.head_branch}`);
  const head = branch ?? row.head_commit;
  if (branch !== undefined && branch === row.head_commit && base === row.base_commit) {
    return { state: "open", head: branch, base: row.base_commit };
  }
  const headRef = branch === undefined ? pullRequestRefs(row.number).head : `refs/heads/${row.head_branch}`;
  if (head !== null && base !== undefined && (await contained(base)).get(headRef) === head) {
    const had = row.base_commit !== null && (await isAncestor(gitDir, head, row.base_commit));
    // Keeps the base from before the merge: after it, there would be no difference left to show.
    return { state: had ? "closed" : "merged", head: had ? (row.head_commit ?? head) : head, base: row.base_commit };
  }
  if (branch === undefined) return { state: "closed", head, base: row.base_commit };
  return { state: "open", head: branch, base: base ?? row.base_commit };
}

/**
 * Brings the repository's open pull requests, or only one, up to what its branches say, and keeps their commits
 * reachable. One git process when nothing has changed, none when nothing is open. Safe to repeat and to run side by
 * side.
 */
export async function refreshPullRequests(
  database: Kysely<Schema>,
  gitDir: string,
  repository: string,
  { now, number }: { now: Date; number?: number },
): Promise<void> {
  // Rows before refs: a branch is always pushed before its row is written, so it cannot seem to be missing.
  const rows = await database
    .selectFrom("builtin_pull_requests")
    .selectAll()
    .where("repository", "=", repository)
    .where("state", "=", "open")
    .$if(number !== undefined, (query) => query.where("number", "=", number ?? 0))
    .execute();
  if (rows.length === 0) return;
  const branches = new Set(rows.flatMap((row) => [row.head_branch, row.base_branch]));
  const refs = await readRefs(
    gitDir,
    [...branches].map((branch) => `refs/heads/${branch}`),
  );
  const byBase = new Map<string, Promise<Map<string, string>>>();
  const contained = (base: string) => {
    const asked = byBase.get(base) ?? readRefs(gitDir, [`--merged=${base}`, "refs/heads/", "refs/pull/"]);
    byBase.set(base, asked);
    return asked;
  };
  const changed: { row: PullRequestRow; seen: Seen }[] = [];
  for (const row of rows) {
    const seen = await look({ gitDir, refs, contained }, row);
    const same = seen.state === "open" && seen.head === row.head_commit && seen.base === row.base_commit;
    if (!same) changed.push({ row, seen });
  }
  await pinPullRequests(
    gitDir,
    changed.flatMap(({ row, seen: { head, base } }) =>
      head === null || base === null ? [] : [{ number: row.number, head, base }],
    ),
  );
  for (const { row, seen } of changed) {
    await database
      .updateTable("builtin_pull_requests")
      .set({
        state: seen.state,
        head_commit: seen.head,
        base_commit: seen.base,
        ended_at: seen.state === "open" ? null : now,
      })
      .where("repository", "=", repository)
      .where("number", "=", row.number)
      .where("state", "=", "open")
      .execute();
  }
  if (changed.some(({ seen }) => seen.state !== "open")) await announceEnd(database, repository);
}
