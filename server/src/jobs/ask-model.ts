import { ModelCallError, type ModelFailure } from "../agent/agent.ts";
import type { ResolvedModel } from "../agent/models/models.ts";
import type { Transcript } from "../agent/transcript.ts";
import type { JobModels } from "./job-models.ts";

const WAIT_FIRST_MS = 5_000;
const WAIT_MAX_MS = 5 * 60_000;

/** The job has to wait for its model for longer than a worker is held: it is put aside until then. */
export class ParkedError extends Error {
  readonly afterMs: number;

  constructor(reason: string, afterMs: number) {
    super(reason);
    this.name = "ParkedError";
    this.afterMs = afterMs;
  }
}

export interface AskOptions {
  models: JobModels;
  transcript: Transcript;
  /** How often the job was put aside since its last step. */
  waits: number;
  /** How long the turn may still take. */
  remainingMs: number;
}

/**
 * Asks the job's model, and the one that stands in for it when the first refuses. Whoever answered last in this turn is
 * asked first, so that a turn does not go to and fro.
 * @returns what `ask` does, that the conversation is too long, or why the turn cannot go on.
 * @throws ParkedError when it may go on later
 */
export async function askModel<Result>(
  { models, transcript, waits, remainingMs }: AskOptions,
  ask: (model: ResolvedModel) => Promise<Result>,
): Promise<{ result: Result } | { tooLong: string } | { failed: string }> {
  const failures: ModelFailure[] = [];
  for (const model of inTurn(models, transcript)) {
    try {
      return { result: await ask(model) };
    } catch (error) {
      if (!(error instanceof ModelCallError)) throw error;
      if (error.failure.kind === "context") return { tooLong: error.failure.reason };
      failures.push(error.failure);
    }
  }
  const reason = failures.map((failure) => failure.reason).join(" ");
  const passing = failures.filter((failure) => failure.isRetryable);
  if (passing.length === 0) return { failed: reason };
  const asked = Math.min(...passing.map(({ retryAfterMs }) => retryAfterMs ?? 0));
  const afterMs = Math.max(asked, Math.min(WAIT_FIRST_MS * 2 ** Math.min(waits, 10), WAIT_MAX_MS));
  if (afterMs <= remainingMs) throw new ParkedError(reason, afterMs);
  return {
    failed: `${reason} The job would have to wait ${Math.ceil(afterMs / 1000)} seconds, and its time is over before (DOCENT_JOB_MINUTES_MAX).`,
  };
}

function inTurn(models: JobModels, transcript: Transcript): readonly ResolvedModel[] {
  const last = transcript.findLast(({ type }) => type === "answer" || type === "prompt");
  const name = last?.type === "answer" ? last.model : undefined;
  const latest = models.find((model) => model.name === name);
  return latest === undefined ? models : [latest, ...models.filter((model) => model !== latest)];
}
