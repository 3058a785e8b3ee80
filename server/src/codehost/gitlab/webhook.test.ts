import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { readGitLabWebhook } from "./webhook.ts";

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const project = { path_with_namespace: "acme/handbook/docs" };

const read = (payload: object | string, headers: Record<string, string | undefined> = {}) =>
  readGitLabWebhook({
    headers: { "x-gitlab-token": secret, "idempotency-key": "i-1", ...headers },
    body: Buffer.from(typeof payload === "string" ? payload : JSON.stringify(payload)),
    secret,
  });

const note = (attributes: object = {}, changes: object = {}) => ({
  object_kind: "note",
  event_type: "note",
  user: { username: "ada" },
  project,
  object_attributes: {
    note: "@docent fix it",
    noteable_type: "MergeRequest",
    system: false,
    action: "create",
    type: null,
    url: "https://gitlab.com/acme/handbook/docs/-/merge_requests/7#note_1",
    created_at: "2026-11-21 10:00:00 UTC",
    updated_at: "2026-11-21 10:00:00 UTC",
    ...attributes,
  },
  merge_request: { iid: 7 },
  ...changes,
});
const mergeRequest = (action: string) => ({
  object_kind: "merge_request",
  project,
  object_attributes: { iid: 7, action, state: "merged" },
});
const said = {
  type: "comment",
  repository: "acme/handbook/docs",
  pullRequest: 7,
  author: { login: "ada", isBot: false },
  text: "@docent fix it",
};
const position = { new_path: "a.mdx", old_path: "a.mdx", new_line: 5, old_line: null };

test.each<[object, object]>([
  [note(), { ...said, place: null, isReview: false }],
  [note({ type: "DiscussionNote" }), { ...said, isReview: false }],
  [note({ type: "DiffNote", position }), { ...said, place: { path: "a.mdx", line: 5 }, isReview: true }],
  [
    note({ type: "DiffNote", position: { new_path: "a.mdx", new_line: null, old_line: 4 } }),
    { place: { path: "a.mdx", line: 4 } },
  ],
  [note({ action: "update" }), { type: "ignored" }],
  [note({ action: undefined }), said],
  [note({ action: undefined, updated_at: "2026-11-21 10:05:00 UTC" }), { type: "ignored" }],
  [note({ system: true }), { type: "ignored" }],
  [note({ noteable_type: "Issue" }), { type: "ignored" }],
  [note({ noteable_type: "Commit" }, { merge_request: undefined }), { type: "ignored" }],
  [note({}, { user: { username: "project_42_bot_ab12cd" } }), { author: { isBot: true } }],
  [note({}, { user: { username: "group_7_bot1" } }), { author: { isBot: true } }],
  [mergeRequest("merge"), { type: "pull-request", repository: "acme/handbook/docs", pullRequest: 7, state: "merged" }],
  [mergeRequest("close"), { type: "pull-request", state: "closed" }],
  [mergeRequest("reopen"), { type: "pull-request", state: "open" }],
  [mergeRequest("approved"), { type: "ignored" }],
  [{ object_kind: "push" }, { type: "ignored", reason: "Nothing follows from push." }],
])("%#", async (payload, expected) => {
  expect(await read(payload)).toMatchObject({ id: "i-1", events: [expected] });
});

test("a delivery is known by what stays the same when it is tried again", async () => {
  const fallback = { "idempotency-key": undefined, "x-gitlab-event-uuid": "u-1" };
  const first = await read(note(), fallback);
  expect(await read(note(), fallback)).toEqual(first);
  // Events that one event sets off share its UUID.
  expect(await read(mergeRequest("merge"), fallback)).not.toHaveProperty("id", (first as { id: string }).id);
});

function signed(payload: object, by: string, at = new Date()): Record<string, string | undefined> {
  return {
    "x-gitlab-token": undefined,
    "webhook-id": "w-1",
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": new Webhook(by).sign("w-1", at, JSON.stringify(payload)),
  };
}

test("a signing token signs, and its signature counts whatever the token header says", async () => {
  expect(await read(note(), signed(note(), secret))).toMatchObject({ id: "w-1", events: [said] });
  const other = new Webhook("whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA").sign("w-1", new Date(), JSON.stringify(note()));
  const wrong = { ...signed(note(), secret), "webhook-signature": other, "x-gitlab-token": secret };
  expect(await read(note(), wrong)).toHaveProperty("refused");
  const old = signed(note(), secret, new Date(Date.now() - 3_600_000));
  expect(await read(note(), old)).toHaveProperty("refused");
  expect(await read(mergeRequest("merge"), signed(note(), secret))).toHaveProperty("refused");
});

test.each([undefined, "", "wrong", `${secret}x`])("the token %j is refused", async (token) => {
  expect(await read(note(), { "x-gitlab-token": token })).toHaveProperty("refused");
});

test("a body that is no JSON is refused", async () => {
  expect(await read("{")).toHaveProperty("refused");
});
