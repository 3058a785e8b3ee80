import { ModelNameError } from "../agent/models/models.ts";
import { CodeHostError } from "../codehost/codehost.ts";
import { describePushRefusal } from "../codehost/push-refusal.ts";
import { GitError } from "../git/git.ts";

export interface Fault {
  /** For the job's owner: what happened and what to do. No internals, no credentials. */
  message: string;
  /** When to try again; null: trying again cannot help. */
  retryAfterMs: number | null;
  /** The code host is away: waiting for it is not the job's doing and uses up no pick-up. */
  isOutage: boolean;
}

/** How often a job was tried in vain. */
export interface Tries {
  /** Claims without a step further, this one included. */
  pickups: number;
  /** How often it was put aside since its last step. */
  waits: number;
}

const RETRY_FIRST_MS = 1_000;
/** GitHub's limits begin anew within the hour; a host that asks for more is asked again then. */
const WAIT_MAX_MS = 65 * 60_000;
/** Without a wait that the host asks for, twenty of these are a little more than an hour. */
const OUTAGE_WAIT_MAX_MS = 5 * 60_000;
export const OUTAGE_WAITS_MAX = 20;
/** git's and curl's words for a server that cannot be reached, breaks off or has an error of its own. */
const GIT_OUTAGE =
  /returned error: 5\d\d|could not resolve (host|proxy)|failed to connect|couldn't connect|connection (timed out|refused|was reset|reset by)|operation timed out|empty reply from server|hung up unexpectedly|early EOF|RPC failed|SSL_ERROR_SYSCALL|recv (error|failure)|send failure/i;

/** Says what an error that stopped a job's step means: to its owner, and for trying again. */
export function describeFault(error: unknown, { pickups, waits }: Tries): Fault {
  const backoffMs = RETRY_FIRST_MS * 2 ** (pickups - 1);
  if (error instanceof ModelNameError) {
    return { message: `This job's model cannot be used: ${error.message}`, retryAfterMs: null, isOutage: false };
  }
  const refusal = error instanceof GitError ? describePushRefusal(error) : error;
  if (refusal instanceof CodeHostError) {
    const { message, code, retryAfterMs } = refusal;
    if (code === "unavailable") return describeOutage(message, waits, retryAfterMs ?? 0);
    // The project may have another credential by now than when the job was picked up; and one that was minted this
    // moment may not be known everywhere on the code host yet.
    const mayPass = code === "credential_refused" && pickups < (error instanceof GitError ? 3 : 2);
    return { message, retryAfterMs: mayPass ? backoffMs : null, isOutage: false };
  }
  if (error instanceof GitError) {
    const message = oneLine(error.message);
    if (GIT_OUTAGE.test(error.stderr)) return describeOutage(message, waits, 0);
    return { message, retryAfterMs: backoffMs, isOutage: false };
  }
  const name = error instanceof Error ? error.name : "unknown";
  return {
    message: `An unexpected error (${name}) stopped the job; the server's log has the details.`,
    retryAfterMs: backoffMs,
    isOutage: false,
  };
}

function describeOutage(message: string, waits: number, askedMs: number): Fault {
  if (waits >= OUTAGE_WAITS_MAX) {
    const advice = `The job waited for its code host ${waits} times; send the instruction again when it is back.`;
    return { message: `${message} ${advice}`, retryAfterMs: null, isOutage: true };
  }
  const waitMs = Math.min(RETRY_FIRST_MS * 2 ** waits, OUTAGE_WAIT_MAX_MS);
  return { message, retryAfterMs: Math.min(Math.max(waitMs, askedMs), WAIT_MAX_MS), isOutage: true };
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim().slice(0, 500);
}
