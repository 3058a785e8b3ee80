import { createHash, timingSafeEqual } from "node:crypto";
import { Webhook } from "standardwebhooks";
import type { CodeHostEvent, CodeHostWebhookRequest, ReadCodeHostWebhook } from "../webhook.ts";
import { at, integerAt, readPayload, textAt } from "../webhook-payload.ts";

/**
 * Reads what GitLab sends: comments and merge requests. A hook with a signing token is told by its signature, one with a
 * secret token by `X-Gitlab-Token`. https://docs.gitlab.com/user/project/integrations/webhook_events/
 */
export const readGitLabWebhook: ReadCodeHostWebhook = async (request) => {
  const { headers } = request;
  const refusal = headers["webhook-signature"] === undefined ? tokenRefusal(request) : signatureRefusal(request);
  if (refusal !== undefined) return { refused: refusal };
  const payload = readPayload(request);
  if (payload === undefined) return { refused: "The body is not JSON." };
  return { id: deliveryId(request), events: [readEvent(payload)] };
};

function tokenRefusal({ headers, secret }: CodeHostWebhookRequest): string | undefined {
  const token = headers["x-gitlab-token"];
  if (token === undefined) return "It is neither signed (webhook-signature) nor has it a token (X-Gitlab-Token).";
  return timingSafeEqual(sha256(token), sha256(secret)) ? undefined : "The token is wrong.";
}

/** By Standard Webhooks, with a time that is at most five minutes off. */
function signatureRefusal({ headers, body, secret }: CodeHostWebhookRequest): string | undefined {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>, { jsonParse: false });
    return undefined;
  } catch {
    return "The signature is wrong, or too old.";
  }
}

/** The same when GitLab tries again. Before 17.4 there was only the event's id, which hooks that set off others share. */
function deliveryId({ headers, body }: CodeHostWebhookRequest): string {
  const id = headers["webhook-id"] ?? headers["idempotency-key"];
  return id ?? `${headers["x-gitlab-event-uuid"] ?? ""} ${sha256(body).toString("hex")}`;
}

function readEvent(payload: object): CodeHostEvent {
  const repository = textAt(payload, "project", "path_with_namespace");
  const kind = textAt(payload, "object_kind");
  if (kind === "note") return readNote(payload, repository);
  if (kind !== "merge_request") return ignored(`Nothing follows from ${kind || "this event"}.`);
  const action = textAt(payload, "object_attributes", "action");
  const number = integerAt(payload, "object_attributes", "iid");
  const state = { merge: "merged", close: "closed", reopen: "open" }[action] as
    | "merged"
    | "closed"
    | "open"
    | undefined;
  if (state === undefined || number === undefined) return ignored(`Nothing follows from merge_request ${action}.`);
  return { type: "pull-request", repository, pullRequest: number, state };
}

function readNote(payload: object, repository: string): CodeHostEvent {
  const note = at(payload, "object_attributes");
  const number = integerAt(payload, "merge_request", "iid");
  if (textAt(note, "noteable_type") !== "MergeRequest" || number === undefined) {
    return ignored("The comment is not on a merge request.");
  }
  if (at(note, "system") === true) return ignored("GitLab wrote the comment itself.");
  // Before 16.11 there was no action, and edits were told in no other way than this.
  const action =
    textAt(note, "action") || (textAt(note, "created_at") === textAt(note, "updated_at") ? "create" : "update");
  if (action !== "create") return ignored("The comment was edited.");
  const login = textAt(payload, "user", "username");
  if (login === "") return ignored("It does not say who.");
  const path = textAt(note, "position", "new_path") || textAt(note, "position", "old_path");
  const line = integerAt(note, "position", "new_line") ?? integerAt(note, "position", "old_line") ?? null;
  return {
    type: "comment",
    repository,
    pullRequest: number,
    url: textAt(note, "url"),
    author: { login, isBot: isBotName(login) },
    text: textAt(note, "note"),
    place: path === "" ? null : { path, line },
    isReview: path !== "" || textAt(note, "type") === "DiffNote",
  };
}

/** Users of project and group access tokens: https://docs.gitlab.com/user/project/settings/project_access_tokens/ */
function isBotName(login: string): boolean {
  return /^(project|group)_\d+_bot(_|\d|$)/.test(login) || /^(GitLabDuo|duo-developer|gitlab-bot|ghost)$/i.test(login);
}

function sha256(given: string | Buffer): Buffer {
  return createHash("sha256").update(given).digest();
}

function ignored(reason: string): CodeHostEvent {
  return { type: "ignored", reason };
}
