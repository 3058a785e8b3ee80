import { APICallError } from "ai";
import { describe, expect, test } from "vitest";
import { ModelNameError } from "../agent/models/models.ts";
import { CodeHostError } from "../codehost/codehost.ts";
import { GitError } from "../git/git.ts";
import { describeFault } from "./faults.ts";

const callError = (statusCode: number, responseHeaders?: Record<string, string>) =>
  new APICallError({
    message: "no",
    url: "http://model.example/v1",
    requestBodyValues: { secret: "the whole prompt" },
    statusCode,
    ...(responseHeaders === undefined ? {} : { responseHeaders }),
    isRetryable: statusCode === 429 || statusCode >= 500,
  });

describe("what stopped a step", () => {
  test("waits longer after each pick-up, and as long as the provider says", () => {
    expect(describeFault(callError(503), 1).retryAfterMs).toBe(1_000);
    expect(describeFault(callError(503), 4).retryAfterMs).toBe(8_000);
    expect(describeFault(callError(429, { "retry-after": "30" }), 1).retryAfterMs).toBe(30_000);
    expect(describeFault(callError(429, { "retry-after": "99999999" }), 1).retryAfterMs).toBe(600_000);
  });

  test("is not tried again where that cannot help", () => {
    expect(describeFault(callError(401), 1).retryAfterMs).toBeNull();
    expect(describeFault(new CodeHostError("permission_missing", "The token may not push."), 1)).toEqual({
      message: "The token may not push.",
      retryAfterMs: null,
    });
  });

  test("says that a job's model is not configured any more", () => {
    const gone = new ModelNameError("DOCENT_MODEL=openai-compatible:gone needs DOCENT_MODEL_BASE_URL.");
    expect(describeFault(gone, 1)).toEqual({
      message: `This job's model is not there any more: ${gone.message} Send the instruction in a new job.`,
      retryAfterMs: null,
    });
  });

  test("names what happened, and no internals of an unexpected error", () => {
    expect(describeFault(new GitError("fetch", 128, "fatal: could not\n read"), 1).message).toBe(
      "git fetch failed with exit code 128: fatal: could not read",
    );
    const unexpected = describeFault(new TypeError("cannot read /secret/path"), 1);
    expect(unexpected.message).toContain("TypeError");
    expect(unexpected.message).not.toContain("/secret/path");
    expect(describeFault(callError(500), 1).message).not.toContain("the whole prompt");
  });
});
