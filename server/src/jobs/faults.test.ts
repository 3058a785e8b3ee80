import { describe, expect, test } from "vitest";
import { ModelNameError } from "../agent/models/models.ts";
import { CodeHostError } from "../codehost/codehost.ts";
import { GitError } from "../git/git.ts";
import { describeFault } from "./faults.ts";

describe("what stopped a step", () => {
  test("waits longer after each pick-up", () => {
    const unavailable = new CodeHostError("unavailable", "The code host does not answer.");
    expect(describeFault(unavailable, 1).retryAfterMs).toBe(1_000);
    expect(describeFault(unavailable, 4).retryAfterMs).toBe(8_000);
  });

  test("is not tried again where that cannot help", () => {
    expect(describeFault(new CodeHostError("permission_missing", "The token may not push."), 1)).toEqual({
      message: "The token may not push.",
      retryAfterMs: null,
    });
  });

  test("says that a job's model cannot be used", () => {
    const gone = new ModelNameError("DOCENT_MODEL=openai-compatible:gone needs DOCENT_MODEL_BASE_URL.");
    expect(describeFault(gone, 1)).toEqual({
      message: `This job's model cannot be used: ${gone.message}`,
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
  });
});
