import { sign } from "@octokit/webhooks-methods";
import { expect, test } from "vitest";
import type { CodeHostEvent } from "../webhook.ts";
import { readGitHubWebhook } from "./webhook.ts";

const secret = "whsec_c2VjcmV0";
const repository = { full_name: "acme/docs" };
const ada = { login: "ada", type: "User" };

async function read(event: string, payload: object | string, headers: Record<string, string | undefined> = {}) {
  const text = typeof payload === "string" ? payload : JSON.stringify(payload);
  const signature = await sign(secret, text);
  const given = { "x-github-event": event, "x-github-delivery": "d-1", "x-hub-signature-256": signature, ...headers };
  return readGitHubWebhook({ headers: given, body: Buffer.from(text), secret });
}

const comment = (changes: object = {}) => ({
  action: "created",
  repository,
  issue: { number: 7, pull_request: { url: "https://api.github.com/repos/acme/docs/pulls/7" } },
  comment: { body: "@docent fix it", user: ada, html_url: "https://github.com/acme/docs/pull/7#issuecomment-1" },
  ...changes,
});
const review = (state: string, body: string | null) => ({
  action: "submitted",
  repository,
  pull_request: { number: 7 },
  review: { state, body, user: ada, html_url: "https://github.com/acme/docs/pull/7#pullrequestreview-1" },
});
const lineComment = (line: number | null) => ({
  action: "created",
  repository,
  pull_request: { number: 7 },
  comment: { body: "Too long.", user: ada, html_url: "u", path: "a.mdx", line, original_line: 3 },
});
const ended = (action: string, merged: boolean) => ({ action, repository, pull_request: { number: 7, merged } });

const said: Partial<CodeHostEvent> = {
  type: "comment",
  repository: "acme/docs",
  pullRequest: 7,
  author: { login: "ada", isBot: false },
};

test.each<[string, object, object]>([
  ["issue_comment", comment(), { ...said, text: "@docent fix it", place: null, isReview: false }],
  ["issue_comment", comment({ action: "edited" }), { type: "ignored" }],
  ["issue_comment", comment({ action: "deleted" }), { type: "ignored" }],
  ["issue_comment", comment({ issue: { number: 7 } }), { type: "ignored", reason: /issue/ }],
  ["pull_request_review", review("changes_requested", "Redo"), { ...said, text: "Redo", place: null, isReview: true }],
  ["pull_request_review", review("approved", "LGTM"), { ...said, isReview: false }],
  ["pull_request_review", review("commented", null), { type: "ignored", reason: /no words/ }],
  ["pull_request_review", { ...review("commented", "x"), action: "dismissed" }, { type: "ignored" }],
  ["pull_request_review_comment", lineComment(5), { ...said, place: { path: "a.mdx", line: 5 }, isReview: true }],
  ["pull_request_review_comment", lineComment(null), { ...said, place: { path: "a.mdx", line: 3 } }],
  ["pull_request_review_comment", { ...lineComment(5), action: "edited" }, { type: "ignored" }],
  ["pull_request", ended("closed", true), { type: "pull-request", pullRequest: 7, state: "merged" }],
  ["pull_request", ended("closed", false), { type: "pull-request", pullRequest: 7, state: "closed" }],
  ["pull_request", ended("reopened", false), { type: "pull-request", pullRequest: 7, state: "open" }],
  ["pull_request", ended("synchronize", false), { type: "ignored" }],
  ["ping", { zen: "Design for failure." }, { type: "ignored", reason: "Nothing follows from ping." }],
  ["issue_comment", comment({ comment: "?" }), { type: "ignored" }],
])("%s %#", async (event, payload, expected) => {
  const { reason, ...rest } = expected as { reason?: RegExp | string };
  expect(await read(event, payload)).toMatchObject({ id: "d-1", events: [rest] });
  if (reason !== undefined) {
    const wanted = typeof reason === "string" ? reason : expect.stringMatching(reason);
    expect(await read(event, payload)).toMatchObject({ events: [{ reason: wanted }] });
  }
});

test.each([
  [{ login: "acme-docs[bot]", type: "Bot" }, true],
  [{ login: "dependabot[bot]", type: "User" }, true],
  [ada, false],
])("%j is a bot: %s", async (user, isBot) => {
  const answer = await read("issue_comment", comment({ comment: { body: "@docent hi", user, html_url: "u" } }));
  expect(answer).toMatchObject({ events: [{ author: { login: user.login, isBot } }] });
});

test("hooks that send forms are read, too", async () => {
  const form = new URLSearchParams({ payload: JSON.stringify(comment()) }).toString();
  const type = { "content-type": "application/x-www-form-urlencoded" };
  expect(await read("issue_comment", form, type)).toMatchObject({ events: [said] });
});

test.each<[string, Record<string, string | undefined>]>([
  ["none", { "x-hub-signature-256": undefined }],
  ["an empty one", { "x-hub-signature-256": "" }],
  ["the old SHA-1 alone", { "x-hub-signature-256": undefined, "x-hub-signature": `sha1=${"0".repeat(40)}` }],
  ["a wrong one", { "x-hub-signature-256": `sha256=${"0".repeat(64)}` }],
  ["one of another length", { "x-hub-signature-256": "sha256=00" }],
  ["one without its kind", { "x-hub-signature-256": "0".repeat(64) }],
  ["no id of the delivery", { "x-github-delivery": undefined }],
])("a delivery with %s is refused", async (_what, headers) => {
  expect(await read("issue_comment", comment(), headers)).toEqual({ refused: expect.any(String) });
});

test("a body that is not the signed one, or no JSON, is refused", async () => {
  const signature = await sign(secret, JSON.stringify(comment()));
  expect(await read("issue_comment", comment({ x: 1 }), { "x-hub-signature-256": signature })).toHaveProperty(
    "refused",
  );
  expect(await read("issue_comment", "[]")).toHaveProperty("refused");
  expect(await read("issue_comment", "{")).toHaveProperty("refused");
});
