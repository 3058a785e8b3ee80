import type { Selectable } from "kysely";
import type { JobsTable } from "../database/schema.ts";
import type { Job } from "./job.ts";

/** `prLink` stays null while a job is active, as its clients are promised; `pullRequest` already tells of an earlier one. */
export function toJob(row: Selectable<JobsTable>): Job {
  return {
    id: row.id,
    title: row.title,
    author: row.author,
    status: row.status,
    source: { repository: row.repository_url, ref: row.ref },
    model: row.model,
    prLink: row.status === "active" ? null : row.pull_request_url,
    createdAt: row.created_at.toISOString(),
    archivedAt: row.archived_at?.toISOString() ?? null,
    branch: row.branch,
    pullRequest:
      row.pull_request_number === null || row.pull_request_url === null || row.pull_request_state === null
        ? null
        : { url: row.pull_request_url, number: row.pull_request_number, state: row.pull_request_state },
    failureReason: row.failure_reason,
    waiting:
      row.status === "active" && row.worker === null && row.last_error !== null
        ? { reason: row.last_error, until: row.run_at.toISOString() }
        : null,
    usage: {
      steps: row.steps,
      inputTokens: row.input_tokens,
      cachedInputTokens: row.cached_input_tokens,
      outputTokens: row.output_tokens,
      costUsd: row.cost_nano_usd === null ? null : row.cost_nano_usd / 1e9,
    },
  };
}
