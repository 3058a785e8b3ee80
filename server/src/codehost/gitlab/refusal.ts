import { CodeHostError } from "../codehost.ts";
import type { HostAnswer } from "../request.ts";

const TEXT_CHARACTERS_MAX = 300;

/** GitLab answered with 4xx. Holds the answer and nothing of the request. */
export class GitLabRefusal extends Error {
  readonly status: number;
  /** What GitLab says, in one line. */
  readonly text: string;
  /** The scope that the token lacks, when that is why. */
  readonly missingScope: string | null;
  constructor({ status, body }: HostAnswer) {
    const text = readText(body);
    super(`GitLab answered ${status}: ${text}`);
    this.name = "GitLabRefusal";
    this.status = status;
    this.text = text;
    this.missingScope = readMissingScope(body);
  }
}

/**
 * docs.gitlab.com "REST API": `message` is a text, a list, or lists by field; the OAuth part of GitLab answers `error`
 * and `error_description` instead.
 */
function readText(body: unknown): string {
  const { message, error, error_description: description } = asRecord(body);
  const said = message ?? description ?? error ?? (typeof body === "string" ? body : "");
  return flatten(said).replaceAll(/\s+/g, " ").trim().slice(0, TEXT_CHARACTERS_MAX);
}

function flatten(said: unknown): string {
  if (typeof said === "string") return said;
  if (Array.isArray(said)) return said.map(flatten).join(", ");
  return Object.entries(asRecord(said))
    .map(([field, problem]) => `${field} ${flatten(problem)}`)
    .join(", ");
}

/** RFC 6750, 3.1, as GitLab answers it: `{"error": "insufficient_scope", …, "scope": "api"}`. */
function readMissingScope(body: unknown): string | null {
  const { error, scope } = asRecord(body);
  if (error !== "insufficient_scope") return null;
  return typeof scope === "string" && scope !== "" ? scope : "api";
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

/** What a refusal means for the project's owner. */
export function describeRefusal(
  refusal: GitLabRefusal,
  { product, repository }: { product: string; repository: string },
): CodeHostError {
  const { status, text, missingScope } = refusal;
  if (missingScope !== null) {
    return new CodeHostError(
      "permission_missing",
      `The access token for ${repository} lacks a scope: ${product} asks for ${missingScope}. Make a token with the scope api, and give it to the project.`,
    );
  }
  switch (status) {
    case 401:
      return new CodeHostError(
        "credential_refused",
        `${product} refuses the access token for ${repository}: it ${why(text)}. Make a new one with the scope api, and give it to the project.`,
      );
    case 403:
      return new CodeHostError(
        "permission_missing",
        `${product} does not allow this in ${repository} (${text}). The token's account needs the role Developer there, or a higher one.`,
      );
    case 404:
      return new CodeHostError(
        "not_found",
        `${product} has no ${repository}, or not for this access token: a private project looks missing to who is no member. Check the name, and that the token's account is a member of the project.`,
      );
    default:
      return new CodeHostError("invalid", `${product} refused it (${status}): ${text}`);
  }
}

function why(text: string): string {
  if (/expired/i.test(text)) return "has expired";
  if (/revoked/i.test(text)) return "was revoked";
  return "has expired, was revoked, or is not one of its tokens";
}
