import { createGitLabHarness } from "../codehost/gitlab/testing/harness.ts";
import { describeConnectedJobs } from "./testing/connected-jobs.ts";

describeConnectedJobs({
  codeHost: "gitlab",
  createHarness: createGitLabHarness,
  isCreation: ({ method, path }) => method === "POST" && path.endsWith("/merge_requests"),
  pagePath: (number) => `/-/merge_requests/${number}`,
  makeToken: ({ addToken }) => addToken(),
  endToken({ state }, token) {
    const stored = state.tokens.get(token);
    if (stored !== undefined) stored.state = "expired";
  },
  // GitLab says no more than that, in git.
  archivedReason: /archived/,
});
