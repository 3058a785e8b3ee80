import type { Kysely } from "kysely";
import type { Schema } from "../database/schema.ts";
import type { Mirror } from "../workspace/mirror.ts";
import { rebaseChanges } from "../workspace/rebase.ts";
import type { FileChange } from "../workspace/tree.ts";
import { readBaseFiles, replaceBaseFiles } from "./changes/base-files.ts";
import { appendEvents, updateHeldJob, type Hold, type NewEvent } from "./record.ts";
import type { Turn } from "./turn-start.ts";

/**
 * Carries a turn's changes over to where its branch is now, because somebody pushed to it meanwhile. The new base and
 * the files on top of it are persisted in one transaction.
 * @returns the turn on its new base, and the note for the model when both sides changed the same lines.
 */
export async function carryOver(
  database: Kysely<Schema>,
  hold: Hold,
  turn: Turn,
  mirror: Mirror,
  head: string,
  changes: readonly FileChange[],
): Promise<{ turn: Turn; files: FileChange[]; note: string | null }> {
  const rebased = await rebaseChanges({ mirror, from: turn.baseCommit, to: head, changes: [...changes] });
  const entries = new Map((await mirror.entries(head)).map((entry) => [entry.path, entry]));
  // What is stored for a path counts last; a path in conflict goes back to what the branch has.
  const reset = await Promise.all(
    rebased.conflicts.map(async (path): Promise<FileChange> => {
      const entry = entries.get(path);
      const content = entry === undefined ? null : ((await mirror.read(entry.oid)) ?? null);
      return { path, mode: entry?.mode ?? "100644", content };
    }),
  );
  const files = [...rebased.changes, ...reset];
  const note =
    rebased.conflicts.length === 0
      ? null
      : `Somebody pushed to this branch meanwhile and changed the same lines of: ${rebased.conflicts.join(", ")}. Your changes to these files are gone; read them again, make the changes that are still needed, and finish again.`;
  // From here on the job's own changes are those on top of what the others have done.
  const paths = changes.map((change) => change.path);
  const baseFiles = await readBaseFiles(mirror, head, paths);
  const events: NewEvent[] = [{ type: "publish", data: { state: "moved", head, conflicts: rebased.conflicts } }];
  if (note !== null) events.push({ type: "note", data: { text: note } });
  await database.transaction().execute(async (transaction) => {
    await updateHeldJob(transaction, hold, { turn_base_commit: head, publish: null, pickups: 0, waits: 0 });
    await replaceBaseFiles(transaction, hold, turn.number, baseFiles);
    const position = await appendEvents(transaction, hold.jobId, events);
    if (files.length === 0) return;
    await transaction
      .insertInto("job_files")
      .values(
        files.map(({ path, mode, content }) => ({
          job_id: hold.jobId,
          turn: turn.number,
          position,
          path,
          mode,
          content: content === null ? null : Buffer.from(content),
        })),
      )
      .execute();
  });
  return { turn: { ...turn, baseCommit: head }, files, note };
}
