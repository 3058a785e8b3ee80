import type { Notifications } from "../database/notifications.ts";
import type { SentDelta } from "./deltas.ts";

/** What other connections committed, as the jobs' parts hear of it. */
export interface JobSignals {
  /** Jobs may have become ready to be claimed. */
  onJobsReady(listener: () => void): () => void;
  /** A job has new events; null: any job may, because notifications were missed. */
  onJobEvent(listener: (jobId: string | null) => void): () => void;
  /** A model writes an answer. */
  onJobDelta(listener: (delta: SentDelta) => void): () => void;
  /** A job was archived: work on it stops. A missed one is noticed by the next heartbeat. */
  onJobArchived(listener: (jobId: string) => void): () => void;
  /** A pull request of the built-in code host was merged or closed. */
  onPullRequestEnded(listener: () => void): () => void;
}

/** The channels that this folder's statements and the built-in code host's rows notify. */
export function createJobSignals(notifications: Notifications): JobSignals {
  return {
    onJobsReady: (listener) => notifications.listen("jobs_ready", () => listener()),
    onJobEvent: (listener) =>
      notifications.listen("job_events", (event) => listener(event.type === "notification" ? event.payload : null)),
    onJobDelta: (listener) =>
      notifications.listen("job_deltas", (event) => {
        if (event.type === "notification") listener(JSON.parse(event.payload));
      }),
    onPullRequestEnded: (listener) => notifications.listen("pull_request_ended", () => listener()),
    onJobArchived: (listener) =>
      notifications.listen("job_archived", (event) => {
        if (event.type === "notification") listener(event.payload);
      }),
  };
}
