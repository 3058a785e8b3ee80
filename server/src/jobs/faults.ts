import { APICallError, RetryError } from "ai";
import { describeModelFailure } from "../agent/agent.ts";
import { ModelNameError } from "../agent/models/models.ts";
import { CodeHostError } from "../codehost/codehost.ts";
import { GitError } from "../git/git.ts";

export interface Fault {
  /** For the job's owner: what happened and what to do. No internals, no credentials. */
  message: string;
  /** When to try again; null: trying again cannot help. */
  retryAfterMs: number | null;
}

const RETRY_FIRST_MS = 1_000;
/** A provider may ask for more, even for years; a job that waits is still to end on some day. */
const RETRY_AFTER_MAX_MS = 10 * 60_000;

/** Says what an error that stopped a job's step means: to its owner, and for trying again after `pickups` attempts. */
export function describeFault(error: unknown, pickups: number): Fault {
  const backoffMs = RETRY_FIRST_MS * 2 ** (pickups - 1);
  const cause = RetryError.isInstance(error) ? error.lastError : error;
  const failure = describeModelFailure(error);
  if (failure !== undefined) {
    const headers = APICallError.isInstance(cause) ? cause.responseHeaders : undefined;
    return {
      message: failure.reason,
      retryAfterMs: failure.isRetryable ? Math.max(backoffMs, retryAfterHeaderMs(headers)) : null,
    };
  }
  if (cause instanceof ModelNameError) {
    return {
      message: `This job's model is not there any more: ${cause.message} Send the instruction in a new job.`,
      retryAfterMs: null,
    };
  }
  if (cause instanceof CodeHostError) {
    return { message: cause.message, retryAfterMs: cause.code === "unavailable" ? backoffMs : null };
  }
  if (cause instanceof GitError) return { message: oneLine(cause.message), retryAfterMs: backoffMs };
  const name = cause instanceof Error ? cause.name : "unknown";
  return {
    message: `An unexpected error (${name}) stopped the job; the server's log has the details.`,
    retryAfterMs: backoffMs,
  };
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim().slice(0, 500);
}

function retryAfterHeaderMs(headers: Record<string, string> | undefined): number {
  const seconds = Number(headers?.["retry-after"]);
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds * 1000, RETRY_AFTER_MAX_MS) : 0;
}
