import { CodeHostError, type PullRequest, type PullRequestContent, type PullRequestCreation } from "../codehost.ts";
import { shortenBody, shortenTitle } from "../shorten.ts";
import { validationErrors } from "./failure.ts";

/** "body is too long (maximum is 65536 characters)", "title is too long (maximum is 256 characters)". */
const BODY_CHARACTERS_MAX = 65_536;
const TITLE_CHARACTERS_MAX = 256;

/** A pull request as GitHub answers it, in lists, too, where `merged` is missing. */
export interface PullRequestData {
  number: number;
  html_url: string;
  state: string;
  merged_at: string | null;
  title: string;
  body: string | null;
  head: { ref: string; repo: { id: number } | null };
  base: { ref: string; repo: { id: number } };
}

export function toPullRequest(data: PullRequestData): PullRequest {
  return {
    number: data.number,
    url: data.html_url,
    state: data.state === "open" ? "open" : data.merged_at === null ? "closed" : "merged",
    headBranch: data.head.ref,
    baseBranch: data.base.ref,
    title: data.title,
    body: data.body ?? "",
  };
}

/** Whether it comes from this branch of the repository itself. A fork that is gone has no repository any more. */
export function comesFrom({ head, base }: PullRequestData, headBranch: string): boolean {
  return head.ref === headBranch && head.repo?.id === base.repo.id;
}

export function fit({ title, body }: PullRequestContent): PullRequestContent {
  return { title: shortenTitle(title, TITLE_CHARACTERS_MAX), body: fitBody(body) };
}

export function fitBody(body: string): string {
  return shortenBody(body, BODY_CHARACTERS_MAX);
}

/** What a refused creation means. Undefined: nothing that is special to pull requests. */
export function describeRefusedCreation(
  error: unknown,
  { headBranch, baseBranch }: PullRequestCreation,
): CodeHostError | undefined {
  const errors = validationErrors(error);
  if (errors === undefined) return undefined;
  const text = errors.map(({ message = "" }) => message).join(" ");
  if (/pull request already exists/i.test(text)) {
    return new CodeHostError("pull_request_exists", `There is an open pull request from ${headBranch} already.`);
  }
  if (errors.some(({ field }) => field === "base")) {
    return new CodeHostError("base_branch_missing", `The branch ${baseBranch} does not exist on GitHub any more.`);
  }
  if (errors.some(({ field }) => field === "head")) {
    return new CodeHostError("not_found", `The branch ${headBranch} does not exist on GitHub.`);
  }
  if (/no commits between/i.test(text)) {
    return new CodeHostError("invalid", `The branch ${headBranch} has nothing that ${baseBranch} does not have.`);
  }
  return undefined;
}

/** "Draft pull requests are not supported in this repository.": private repositories of some plans. */
export function refusesDrafts(error: unknown): boolean {
  return validationErrors(error)?.some(({ message = "" }) => /draft pull requests are not/i.test(message)) === true;
}
