import type { PullRequest, PullRequestState } from "../codehost.ts";
import { shortenTitle } from "../shorten.ts";

/** docs.gitlab.com "Merge requests API": the description is limited to 1,048,576 characters; titles to 255. */
export const DESCRIPTION_CHARACTERS_MAX = 1_048_576;
const TITLE_CHARACTERS_MAX = 255;
const DRAFT_PREFIX = "Draft: ";
/** docs.gitlab.com "Draft merge requests": each of them, in any case, makes a draft. */
const DRAFT_PREFIXES = /^(?:\s*(?:draft:|\[draft\]|\(draft\))\s*)+/i;

/** What of a merge request Docent reads. */
export interface MergeRequest {
  iid: number;
  web_url: string;
  state: string;
  source_branch: string;
  target_branch: string;
  source_project_id: number;
  target_project_id: number;
  title: string;
  description: string | null;
  draft: boolean;
}

/** The title as GitLab keeps it: being a draft is a part of it. */
export function toTitle(title: string, isDraft: boolean): string {
  const plain = title.replace(DRAFT_PREFIXES, "");
  return shortenTitle(isDraft ? DRAFT_PREFIX + plain : plain, TITLE_CHARACTERS_MAX);
}

export function toPullRequest(mergeRequest: MergeRequest): PullRequest {
  const { iid, web_url: url, state, source_branch, target_branch, title, description, draft } = mergeRequest;
  return {
    number: iid,
    url,
    state: toState(state),
    headBranch: source_branch,
    baseBranch: target_branch,
    title: draft ? title.replace(DRAFT_PREFIXES, "") : title,
    body: description ?? "",
  };
}

function toState(state: string): PullRequestState {
  if (state === "merged" || state === "closed") return state;
  // `locked` is GitLab in the middle of a merge: it ends as merged or as opened again.
  return "open";
}
