import { ModelNameError } from "../agent/models/models.ts";
import { CodeHostError } from "../codehost/codehost.ts";
import { describePushRefusal } from "../codehost/push-refusal.ts";
import { GitError } from "../git/git.ts";

export interface Fault {
  /** For the job's owner: what happened and what to do. No internals, no credentials. */
  message: string;
  /** When to try again; null: trying again cannot help. */
  retryAfterMs: number | null;
}

const RETRY_FIRST_MS = 1_000;
/** GitHub's limits begin anew within the hour; a host that asks for more is asked again then. */
const WAIT_MAX_MS = 65 * 60_000;

/** Says what an error that stopped a job's step means: to its owner, and for trying again after `pickups` attempts. */
export function describeFault(error: unknown, pickups: number): Fault {
  const backoffMs = RETRY_FIRST_MS * 2 ** (pickups - 1);
  if (error instanceof ModelNameError) {
    return {
      message: `This job's model cannot be used: ${error.message}`,
      retryAfterMs: null,
    };
  }
  const refusal = error instanceof GitError ? describePushRefusal(error) : error;
  if (refusal instanceof CodeHostError) {
    const { message, code, retryAfterMs } = refusal;
    const waitMs = Math.min(Math.max(backoffMs, retryAfterMs ?? 0), WAIT_MAX_MS);
    // A token that was minted this moment may not be known everywhere on the code host yet.
    const mayPass =
      code === "unavailable" || (code === "credential_refused" && error instanceof GitError && pickups < 3);
    return { message, retryAfterMs: mayPass ? waitMs : null };
  }
  if (error instanceof GitError) return { message: oneLine(error.message), retryAfterMs: backoffMs };
  const name = error instanceof Error ? error.name : "unknown";
  return {
    message: `An unexpected error (${name}) stopped the job; the server's log has the details.`,
    retryAfterMs: backoffMs,
  };
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim().slice(0, 500);
}
