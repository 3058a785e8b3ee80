import type { CodeHostEvent, ReadCodeHostWebhook } from "../webhook.ts";
import { at, integerAt, isHexHmac, readPayload, textAt } from "../webhook-payload.ts";

/**
 * Reads what Gitea and Forgejo send: comments on pull requests, reviews, and pull requests. They tell a review with its
 * own words and without its comments on lines. https://docs.gitea.com/usage/repository/webhooks
 */
export const readGiteaWebhook: ReadCodeHostWebhook = async (request) => {
  const { headers } = request;
  const signature = headers["x-forgejo-signature"] ?? headers["x-gitea-signature"];
  const id = headers["x-forgejo-delivery"] ?? headers["x-gitea-delivery"];
  if (!signature || !id) return { refused: "It is not signed (X-Gitea-Signature)." };
  if (!isHexHmac(signature, request)) return { refused: "The signature is wrong." };
  const payload = readPayload(request);
  if (payload === undefined) return { refused: "The body is not JSON." };
  return { id, events: [readEvent(payload)] };
};

/** By what is in it: the names of events differ between the two products and their versions. */
function readEvent(payload: object): CodeHostEvent {
  const action = textAt(payload, "action");
  if (at(payload, "comment") !== undefined) return readComment(payload, action);
  const number = integerAt(payload, "pull_request", "number") ?? integerAt(payload, "number");
  if (at(payload, "pull_request") === undefined || number === undefined) return ignored("It is about no pull request.");
  if (action === "reviewed") return readReview(payload, number);
  const repository = textAt(payload, "repository", "full_name");
  if (action === "closed") {
    const state = at(payload, "pull_request", "merged") === true ? "merged" : "closed";
    return { type: "pull-request", repository, pullRequest: number, state };
  }
  if (action === "reopened") return { type: "pull-request", repository, pullRequest: number, state: "open" };
  return ignored(`Nothing follows from a pull request that was ${action}.`);
}

function readComment(payload: object, action: string): CodeHostEvent {
  const number = integerAt(payload, "issue", "number");
  const isPull = at(payload, "is_pull") === true || textAt(payload, "comment", "pull_request_url") !== "";
  if (!isPull || number === undefined) return ignored("The comment is on an issue.");
  if (action !== "created") return ignored(`The comment was ${action}.`);
  return {
    type: "comment",
    repository: textAt(payload, "repository", "full_name"),
    pullRequest: number,
    url: textAt(payload, "comment", "html_url"),
    author: author(textAt(payload, "comment", "user", "login")),
    text: textAt(payload, "comment", "body"),
    place: null,
    isReview: false,
  };
}

function readReview(payload: object, number: number): CodeHostEvent {
  const text = textAt(payload, "review", "content");
  if (text.trim() === "") return ignored("The review has no words of its own, and its comments on lines are not told.");
  return {
    type: "comment",
    repository: textAt(payload, "repository", "full_name"),
    pullRequest: number,
    url: textAt(payload, "pull_request", "html_url"),
    author: author(textAt(payload, "sender", "login")),
    text,
    place: null,
    isReview: !textAt(payload, "review", "type").endsWith("approved"),
  };
}

function author(login: string): { login: string; isBot: boolean } {
  return { login, isBot: login === "" || /^(gitea|forgejo)-actions$|^ghost$/i.test(login) };
}

function ignored(reason: string): CodeHostEvent {
  return { type: "ignored", reason };
}
