import { CodeHostError } from "../codehost.ts";
import type { HostAnswer } from "../request.ts";

const TEXT_CHARACTERS_MAX = 300;

/** Gitea answered with 4xx. Holds the answer and nothing of the request. */
export class GiteaRefusal extends Error {
  readonly status: number;
  /** What Gitea says, in one line. */
  readonly text: string;
  constructor({ status, body }: HostAnswer) {
    const said = typeof body === "object" && body !== null && "message" in body ? body.message : body;
    const text = typeof said === "string" ? said.replaceAll(/\s+/g, " ").trim().slice(0, TEXT_CHARACTERS_MAX) : "";
    super(`Gitea answered ${status}: ${text}`);
    this.name = "GiteaRefusal";
    this.status = status;
    this.text = text;
  }
}

/** What a refusal means for the project's owner. */
export function describeRefusal(
  { status, text }: GiteaRefusal,
  { product, repository }: { product: string; repository: string },
): CodeHostError {
  switch (status) {
    case 401:
      return new CodeHostError(
        "credential_refused",
        `${product} refuses the access token for ${repository}: it was deleted, or is not one of its tokens. Make a new one, and give it to the project.`,
      );
    case 403:
      return forbidden(text, product, repository);
    case 404:
      return new CodeHostError(
        "not_found",
        `${product} has no ${repository}, or not for this access token: a private repository looks missing to who has no access. Check the name, and that the token's account is a collaborator.`,
      );
    case 423:
      return new CodeHostError(
        "repository_archived",
        `${repository} is archived on ${product} and takes no changes. Unarchive it there, or archive this project's jobs.`,
      );
    case 413:
      return new CodeHostError(
        "invalid",
        `${product}, or a proxy before it, takes no request that long (413). Raise the limit there.`,
      );
    default:
      return new CodeHostError("invalid", `${product} refused it (${status}): ${text}`);
  }
}

function forbidden(text: string, product: string, repository: string): CodeHostError {
  // `token does not have at least one of required scope(s), required=[write:issue], token scope=read:repository`, and
  // before Gitea 1.24 and in Forgejo `…required scope(s): [write:issue]`.
  if (/required scope/i.test(text)) {
    const scopes = /\[([^\]]+)\]/.exec(text)?.[1] ?? "write:repository, write:issue and read:user";
    return new CodeHostError(
      "permission_missing",
      `The access token for ${repository} lacks a scope: ${product} asks for ${scopes}. Make a token with write:repository, write:issue and read:user, and give it to the project.`,
    );
  }
  return new CodeHostError(
    "permission_missing",
    `${product} does not allow this in ${repository} (${text || "403"}). The token's account needs write access there.`,
  );
}
