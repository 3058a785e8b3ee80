import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { readGiteaWebhook } from "./webhook.ts";

const secret = "whsec_c2VjcmV0";
const repository = { full_name: "acme/docs" };
const hmac = (text: string) => createHmac("sha256", secret).update(text).digest("hex");

function read(payload: object | string, headers: Record<string, string | undefined> = {}, product = "gitea") {
  const text = typeof payload === "string" ? payload : JSON.stringify(payload);
  return readGiteaWebhook({
    headers: { [`x-${product}-delivery`]: "d-1", [`x-${product}-signature`]: hmac(text), ...headers },
    body: Buffer.from(text),
    secret,
  });
}

const comment = (changes: object = {}) => ({
  action: "created",
  repository,
  is_pull: true,
  issue: { number: 7 },
  comment: {
    body: "@docent fix it",
    user: { login: "ada" },
    html_url: "https://codeberg.org/acme/docs/pulls/7#issuecomment-1",
  },
  ...changes,
});
const review = (type: string, content: string) => ({
  action: "reviewed",
  number: 7,
  repository,
  pull_request: { number: 7, html_url: "https://codeberg.org/acme/docs/pulls/7" },
  review: { type, content },
  sender: { login: "ada" },
});
const ended = (action: string, merged: boolean) => ({
  action,
  number: 7,
  repository,
  pull_request: { number: 7, merged },
});
const said = { type: "comment", repository: "acme/docs", pullRequest: 7, author: { login: "ada", isBot: false } };

test.each<[object, object]>([
  [comment(), { ...said, text: "@docent fix it", place: null, isReview: false }],
  [comment({ action: "edited" }), { type: "ignored" }],
  [comment({ action: "deleted" }), { type: "ignored" }],
  [comment({ is_pull: false }), { type: "ignored" }],
  [review("pull_request_review_rejected", "Redo it"), { ...said, text: "Redo it", isReview: true }],
  [review("pull_request_review_comment", "Shorter, please"), { ...said, isReview: true }],
  [review("pull_request_review_approved", "Fine"), { ...said, isReview: false }],
  [review("pull_request_review_comment", ""), { type: "ignored" }],
  [ended("closed", true), { type: "pull-request", pullRequest: 7, state: "merged" }],
  [ended("closed", false), { type: "pull-request", state: "closed" }],
  [ended("reopened", false), { type: "pull-request", state: "open" }],
  [ended("synchronized", false), { type: "ignored" }],
  [{ ref: "refs/heads/main", repository }, { type: "ignored" }],
  [comment({ comment: { body: "@docent x", user: { login: "gitea-actions" } } }), { author: { isBot: true } }],
])("%#", async (payload, expected) => {
  for (const product of ["gitea", "forgejo"]) {
    expect(await read(payload, {}, product)).toMatchObject({ id: "d-1", events: [expected] });
  }
});

test.each<[string, Record<string, string | undefined>]>([
  ["no signature", { "x-gitea-signature": undefined }],
  ["an empty one", { "x-gitea-signature": "" }],
  ["a wrong one", { "x-gitea-signature": "0".repeat(64) }],
  ["one that is not hexadecimal", { "x-gitea-signature": "z".repeat(64) }],
  ["no id", { "x-gitea-delivery": undefined }],
])("a delivery with %s is refused", async (_what, headers) => {
  expect(await read(comment(), headers)).toHaveProperty("refused");
});

test("a body that is no JSON is refused", async () => {
  expect(await read("{")).toHaveProperty("refused");
});
