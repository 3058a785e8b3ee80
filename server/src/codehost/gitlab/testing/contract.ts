import type { SchemaObject } from "ajv";
import type { Operation } from "../../testing/contract.ts";

const integer: SchemaObject = { type: "integer" };
const text: SchemaObject = { type: "string" };
const boolean: SchemaObject = { type: "boolean" };
const oneOf = (...values: string[]): SchemaObject => ({ type: "string", enum: values });
const integers: SchemaObject = { type: "array", items: integer };
/** Described as a list, documented as a text with commas, taken as both. */
const labels: SchemaObject = { oneOf: [text, { type: "array", items: text }] };

const paging = { page: integer, per_page: { type: "integer", maximum: 100 } };

/** What both opening and changing a merge request take. */
const mergeRequestFields: Record<string, SchemaObject> = {
  assignee_id: integer,
  assignee_ids: integers,
  reviewer_ids: integers,
  description: { type: "string", maxLength: 1_048_576 },
  labels,
  milestone_id: integer,
  remove_source_branch: boolean,
  allow_collaboration: boolean,
  allow_maintainer_to_push: boolean,
  squash: boolean,
  title: { type: "string", minLength: 1, maxLength: 255 },
  target_branch: text,
};

const object = (properties: Record<string, SchemaObject>, required: string[]): SchemaObject => ({
  type: "object",
  additionalProperties: false,
  properties,
  required,
});

/**
 * The operations that Docent uses, with the parameters that GitLab describes for them: see README.md beside this file
 * for where that is written and what is not in it.
 */
export const GITLAB_OPERATIONS: readonly Operation[] = [
  {
    method: "GET",
    path: "/projects/{id}",
    query: { statistics: boolean, license: boolean, with_custom_attributes: boolean },
    body: null,
  },
  { method: "GET", path: "/projects/{id}/repository/branches/{branch}", query: {}, body: null },
  {
    method: "GET",
    path: "/projects/{id}/merge_requests",
    query: {
      ...paging,
      state: oneOf("opened", "closed", "locked", "merged", "all"),
      order_by: oneOf("created_at", "label_priority", "merged_at", "priority", "title", "updated_at"),
      sort: oneOf("asc", "desc"),
      source_branch: text,
      target_branch: text,
      source_project_id: integer,
      author_id: integer,
      author_username: text,
      iids: integers,
      labels: { type: "array", items: text },
      search: text,
      scope: oneOf("created-by-me", "assigned-to-me", "created_by_me", "assigned_to_me", "reviews_for_me", "all"),
      view: oneOf("simple"),
      wip: oneOf("yes", "no"),
      draft: boolean,
    },
    body: null,
  },
  {
    method: "POST",
    path: "/projects/{id}/merge_requests",
    query: {},
    body: object({ ...mergeRequestFields, source_branch: text, target_project_id: integer }, [
      "title",
      "source_branch",
      "target_branch",
    ]),
  },
  {
    method: "GET",
    path: "/projects/{id}/merge_requests/{merge_request_iid}",
    query: { render_html: boolean, include_diverged_commits_count: boolean, include_rebase_in_progress: boolean },
    body: null,
  },
  {
    method: "PUT",
    path: "/projects/{id}/merge_requests/{merge_request_iid}",
    query: {},
    body: {
      ...object(
        {
          ...mergeRequestFields,
          add_labels: labels,
          remove_labels: labels,
          state_event: oneOf("close", "reopen"),
          discussion_locked: boolean,
        },
        [],
      ),
      minProperties: 1,
    },
  },
  {
    method: "GET",
    path: "/projects/{id}/merge_requests/{noteable_id}/notes",
    query: {
      ...paging,
      order_by: oneOf("created_at", "updated_at"),
      sort: oneOf("asc", "desc"),
      activity_filter: oneOf("all_notes", "only_comments", "only_activity"),
    },
    body: null,
  },
  {
    method: "POST",
    path: "/projects/{id}/merge_requests/{noteable_id}/notes",
    query: {},
    body: object(
      {
        body: { type: "string", minLength: 1, maxLength: 1_000_000 },
        internal: boolean,
        confidential: boolean,
        created_at: text,
        merge_request_diff_head_sha: text,
      },
      ["body"],
    ),
  },
  {
    method: "GET",
    path: "/projects/{id}/members/all/{user_id}",
    query: {},
    body: null,
  },
  {
    method: "GET",
    path: "/users",
    query: { ...paging, username: text, search: text, active: boolean, blocked: boolean, external: boolean },
    body: null,
  },
  { method: "GET", path: "/user", query: {}, body: null },
];
