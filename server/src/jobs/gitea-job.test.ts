import { createGiteaHarness } from "../codehost/gitea/testing/harness.ts";
import { describeConnectedJobs, loseProductAnswers } from "./testing/connected-jobs.ts";

describeConnectedJobs({
  codeHost: "gitea",
  createHarness: createGiteaHarness,
  lostAnswers: loseProductAnswers(({ method, path }) => method === "POST" && path.endsWith("/pulls")),
  pagePath: (number) => `/pulls/${number}`,
  makeToken: ({ addToken }) => addToken(),
  endToken: ({ state }, token) => void state.tokens.delete(token),
  endedReason: /deleted/,
  reset: ({ server }) => server.failOn(() => undefined),
});
