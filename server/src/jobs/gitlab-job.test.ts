import { createGitLabHarness } from "../codehost/gitlab/testing/harness.ts";
import { describeConnectedJobs, loseProductAnswers } from "./testing/connected-jobs.ts";

describeConnectedJobs({
  codeHost: "gitlab",
  createHarness: createGitLabHarness,
  lostAnswers: loseProductAnswers(({ method, path }) => method === "POST" && path.endsWith("/merge_requests")),
  pagePath: (number) => `/-/merge_requests/${number}`,
  makeToken: ({ addToken }) => addToken(),
  endToken({ state }, token) {
    const stored = state.tokens.get(token);
    if (stored !== undefined) stored.state = "expired";
  },
  endedReason: /expired/,
  reset: ({ server }) => server.failOn(() => undefined),
});
