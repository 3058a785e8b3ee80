import { isDraft, type Account, type Note, type Project, type StoredMergeRequest } from "./state.ts";

export function showUser(url: string, { id, username }: Account): object {
  return { id, username, name: username, state: "active", web_url: `${url}/${username}` };
}

/** `level` is the role in the project itself; GitLab tells those of groups apart. */
export function showProject(
  url: string,
  { id, path, isArchived, isPublic }: Project,
  level: number | undefined,
): object {
  return {
    id,
    path_with_namespace: path,
    web_url: `${url}/${path}`,
    http_url_to_repo: `${url}/${path}.git`,
    default_branch: "main",
    archived: isArchived,
    visibility: isPublic ? "public" : "private",
    permissions: {
      project_access: level === undefined ? null : { access_level: level, notification_level: 3 },
      group_access: null,
    },
  };
}

export function showMergeRequest(url: string, project: Project, stored: StoredMergeRequest): object {
  const { iid, notes, reviewers, author, ...others } = stored;
  return {
    ...others,
    id: project.id * 1000 + iid,
    iid,
    project_id: project.id,
    target_project_id: project.id,
    draft: isDraft(stored),
    work_in_progress: isDraft(stored),
    author: showUser(url, author),
    reviewers: reviewers.map((account) => showUser(url, account)),
    user_notes_count: notes.filter(({ system }) => !system).length,
    web_url: `${url}/${project.path}/-/merge_requests/${iid}`,
  };
}

export function showNote(url: string, { id, author, body, system }: Note): object {
  return { id, body, system, author: showUser(url, author), noteable_type: "MergeRequest", internal: false };
}
