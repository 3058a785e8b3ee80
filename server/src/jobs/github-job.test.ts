import { generateKeyPairSync, randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { createGitHubHarness, type GitHubHarness } from "../codehost/github/testing/harness.ts";
import { APP, type Disturbance } from "../codehost/github/testing/server.ts";
import { changedFiles, describeConnectedJobs } from "./testing/connected-jobs.ts";

const { privateKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  privateKeyEncoding: { type: "pkcs1", format: "pem" },
  publicKeyEncoding: { type: "pkcs1", format: "pem" },
});

function identityOf({ server, token }: GitHubHarness) {
  const identity = server.identities.get(token);
  if (identity === undefined) throw new Error("The harness has no token.");
  return identity;
}

function makeToken(harness: GitHubHarness): string {
  const token = `github_pat_of_one_test_${randomBytes(8).toString("hex")}`;
  harness.server.identities.set(token, identityOf(harness));
  return token;
}

const creationIn = (repository: string): string => `POST /repos/${repository}/pulls`;

describeConnectedJobs({
  codeHost: "github",
  createHarness: () => createGitHubHarness({ appKey: privateKey }),
  lostAnswers: {
    ways: [{ name: "reset" }, { name: "bad-gateway" }, { name: "no-answer", silent: true }],
    lose: ({ server }, repository, way) => server.disturb(creationIn(repository), way as Disturbance),
    count: ({ server }, repository) => server.requests.filter((each) => each === creationIn(repository)).length,
  },
  pagePath: (number) => `/pull/${number}`,
  makeToken,
  endToken: ({ server }, token) => void server.identities.delete(token),
  endedReason: /expired|revoked/,

  more({ harness, scripted, addDocs, connect }) {
    test("a GitHub App's job pushes and opens with tokens for this repository alone", async () => {
      const repository = await addDocs();
      const project = await connect(repository, {}, { githubApp: { appId: APP.id, privateKey } });
      const job = await project.createJob("write a page");
      const done = await job.rest();
      expect(done).toMatchObject({ status: "completed", pullRequest: { number: 1 } });
      expect(await changedFiles(repository, done.branch)).toEqual(["faq.mdx"]);
      const { identities } = harness().server;
      const minted = [...identities].filter(([, { app }]) => app?.repositories.includes(repository.name));
      expect(minted.length).toBeGreaterThanOrEqual(4);
      for (const [token, { app, permissions }] of minted) {
        expect(app?.repositories).toEqual([repository.name]);
        expect(Object.values(permissions).filter((access) => access === "write").length).toBeLessThan(2);
        expect(JSON.stringify(scripted().model.requests) + scripted().log()).not.toContain(token);
      }
    });

    test("a token that lost a permission meanwhile fails the job with a reason to act on", async () => {
      const token = makeToken(harness());
      const project = await connect(await addDocs(), {}, { token });
      const job = await project.createJob("say relay");
      await job.rest();
      const permissions = { contents: "read", pull_requests: "write" };
      harness().server.identities.set(token, { ...identityOf(harness()), permissions });
      await job.message("number the steps");
      const limited = await job.rest();
      expect(limited).toMatchObject({ status: "failed", pullRequest: { state: "open" } });
      expect(limited.failureReason).toContain("Contents: write");
      expect(`${limited.failureReason ?? ""}${scripted().log()}`).not.toContain(token);
    });
  },
});
