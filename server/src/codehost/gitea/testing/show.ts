import { hasBranch } from "../../testing/hosted.ts";
import {
  isDraft,
  mayWrite,
  permissionOf,
  type Account,
  type StoredPullRequest,
  type StoredRepository,
} from "./state.ts";

export function showUser({ id, login }: Account): object {
  return { id, login, full_name: "", active: true };
}

export function showRepository(url: string, stored: StoredRepository, me: Account): object {
  const [owner = "", name = ""] = stored.name.split("/");
  const isAdmin = ["admin", "owner"].includes(permissionOf(stored, me));
  return {
    id: stored.id,
    name,
    full_name: stored.name,
    owner: { id: 1, login: owner },
    html_url: `${url}/${stored.name}`,
    clone_url: `${url}/${stored.name}.git`,
    default_branch: "main",
    archived: stored.isArchived,
    private: true,
    permissions: { admin: isAdmin, push: mayWrite(stored, me), pull: true },
  };
}

export async function showPullRequest(url: string, stored: StoredRepository, pull: StoredPullRequest): Promise<object> {
  const { number, title, body, state, merged, head, base, headRepository, labels, reviewers, author } = pull;
  const isFork = headRepository !== stored.id;
  const isThere = isFork || (await hasBranch(stored.repository, head));
  return {
    id: stored.id * 1000 + number,
    number,
    url: `${url}/${stored.name}/pulls/${number}`,
    html_url: `${url}/${stored.name}/pulls/${number}`,
    title,
    body,
    state,
    merged,
    draft: isDraft(pull),
    // Found out in the background.
    mergeable: false,
    is_locked: false,
    user: showUser(author),
    labels,
    requested_reviewers: reviewers.map(showUser),
    comments: pull.comments.length,
    // A branch that is gone is told by the ref that keeps its commits.
    head: { label: head, ref: isThere ? head : `refs/pull/${number}/head`, repo_id: headRepository },
    base: { label: base, ref: base, repo_id: stored.id },
  };
}

export function showComment({ id, author, body }: StoredPullRequest["comments"][number]): object {
  return { id, body, user: showUser(author) };
}
