import { APICallError, NoSuchModelError, RetryError } from "ai";
import { sanitizeText } from "./sanitize.ts";

export interface ModelFailure {
  /** A sentence for `failureReason`: what happened and what to do. Holds no key and no request body. */
  reason: string;
  /** True when the same call may succeed later. */
  isRetryable: boolean;
}

/** Says what went wrong in a model call. An error that is not the model's (an abort, a bug) is undefined: rethrow it. */
export function describeModelFailure(error: unknown): ModelFailure | undefined {
  if (RetryError.isInstance(error)) return describeModelFailure(error.lastError);
  if (APICallError.isInstance(error)) return describeCall(error);
  if (NoSuchModelError.isInstance(error)) {
    return {
      reason: `The model ${error.modelId} does not exist at its provider. Set DOCENT_MODEL.`,
      isRetryable: false,
    };
  }
  if (error instanceof Error && error.name === "TimeoutError") {
    return { reason: "The model did not answer in time.", isRetryable: true };
  }
  if (error instanceof Error && error.name.startsWith("AI_")) {
    return { reason: `The model's answer could not be read: ${shorten(error.message)}`, isRetryable: true };
  }
  return undefined;
}

function describeCall(error: APICallError): ModelFailure {
  const status = error.statusCode;
  if (status === 401 || status === 403) {
    return {
      reason: `The model's provider refused the key (${status}). Check DOCENT_MODEL_API_KEY.`,
      isRetryable: false,
    };
  }
  if (status === 404) {
    return {
      reason: `The model's provider does not know this model or address (404). Check DOCENT_MODEL and DOCENT_MODEL_BASE_URL.`,
      isRetryable: false,
    };
  }
  if (status === 429) {
    return {
      reason: "The model's provider limits how often it answers (429); it did not answer in time.",
      isRetryable: true,
    };
  }
  if (status === undefined) {
    return {
      reason: `The model's provider could not be reached: ${shorten(error.message)} Check DOCENT_MODEL_BASE_URL.`,
      isRetryable: true,
    };
  }
  return {
    reason: `The model's provider answered with an error (${status}): ${shorten(error.message)}`,
    isRetryable: error.isRetryable,
  };
}

function shorten(message: string): string {
  const line = sanitizeText(message).replace(/\s+/g, " ").trim();
  const withoutKeys = line.replace(/\b(?:sk|key|docent)[-_][\w-]{8,}/g, "[key]");
  const cut = withoutKeys.slice(0, 300);
  return /[.!?…]$/.test(cut) ? cut : `${cut}.`;
}
