import { sql, type Kysely, type Selectable } from "kysely";
import type { JobsTable, Schema } from "../database/schema.ts";
import type { Hold } from "./record.ts";

/** Claims without a newly persisted step after which a job has failed. */
export const PICKUPS_MAX = 5;
/** A worker that has not renewed its leases for this long is taken for dead: its jobs go on elsewhere. */
export const LEASE_SECONDS = 10;

/**
 * Takes the next waiting job for a worker, or returns undefined. The job row is the queue entry: a job waits when it is
 * active (or archived with a publication begun) and nobody's lease on it is alive. Projects with fewer running jobs
 * come first, so that one project's burst does not starve another. A deleted project's jobs are not worked on: its own
 * credentials are gone, and the server's would take their place. Every claim raises the generation, which makes the
 * writes of any earlier holder void.
 */
export async function claimJob(
  database: Kysely<Schema>,
  options: { worker: string; perProjectMax: number },
): Promise<Selectable<JobsTable> | undefined> {
  const result = await sql<Selectable<JobsTable>>`
    with running as (
      select project_id, count(*) as jobs from jobs
      where (status = 'active' or publish is not null) and lease_expires_at > now()
      group by project_id
    )
    update jobs set
      generation = generation + 1,
      pickups = pickups + 1,
      worker = ${options.worker},
      lease_expires_at = now() + make_interval(secs => ${LEASE_SECONDS})
    where id = (
      select waiting.id from jobs as waiting
      join projects on projects.id = waiting.project_id
      left join builtin_repositories on projects.code_host = 'builtin' and builtin_repositories.name = projects.repository
      left join running on running.project_id = waiting.project_id
      where (waiting.status = 'active' or (waiting.status = 'archived' and waiting.publish is not null))
        and (waiting.lease_expires_at is null or waiting.lease_expires_at <= now())
        and waiting.run_at <= now()
        and builtin_repositories.state is distinct from 'importing'
        and projects.deleted_at is null
        and coalesce(running.jobs, 0) < ${options.perProjectMax}
      order by coalesce(running.jobs, 0), waiting.run_at
      limit 1
      for update of waiting skip locked
    )
    returning *`.execute(database);
  return result.rows[0];
}

/**
 * Renews the leases of one worker.
 * @returns the jobs that are still its own and still active; a job that is missing was lost or archived, or its project deleted.
 */
export async function renewLeases(
  database: Kysely<Schema>,
  worker: string,
  holds: readonly Hold[],
): Promise<Set<string>> {
  const result = await sql<{ id: string }>`
    update jobs set lease_expires_at = now() + make_interval(secs => ${LEASE_SECONDS})
    from unnest(${holds.map((hold) => hold.jobId)}::text[], ${holds.map((hold) => hold.generation)}::integer[])
      as held (id, generation)
    where jobs.id = held.id and jobs.generation = held.generation and jobs.worker = ${worker}
      and (jobs.status = 'active' or jobs.publish is not null)
      and exists (select from projects where projects.id = jobs.project_id and projects.deleted_at is null)
    returning jobs.id`.execute(database);
  return new Set(result.rows.map((row) => row.id));
}

/**
 * Hands a job back so that any worker takes it at once. `retry` says that something went wrong: the pick-up counts and
 * the job rests for a while; without it nothing is counted. A job that is `parked` waits for its model or its code host:
 * no pick-up counts.
 */
export async function releaseJob(
  database: Kysely<Schema>,
  hold: Hold,
  retry?: { error: string; afterMs: number; parked?: boolean },
): Promise<void> {
  const isParked = retry?.parked === true;
  await sql`
    with released as (
      update jobs set
        lease_expires_at = null,
        worker = null,
        pickups = case when ${retry !== undefined && !isParked} then pickups else greatest(pickups - 1, 0) end,
        waits = waits + ${isParked ? 1 : 0},
        last_error = coalesce(${retry?.error ?? null}, last_error),
        run_at = now() + make_interval(secs => ${(retry?.afterMs ?? 0) / 1000})
      where id = ${hold.jobId} and generation = ${hold.generation}
      returning id
    )
    select pg_notify('jobs_ready', '') from released`.execute(database);
}

/** How often a job was parked since its last step, steps of the present holder included. */
export async function countWaits(database: Kysely<Schema>, { jobId, generation }: Hold): Promise<number> {
  const row = await database
    .selectFrom("jobs")
    .select("waits")
    .where("id", "=", jobId)
    .where("generation", "=", generation)
    .executeTakeFirst();
  return row?.waits ?? 0;
}

/**
 * Frees every job at once. Only for a process that knows that no worker but itself can exist, at its start: jobs of the
 * process before it then go on within moments instead of after a lease.
 */
export async function releaseAllJobs(database: Kysely<Schema>): Promise<void> {
  await database
    .updateTable("jobs")
    .set({ lease_expires_at: null, worker: null })
    .where("lease_expires_at", "is not", null)
    .execute();
}
