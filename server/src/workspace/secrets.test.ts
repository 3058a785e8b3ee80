import { expect, test } from "vitest";
import { findSecrets } from "./secrets.ts";

/** Put together here, so that no scanner takes this file's own lines for leaks. */
const from = (...parts: string[]) => parts.join("");
const MIXED = "aB3dE5gH7jK9mN2pQ4sT6vW8yZ1cF3hJ5kL7nP9rS2tV4xY6zA8bD1eG3iK5mO7q";

test.each<[kind: string, token: string]>([
  ["an AWS access key id", from("AKIA", "QYLPMN5HHHFPZAM2")],
  [
    "an AWS secret access key",
    from("aws_secret_access_key = ", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYzK8fQ2LmN4".slice(0, 40)),
  ],
  ["a GitHub token", from("ghp_", MIXED.slice(0, 36))],
  ["a GitHub token", from("github_pat_", MIXED.slice(0, 22), "_", MIXED.slice(0, 59))],
  ["a GitLab token", from("glpat-", MIXED.slice(0, 20))],
  ["a Slack token", from("xoxb-", "2841983451-", MIXED.slice(0, 24))],
  ["a Slack webhook", from("https://hooks.slack.com/services/", "T02AB3CD4/B05EF6GH7/", MIXED.slice(0, 24))],
  ["a Google API key", from("AIza", MIXED.slice(0, 35))],
  ["a Stripe key", from("sk_live_", MIXED.slice(0, 24))],
  ["an Anthropic key", from("sk-ant-", "api03-", MIXED.slice(0, 40))],
  ["an OpenAI key", from("sk-", "proj-", MIXED.slice(0, 48))],
  ["an npm token", from("npm_", MIXED.slice(0, 36))],
  ["a Docent API key", from("docent_", MIXED.slice(0, 43))],
  ["a private key", from("-----BEGIN ", "RSA PRIVATE KEY-----\n", MIXED, "\n-----END RSA PRIVATE KEY-----")],
  ["a private key", from('"-----BEGIN ', "PRIVATE KEY-----\\n", MIXED, '\\n"')],
  [
    "a JSON web token",
    from(
      "eyJhbGciOiJIUzI1NiJ9",
      ".",
      Buffer.from('{"sub":"8412","role":"admin"}').toString("base64url"),
      ".",
      MIXED.slice(0, 43),
    ),
  ],
])("finds %s", (kind, token) => {
  expect(findSecrets(`first\nkey: ${token} end\n`)).toEqual([{ kind, line: 2 }]);
  expect(findSecrets(`first\nkey: ${token} end\n`, () => false)).toEqual([]);
});

test.each([
  from("AKIA", "IOSFODNN7EXAMPLE"),
  from("ghp_", "x".repeat(36)),
  from("ghp_", "a1".repeat(18)),
  "sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
  "sk-your-openai-api-key-goes-right-here-1",
  "sk-ant-api03-YOUR_KEY_HERE_00000000000000000000000",
  "sk_live_...",
  "sk_test_4eC39HqLyjWDarjtT1zdp7dc",
  "docent_YOUR_API_KEY_GOES_HERE_AND_IS_LONG_ENOUGH_1",
  "docent_…",
  "xoxb-your-token-goes-here-1",
  "AIzaSyXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX1",
  "https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX",
  "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
  "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA\n-----END PUBLIC KEY-----",
  "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c",
  "commit 3b18e512dba79e4c8300dd08aeb37f8e728b8dad",
  "sha512-9nhLkE4gkgv4hzXbTp4aQ8cbXS2K1yRrKqZyTqYHk3lqkYf8dVbVqqDFuDJ2Zg0bQ6VdYpQ==",
  "the sk-learn-contrib-project-and-its-many-long-named-packages page",
])("passes by %s", (text) => {
  expect(findSecrets(`key: ${text}\n`)).toEqual([]);
});
