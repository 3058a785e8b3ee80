import { verify } from "@octokit/webhooks-methods";
import type { CodeHostEvent, ReadCodeHostWebhook } from "../webhook.ts";
import { at, integerAt, readPayload, textAt } from "../webhook-payload.ts";

/**
 * Reads what GitHub sends: `issue_comment`, `pull_request_review`, `pull_request_review_comment` and `pull_request`.
 * https://docs.github.com/en/webhooks/webhook-events-and-payloads
 */
export const readGitHubWebhook: ReadCodeHostWebhook = async (request) => {
  const { headers, body, secret } = request;
  const signature = headers["x-hub-signature-256"];
  const id = headers["x-github-delivery"];
  if (!signature || !id) return { refused: "It is not signed (X-Hub-Signature-256)." };
  if (!(await verify(secret, body.toString("utf8"), signature))) return { refused: "The signature is wrong." };
  const payload = readPayload(request);
  if (payload === undefined) return { refused: "The body is not JSON." };
  return { id, events: [readEvent(headers["x-github-event"] ?? "", payload)] };
};

function readEvent(name: string, payload: object): CodeHostEvent {
  const action = textAt(payload, "action");
  switch (`${name} ${action}`) {
    case "issue_comment created":
      if (at(payload, "issue", "pull_request") === undefined) return ignored("The comment is on an issue.");
      return comment(payload, "comment", { number: integerAt(payload, "issue", "number"), isReview: false });
    case "pull_request_review submitted":
      // Its comments on lines are told one by one.
      if (textAt(payload, "review", "body").trim() === "") return ignored("The review has no words of its own.");
      return comment(payload, "review", {
        number: integerAt(payload, "pull_request", "number"),
        isReview: textAt(payload, "review", "state").toLowerCase() !== "approved",
      });
    case "pull_request_review_comment created":
      return comment(payload, "comment", { number: integerAt(payload, "pull_request", "number"), isReview: true });
    case "pull_request closed":
      return pullRequest(payload, at(payload, "pull_request", "merged") === true ? "merged" : "closed");
    case "pull_request reopened":
      return pullRequest(payload, "open");
    default:
      return ignored(`Nothing follows from ${[name, action].filter(Boolean).join(" ")}.`);
  }
}

function comment(
  payload: object,
  field: "comment" | "review",
  { number, isReview }: { number: number | undefined; isReview: boolean },
): CodeHostEvent {
  const login = textAt(payload, field, "user", "login");
  if (number === undefined || login === "") return ignored("It does not say which pull request, or who.");
  const path = textAt(payload, field, "path");
  // A comment on lines that changed since has only the original ones.
  const line = integerAt(payload, field, "line") ?? integerAt(payload, field, "original_line") ?? null;
  return {
    type: "comment",
    repository: textAt(payload, "repository", "full_name"),
    pullRequest: number,
    url: textAt(payload, field, "html_url"),
    author: { login, isBot: textAt(payload, field, "user", "type") === "Bot" || login.endsWith("[bot]") },
    text: textAt(payload, field, "body"),
    place: path === "" ? null : { path, line },
    isReview,
  };
}

function pullRequest(payload: object, state: "open" | "merged" | "closed"): CodeHostEvent {
  const number = integerAt(payload, "pull_request", "number");
  if (number === undefined) return ignored("It does not say which pull request.");
  return { type: "pull-request", repository: textAt(payload, "repository", "full_name"), pullRequest: number, state };
}

function ignored(reason: string): CodeHostEvent {
  return { type: "ignored", reason };
}
