import type { PullRequest } from "../codehost.ts";
import { shortenTitle } from "../shorten.ts";
import type { GiteaPullRequest } from "./api.ts";

/** Gitea's column for titles, and what it cuts them to. */
const TITLE_CHARACTERS_MAX = 255;
/** docs.gitea.com "Configuration cheat sheet": WORK_IN_PROGRESS_PREFIXES, as long as its owner sets no others. */
const DRAFT_PREFIX = "WIP: ";
const DRAFT_PREFIXES = /^(?:\s*(?:wip:|\[wip\])\s*)+/i;

/** The title as Gitea keeps it: being a draft is a part of it. */
export function toTitle(title: string, isDraft: boolean): string {
  const plain = title.replace(DRAFT_PREFIXES, "");
  return shortenTitle(isDraft ? DRAFT_PREFIX + plain : plain, TITLE_CHARACTERS_MAX);
}

export function toPullRequest(pullRequest: GiteaPullRequest): PullRequest {
  const { number, html_url: url, state, merged, draft, title, body, head, base } = pullRequest;
  return {
    number,
    url,
    state: merged ? "merged" : state === "closed" ? "closed" : "open",
    headBranch: head.label,
    baseBranch: base.label,
    title: draft ? title.replace(DRAFT_PREFIXES, "") : title,
    body,
  };
}
