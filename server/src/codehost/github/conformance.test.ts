import { generateKeyPairSync } from "node:crypto";
import { describeCodeHost } from "../testing/conformance.ts";
import { createGitHubHarness } from "./testing/harness.ts";
import { APP } from "./testing/server.ts";

describeCodeHost("GitHub with a token", () => createGitHubHarness());

describeCodeHost("GitHub as an App", () => {
  const { privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
    publicKeyEncoding: { type: "pkcs1", format: "pem" },
  });
  const credential = { type: "github-app" as const, appId: APP.id, installationId: null, privateKey };
  return createGitHubHarness({ appKey: privateKey, credential });
});
