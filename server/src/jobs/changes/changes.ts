import type { Kysely, Selectable } from "kysely";
import type { JobsTable, Schema } from "../../database/schema.ts";
import { diffTrees, readPatch, type ComparedFile } from "../../git/diff-tree.ts";
import { createRecent } from "../../workspace/recent.ts";
import { textOf, type FileContents } from "./file-contents.ts";
import { withScratchTrees } from "./scratch-repository.ts";
import { findStoredChanges, readSides, type StoredChanges } from "./stored-changes.ts";

/** A diff past this is cut off. */
const DIFF_BYTES_MAX = 16 * 1024 * 1024;
/** States of jobs that are kept, for those who watch jobs at work. 5,000 files take about 2 MB. */
const STATES_MAX = 16;

export type ChangedFile = Pick<ComparedFile, "path" | "oldPath" | "status" | "additions" | "deletions">;

/** What a job changed since its branch began. */
export interface Changes {
  /** In git's order. */
  files: ChangedFile[];
  /** Whether these are all of them: not of a job that began before changes were kept, and not beyond 10,000 files. */
  complete: boolean;
  /** The job ended before it could publish them. */
  discarded: boolean;
}

/**
 * What jobs have changed, on any code host, also while they work and where their repository is not. Undefined: there is no
 * such job in the project.
 */
export interface JobChanges {
  changes(projectId: string, jobId: string): Promise<Changes | undefined>;
  /** A unified diff as git writes it, cut off after 16 MiB. */
  changesDiff(projectId: string, jobId: string): Promise<Buffer | undefined>;
  /** A moved file is named by its new path. Undefined also when the job did not change it. */
  changedFile(projectId: string, jobId: string, path: string): Promise<FileContents | undefined>;
}

interface JobChangesDependencies {
  database: Kysely<Schema>;
  jobRow(projectId: string, jobId: string): Promise<Selectable<JobsTable> | undefined>;
}

/** What is known of a job's changes in one state. */
interface Found {
  stored: StoredChanges;
  files: ChangedFile[];
}

export function createJobChanges({ database, jobRow }: JobChangesDependencies): JobChanges {
  const recent = createRecent(STATES_MAX, async (key: string): Promise<Found> => {
    const [jobId] = JSON.parse(key) as [string];
    const job = await database.selectFrom("jobs").selectAll().where("id", "=", jobId).executeTakeFirstOrThrow();
    const stored = await findStoredChanges(database, job);
    if (stored.files.length === 0) return { stored, files: [] };
    const compared = await withScratchTrees(readSides(database, jobId, stored.files), ({ gitDir, from, to }) =>
      diffTrees(gitDir, from, to),
    );
    const files = compared.map(({ path, oldPath, status, additions, deletions }) => ({
      path,
      oldPath,
      status,
      additions,
      deletions,
    }));
    return { stored, files };
  });

  async function find(job: Selectable<JobsTable>): Promise<Found> {
    const last = await database
      .selectFrom("job_files")
      .select(["turn", "position"])
      .where("job_id", "=", job.id)
      .orderBy("turn", "desc")
      .orderBy("position", "desc")
      .limit(1)
      .executeTakeFirst();
    const { turn_base_commit: commit, branch_turn: branchTurn, discarded_turns: discarded } = job;
    return recent.get(JSON.stringify([job.id, job.turn, last, commit, branchTurn, discarded]));
  }

  return {
    async changes(projectId, jobId) {
      const job = await jobRow(projectId, jobId);
      if (job === undefined) return undefined;
      const { stored, files } = await find(job);
      const hasEnded = job.status === "failed" || job.status === "archived";
      const discarded = hasEnded && files.length > 0 && job.branch !== job.turn_branch;
      return { files, complete: stored.complete, discarded };
    },

    async changesDiff(projectId, jobId) {
      const job = await jobRow(projectId, jobId);
      if (job === undefined) return undefined;
      const { files } = await findStoredChanges(database, job);
      if (files.length === 0) return Buffer.alloc(0);
      const { patch } = await withScratchTrees(readSides(database, jobId, files), ({ gitDir, ...trees }) =>
        readPatch(gitDir, trees, DIFF_BYTES_MAX),
      );
      return patch;
    },

    async changedFile(projectId, jobId, path) {
      const job = await jobRow(projectId, jobId);
      if (job === undefined) return undefined;
      const { stored, files } = await find(job);
      const file = files.find((each) => each.path === path);
      if (file === undefined) return undefined;
      const oldPath = file.oldPath ?? path;
      const wanted = stored.files.filter((each) => each.path === path || each.path === oldPath);
      const contents: FileContents = { path, oldContent: null, newContent: null };
      for await (const { path: at, before, after } of readSides(database, jobId, wanted)) {
        if (at === oldPath) contents.oldContent = textOf(before?.content);
        if (at === path) contents.newContent = textOf(after?.content);
      }
      return contents;
    },
  };
}
