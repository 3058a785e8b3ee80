import { describe, expect, test } from "vitest";
import { ModelNameError } from "../agent/models/models.ts";
import { CodeHostError } from "../codehost/codehost.ts";
import { GitError } from "../git/git.ts";
import { describeFault, OUTAGE_WAITS_MAX } from "./faults.ts";

const FIRST = { pickups: 1, waits: 0 };

describe("what stopped a step", () => {
  test("waits longer after each pick-up", () => {
    const lock = new GitError("fetch", 128, "fatal: Unable to create '/m/a.git/shallow.lock': File exists.");
    expect(describeFault(lock, FIRST)).toMatchObject({ retryAfterMs: 1_000, isOutage: false });
    expect(describeFault(lock, { pickups: 4, waits: 0 }).retryAfterMs).toBe(8_000);
  });

  const outages: [string, Error][] = [
    ["an API without an answer", new CodeHostError("unavailable", "The code host does not answer.")],
    ["a git server's error", new GitError("push", 128, "fatal: The requested URL returned error: 502\n")],
    ["a name that does not resolve", new GitError("fetch", 128, "fatal: Could not resolve host: a.example\n")],
    ["a refused connection", new GitError("fetch", 128, "fatal: Failed to connect to 127.0.0.1 port 9\n")],
    ["a cut connection", new GitError("push", 1, "fatal: the remote end hung up unexpectedly\n")],
  ];
  test.each(outages)("waits about an hour for a code host, using up no pick-up: %s", (_what, error) => {
    let waitedMs = 0;
    for (let waits = 0; waits < OUTAGE_WAITS_MAX; waits += 1) {
      const { retryAfterMs, isOutage } = describeFault(error, { pickups: 1, waits });
      expect(isOutage).toBe(true);
      waitedMs += retryAfterMs ?? Number.NaN;
    }
    expect(waitedMs / 60_000).toBeGreaterThan(60);
    const last = describeFault(error, { pickups: 1, waits: OUTAGE_WAITS_MAX });
    expect(last).toMatchObject({ retryAfterMs: null, message: expect.stringContaining("when it is back") });
  });

  test("is not tried again where that cannot help", () => {
    expect(describeFault(new CodeHostError("permission_missing", "The token may not push."), FIRST)).toEqual({
      message: "The token may not push.",
      retryAfterMs: null,
      isOutage: false,
    });
  });

  test("says that a job's model cannot be used", () => {
    const gone = new ModelNameError("DOCENT_MODEL=openai-compatible:gone needs DOCENT_MODEL_BASE_URL.");
    expect(describeFault(gone, FIRST)).toEqual({
      message: `This job's model cannot be used: ${gone.message}`,
      retryAfterMs: null,
      isOutage: false,
    });
  });

  test("names what happened, and no internals of an unexpected error", () => {
    expect(describeFault(new GitError("fetch", 128, "fatal: could not\n read"), FIRST).message).toBe(
      "git fetch failed with exit code 128: fatal: could not read",
    );
    const unexpected = describeFault(new TypeError("cannot read /secret/path"), FIRST);
    expect(unexpected.message).toContain("TypeError");
    expect(unexpected.message).not.toContain("/secret/path");
  });
});
