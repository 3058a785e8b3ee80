import { CodeHostError } from "../codehost.ts";

export interface RepositoryName {
  owner: string;
  repo: string;
}

/** `owner/name`, with the characters that GitHub allows in names. @throws CodeHostError `not_found` for anything else. */
export function parseRepositoryName(repository: string): RepositoryName {
  const [, owner, repo] = /^([A-Za-z0-9_-]+)\/([A-Za-z0-9._-]+)$/.exec(repository) ?? [];
  if (owner === undefined || repo === undefined || repo === "." || repo === "..") {
    throw new CodeHostError("not_found", `${JSON.stringify(repository)} names no repository; it must be owner/name.`);
  }
  return { owner, repo };
}
