/* The types of the HTTP API, written by scripts/generate.ts from openapi.json. Change the routes instead. */

/**
 * One event, an array of events, or an object with them; at most 1000.
 */
export type CollectBody =
  | CollectEvent
  | CollectEvent[]
  | {
      /**
       * @maxItems 1000
       */
      events: CollectEvent[];
    };

/**
 * Why a request was refused.
 */
export interface ErrorBody {
  /**
   * What happened and what to do, for a person.
   */
  error: string;
  /**
   * What happened, for a program. Stable.
   */
  code:
    | "invalid_request"
    | "unauthorized"
    | "forbidden"
    | "not_found"
    | "method_not_allowed"
    | "request_timeout"
    | "conflict"
    | "job_archived"
    | "idempotency_conflict"
    | "body_too_large"
    | "unsupported_media_type"
    | "headers_too_large"
    | "rate_limited"
    | "internal"
    | "unavailable";
  /**
   * Each fault by itself, naming its field.
   */
  details?: {
    message: string;
  }[];
}
export interface Job {
  /**
   * `job_` and a ULID: sorts by creation.
   */
  id: string;
  /**
   * What the job is about, in at most 120 characters: the first line of its prompt, and its pull request's title once there is one.
   */
  title: string;
  /**
   * Who created it; null for a job from before this was kept.
   */
  author: {
    /**
     * A person, an API key, the holder of the admin token, or somebody's comment on the code host.
     */
    type: "user" | "key" | "administrator" | "comment";
    /**
     * The person's name, the key's, or the login name on the code host.
     */
    name: string;
  } | null;
  /**
   * `active` while the agent works on a message; then `completed` or `failed`, until a message makes it `active` again. `archived` is final.
   */
  status: "active" | "completed" | "failed" | "archived";
  source: {
    /**
     * The repository's full URL.
     */
    repository: string;
    /**
     * The branch the job started from.
     */
    ref: string;
  };
  /**
   * The model used for the job.
   */
  model: string;
  /**
   * The pull request's page. Null while `active` and when no file changed.
   */
  prLink: string | null;
  /**
   * When the job was created. ISO 8601, UTC.
   */
  createdAt: string;
  /**
   * When the job was archived; null until then. ISO 8601, UTC.
   */
  archivedAt: string | null;
  /**
   * The job's branch; null until it is pushed.
   */
  branch: string | null;
  /**
   * The job's pull request, also while a follow-up is being worked on; null without one.
   */
  pullRequest: {
    /**
     * The pull request's page.
     */
    url: string;
    number: number;
    state: "open" | "merged" | "closed";
  } | null;
  /**
   * Why the job failed; null unless `failed`.
   */
  failureReason: string | null;
  /**
   * While an active job waits for its model or its code host; null while it is worked on.
   */
  waiting: {
    /**
     * What did not answer, and how.
     */
    reason: string;
    /**
     * When it is tried again. ISO 8601, UTC.
     */
    until: string;
  } | null;
  /**
   * What models used for the whole job, follow-ups included.
   */
  usage: {
    /**
     * Answers of models.
     */
    steps: number;
    /**
     * Tokens that models read, cached ones included.
     */
    inputTokens: number;
    /**
     * Of them, those that the provider had in its cache.
     */
    cachedInputTokens: number;
    /**
     * Tokens that models wrote, reasoning included.
     */
    outputTokens: number;
    /**
     * In US dollars; null when the price of a model is not known.
     */
    costUsd: number | null;
  };
}
export interface JobList {
  jobs: Job[];
  /**
   * The `cursor` of the next page; null on the last.
   */
  nextCursor: string | null;
}
/**
 * One entry of a job's event log.
 */
export interface JobEvent {
  /**
   * Grows by one per job; the event's `id` in the stream.
   */
  position: number;
  /**
   * `message`: somebody sent one, `author` says who. `prompt`, `note`, `answer`, `tool-result`: the conversation between Docent and the model. `compaction`: the conversation was made shorter, to fit the model. `publish`: a commit was pushed. `turn-end`: the agent is done with what it was asked. `status`: the job's status changed.
   */
  type: "message" | "prompt" | "note" | "answer" | "tool-result" | "compaction" | "publish" | "turn-end" | "status";
  data: {
    [k: string]: unknown;
  };
  /**
   * When it was stored. ISO 8601, UTC.
   */
  createdAt: string;
}
/**
 * A file that a job or a pull request changes.
 */
export interface ChangedFile {
  /**
   * Where it is now; where it was, for a deleted file.
   */
  path: string;
  /**
   * Where it was before; null unless it was moved.
   */
  oldPath: string | null;
  status: "added" | "deleted" | "modified" | "renamed" | "type-changed";
  /**
   * Added lines; null for a binary file.
   */
  additions: number | null;
  /**
   * Removed lines; null for a binary file.
   */
  deletions: number | null;
}
/**
 * A changed file before and after. One that was moved is named by its new path.
 */
export interface FileContents {
  path: string;
  /**
   * Its text before; null where it was not there or is no text.
   */
  oldContent: string | null;
  /**
   * Its text now; null where it is not there or is no text.
   */
  newContent: string | null;
}
/**
 * What the job changed on its branch, follow-ups included, compared with the files before its first change to them. After its pull request was merged or closed, a follow-up begins anew.
 */
export interface JobChanges {
  /**
   * By path.
   */
  files: ChangedFile[];
  /**
   * False where files are missing: of a job from before changes were kept, and beyond 10,000 files.
   */
  complete: boolean;
  /**
   * True when the job failed or was archived before it could publish them: they are nowhere else.
   */
  discarded: boolean;
}
export interface ProjectSettings {
  /**
   * The documentation's folder in the repository; found by itself when absent.
   */
  docsPath?: string;
  /**
   * More path globs that may be published.
   *
   * @maxItems 100
   */
  allow?: string[];
  /**
   * Instructions for the agent, before those in the repository.
   */
  instructions?: string;
  /**
   * Archive a job when its pull request is merged. Off by default.
   */
  archiveOnMerge?: boolean;
  /**
   * Archive a job when its pull request is closed without a merge. Off by default.
   */
  archiveOnClose?: boolean;
  /**
   * The model of new jobs, as `provider:model`. The server's by default.
   */
  model?: string;
  /**
   * The model that goes on when the job's own cannot answer. The server's by default.
   */
  fallbackModel?: string;
  /**
   * Other models that a job may name when it is created. None by default.
   *
   * @maxItems 50
   */
  models?: string[];
  /**
   * Globs of branches that a job may name as its `ref`, like `release/*`. None by default, beside the project's own branch.
   *
   * @maxItems 50
   */
  allowedRefs?: string[];
  /**
   * What one job may cost in US dollars, follow-ups included. The server's limit holds as well, where it is lower.
   */
  costMaxUsd?: number;
  /**
   * How pull requests are opened.
   */
  pullRequests?: {
    /**
     * Open them as drafts. Off by default; a job may say otherwise.
     */
    draft?: boolean;
    /**
     * Labels that they get.
     *
     * @maxItems 20
     */
    labels?: string[];
    /**
     * Login names of people who are asked to review; on GitHub also `team:slug`.
     *
     * @maxItems 15
     */
    reviewers?: string[];
  };
  /**
   * Whose name commits bear.
   */
  commits?: {
    /**
     * Author and committer. Docent by default.
     */
    name?: string;
    /**
     * The address that belongs to the name.
     */
    email?: string;
    /**
     * Named in `Co-authored-by` trailers, as `Name <email>`.
     *
     * @maxItems 20
     */
    coAuthors?: string[];
    /**
     * Add `Signed-off-by` (Developer Certificate of Origin). Off by default.
     */
    signOff?: boolean;
    /**
     * Sign with the project's SSH key, which must have been made before. Off by default.
     */
    sign?: boolean;
  };
  /**
   * Where job status changes are posted.
   */
  webhookUrl?: string;
  /**
   * Whether reviews of a job's pull request, and comments on it that mention Docent, become messages to the job (the default).
   */
  comments?: "follow" | "ignore";
  /**
   * Repositories that the agent may read beside the documentation, and never writes.
   *
   * @maxItems 10
   */
  contextRepositories?: {
    /**
     * Its files are read under `@name/`.
     */
    name: string;
    /**
     * An http(s) Git URL without user info. On the project's own code host it is read with the project's credential.
     */
    url: string;
    /**
     * A branch; its default branch when absent.
     */
    ref?: string;
  }[];
  /**
   * MDX imports from outside the docs, exports and expressions that a job adds: name them in the pull request (the default), or refuse them.
   */
  newMdxCode?: "list" | "refuse";
  /**
   * How the project counts its readers.
   */
  analytics?: {
    /**
     * Origins whose browsers may report page views without a key, like `https://docs.example.com`. None by default.
     *
     * @maxItems 100
     */
    origins?: string[];
    /**
     * Which AI agents count as `ai`: all of them (the default), or only assistants and readers of Markdown. A change counts everything anew.
     */
    ai?: "all" | "assistants";
    /**
     * The sources that count for people. All by default.
     *
     * @minItems 1
     * @maxItems 4
     */
    peopleSources?: ("tracker" | "middleware" | "log" | "api")[];
    /**
     * The sources that count for AI agents. All by default.
     *
     * @minItems 1
     * @maxItems 4
     */
    agentSources?: ("tracker" | "middleware" | "log" | "api")[];
    /**
     * How often the secret behind the visitors' ids changes. After each change everybody counts as new. Never by default.
     */
    saltRotation?: "never" | "monthly" | "daily";
    /**
     * Views of readers who send Global Privacy Control: counted like any (the default), or dropped.
     */
    globalPrivacyControl?: "count" | "drop";
    /**
     * For how many days views are kept, today included. Forever by default.
     */
    retentionDays?: number;
  };
}
export interface Project {
  /**
   * `prj_` and a ULID: sorts by creation.
   */
  id: string;
  name: string;
  /**
   * Where the repository lies and pull requests are opened.
   */
  codeHost: "builtin" | "github" | "gitlab" | "gitea";
  /**
   * The repository's full URL on the code host.
   */
  repository: string;
  /**
   * The branch that jobs start from.
   */
  ref: string;
  /**
   * Of the repository's import.
   */
  state: "importing" | "ready" | "failed";
  /**
   * What went wrong and what to do; null unless `failed`.
   */
  importError: string | null;
  settings: ProjectSettings;
  /**
   * When the project was created. ISO 8601, UTC.
   */
  createdAt: string;
}
export interface ProjectList {
  projects: Project[];
}
/**
 * Which credentials a project keeps. Their values are never shown.
 */
export interface CredentialList {
  credentials: {
    /**
     * What it is for.
     */
    name: string;
    /**
     * When it was stored. ISO 8601, UTC.
     */
    updatedAt: string;
  }[];
}
export interface SigningKey {
  /**
   * As a code host takes it for a signing key: `ssh-ed25519 AAAA…`.
   */
  publicKey: string;
}
export interface ApiKey {
  /**
   * `key_` and a ULID: sorts by creation.
   */
  id: string;
  name: string;
  /**
   * `admin`: every operation of the project. `write`: create, message and archive jobs, push; includes `read`. `read`: jobs and analytics, clone. `collect`: report visits, nothing else.
   */
  scope: "admin" | "write" | "read" | "collect";
  /**
   * The key's first characters, to recognise it by.
   */
  start: string;
  /**
   * When it was last used, to the minute; null when it never was. ISO 8601, UTC.
   */
  lastUsedAt: string | null;
  /**
   * When it stops working; null for never. ISO 8601, UTC.
   */
  expiresAt: string | null;
  /**
   * Where it may be used from; empty for everywhere.
   */
  cidrs: string[];
  /**
   * When it was made. ISO 8601, UTC.
   */
  createdAt: string;
}
export interface NewApiKey {
  /**
   * `key_` and a ULID: sorts by creation.
   */
  id: string;
  name: string;
  /**
   * `admin`: every operation of the project. `write`: create, message and archive jobs, push; includes `read`. `read`: jobs and analytics, clone. `collect`: report visits, nothing else.
   */
  scope: "admin" | "write" | "read" | "collect";
  /**
   * The key's first characters, to recognise it by.
   */
  start: string;
  /**
   * When it was last used, to the minute; null when it never was. ISO 8601, UTC.
   */
  lastUsedAt: string | null;
  /**
   * When it stops working; null for never. ISO 8601, UTC.
   */
  expiresAt: string | null;
  /**
   * Where it may be used from; empty for everywhere.
   */
  cidrs: string[];
  /**
   * When it was made. ISO 8601, UTC.
   */
  createdAt: string;
  /**
   * The key itself. It is shown this once.
   */
  key: string;
}
export interface ApiKeyList {
  keys: ApiKey[];
}
export interface PullRequestComment {
  id: string;
  /**
   * Who said it; `Docent` for what Docent itself says.
   */
  author: string;
  /**
   * Markdown.
   */
  body: string;
  /**
   * When it was said. ISO 8601, UTC.
   */
  createdAt: string;
}
/**
 * A comment, and whether it became a message to the pull request's job.
 */
export interface CommentAnswer {
  comment: PullRequestComment;
  /**
   * The job that got it as a message; null when none did.
   */
  jobId: string | null;
  /**
   * Why no job got it, in a sentence; null when one did.
   */
  reason: string | null;
}
export interface ListedPullRequest {
  number: number;
  /**
   * The page where a person reads it.
   */
  url: string;
  state: "open" | "merged" | "closed";
  /**
   * Not ready to be merged yet.
   */
  draft: boolean;
  labels: string[];
  title: string;
  headBranch: string;
  baseBranch: string;
  /**
   * When it was opened. ISO 8601, UTC.
   */
  createdAt: string;
  /**
   * When it was merged or closed, else null.
   */
  endedAt: string | null;
  /**
   * The job that made it; null when there is none.
   */
  job: {
    id: string;
    status: "active" | "completed" | "failed" | "archived";
  } | null;
}
export interface PullRequestList {
  pulls: ListedPullRequest[];
  /**
   * The `cursor` of the next page; null on the last.
   */
  nextCursor: string | null;
}
/**
 * A pull request and what it changes.
 */
export interface PullRequest {
  number: number;
  /**
   * The page where a person reads it.
   */
  url: string;
  state: "open" | "merged" | "closed";
  /**
   * Not ready to be merged yet.
   */
  draft: boolean;
  labels: string[];
  title: string;
  headBranch: string;
  baseBranch: string;
  /**
   * When it was opened. ISO 8601, UTC.
   */
  createdAt: string;
  /**
   * When it was merged or closed, else null.
   */
  endedAt: string | null;
  /**
   * The job that made it; null when there is none.
   */
  job: {
    id: string;
    status: "active" | "completed" | "failed" | "archived";
  } | null;
  /**
   * Markdown.
   */
  body: string;
  headCommit: string | null;
  /**
   * Null unless it is open.
   */
  mergeable: boolean | null;
  /**
   * The files that keep it from being merged.
   */
  conflicts: string[];
  checks: {
    /**
     * `Merge`, while it is open, and `Documentation`.
     */
    name: string;
    state: "passed" | "failed" | "unknown";
    /**
     * What was found, in a sentence.
     */
    summary: string;
    /**
     * Each on a line; at most 100.
     */
    problems: string[];
  }[];
  /**
   * Oldest first.
   */
  comments: PullRequestComment[];
  /**
   * Oldest first, the newest 250.
   */
  commits: {
    oid: string;
    title: string;
    /**
     * The rest of the message; may be empty.
     */
    message: string;
    authorName: string;
    /**
     * When the change was made. ISO 8601 with the author's offset.
     */
    authoredAt: string;
  }[];
  files: ChangedFile[];
}
export interface Counts {
  /**
   * People.
   */
  human: number;
  /**
   * AI agents, by the definition in `Docent-AI-Definition`.
   */
  ai: number;
  /**
   * Both; of visitors, one that was seen as both counts once.
   */
  total: number;
}
export interface PathCounts {
  /**
   * Without query, hash, trailing slash or extension; `/` is the root page.
   */
  path: string;
  /**
   * People.
   */
  human: number;
  /**
   * AI agents, by the definition in `Docent-AI-Definition`.
   */
  ai: number;
  /**
   * Both; of visitors, one that was seen as both counts once.
   */
  total: number;
}
export interface VisitorsReport {
  totals: Counts;
  /**
   * Unique visitors of each page. In the order of `sort` and `order`, then by `path`.
   */
  visitors: PathCounts[];
  /**
   * There are more rows: ask again with `offset` increased by `limit`.
   */
  hasMore: boolean;
}
export interface ViewsReport {
  totals: Counts;
  /**
   * Page views of each page. In the order of `sort` and `order`, then by `path`.
   */
  views: PathCounts[];
  /**
   * There are more rows: ask again with `offset` increased by `limit`.
   */
  hasMore: boolean;
}
export interface AgentsReport {
  /**
   * By `visitors` descending, then by `name`.
   */
  agents: {
    name: string;
    /**
     * Who runs it; null when that is not known.
     */
    operator: string | null;
    /**
     * `assistant`: reads for a person who asks. `search`: for a search index. `training`: for a model. `reader`: an unknown client that fetches Markdown.
     */
    purpose: "assistant" | "search" | "training" | "reader";
    /**
     * Unique visitors. One that was seen as two agents counts for each.
     */
    visitors: number;
    /**
     * Page views.
     */
    views: number;
  }[];
}
export interface BotsReport {
  /**
   * By `visitors` descending, then by `name`.
   */
  bots: {
    name: string;
    /**
     * Unique visitors: addresses that it came from.
     */
    visitors: number;
    /**
     * Page views, missing pages among them.
     */
    views: number;
  }[];
}
export interface TimeseriesReport {
  /**
   * The days on which somebody came, ascending.
   */
  days: {
    /**
     * In UTC.
     */
    day: string;
    visitors: Counts;
    views: Counts;
  }[];
}
export interface NotFoundReport {
  totals: Counts;
  /**
   * Unique visitors of each missing path. In the order of `sort` and `order`, then by `path`.
   */
  paths: PathCounts[];
  /**
   * There are more rows: ask again with `offset` increased by `limit`.
   */
  hasMore: boolean;
}
/**
 * One event of work that takes a while.
 */
export interface ProgressEvent {
  /**
   * `done` and `failed` are the last.
   */
  type: "progress" | "done" | "failed";
  /**
   * Steps that are done, of `total`.
   */
  done?: number;
  /**
   * Steps there are.
   */
  total?: number;
  /**
   * Why it failed.
   */
  error?: string;
}
/**
 * How far one run of an import came.
 */
export interface LogImport {
  /**
   * The run's name, as its client chose it.
   */
  id: string;
  /**
   * How many of the log's uncompressed bytes are imported.
   */
  bytes: number;
  /**
   * Of those bytes. SHA-256, 64 hexadecimal digits.
   */
  sha256: string;
  /**
   * When the run began. ISO 8601, UTC.
   */
  createdAt: string;
  /**
   * When it came this far. ISO 8601, UTC.
   */
  updatedAt: string;
}
export interface LogImportList {
  /**
   * The furthest first.
   */
  imports: LogImport[];
}
export interface LogChunkResult {
  /**
   * How far the log is imported now, at least.
   */
  bytes: number;
  /**
   * Views of this chunk that are stored.
   */
  accepted: number;
  rejected: {
    /**
     * Why, for a program. Stable.
     */
    code: string;
    /**
     * Why, for a person.
     */
    message: string;
    /**
     * Views that are not stored for this reason.
     */
    count: number;
    /**
     * The first of them, by its number in the chunk, from 0.
     */
    example: number;
  }[];
  /**
   * The chunk was stored by an earlier request; nothing was counted again.
   */
  repeated: boolean;
}
/**
 * One page view. Of an event that a browser sends without a key, only `url` or `path`, `referrer`, `status`, `method` and the two flags are read; the rest comes from the connection.
 */
export interface CollectEvent {
  /**
   * The page's URL, http or https. Its query and hash are not kept.
   */
  url?: string;
  /**
   * Instead of `url`: the page's path, from the slash on.
   */
  path?: string;
  /**
   * The site's own id of the visitor, at most 500 characters. It is stored as a keyed hash.
   */
  visitorId?: string;
  /**
   * Without `visitorId`: the visitor's address. It is never stored.
   */
  ip?: string;
  /**
   * The visitor's User-Agent header: it tells people, AI agents and bots apart.
   */
  userAgent?: string;
  /**
   * The Referer header. Its host is kept.
   */
  referrer?: string;
  /**
   * The visitor's Accept header: it tells who asked for Markdown.
   */
  accept?: string;
  /**
   * The request's method; only `GET` counts. Default `GET`.
   */
  method?: string;
  /**
   * The answer's status. 200, 203 and 304 count as views, 404 and 410 as missing pages, others not. Default 200.
   */
  status?: number;
  /**
   * When it was: ISO 8601 with a time zone, or milliseconds since 1970. From 1971 to 10 minutes from now. Default now.
   */
  timestamp?: string | number;
  /**
   * Where the view was seen. Default `api`.
   */
  source?: "tracker" | "middleware" | "log" | "api";
  /**
   * The page was fetched ahead of its need, by `Sec-Purpose: prefetch`. Does not count.
   */
  prefetch?: boolean;
  /**
   * The visitor sent `Sec-GPC: 1`. The project's settings say whether it counts.
   */
  globalPrivacyControl?: boolean;
}
export interface CollectResult {
  /**
   * How many events are stored.
   */
  accepted: number;
  /**
   * The others. Sending them again does not help.
   */
  rejected: {
    /**
     * The event's place in the request, from 0.
     */
    index: number;
    /**
     * Stable.
     */
    code:
      | "invalid_event"
      | "invalid_field"
      | "invalid_url"
      | "invalid_timestamp"
      | "no_visitor"
      | "timestamp_in_future"
      | "timestamp_before_1971"
      | "timestamp_before_retention"
      | "method_not_get"
      | "status_not_page_view"
      | "not_a_page"
      | "prefetch"
      | "global_privacy_control";
    /**
     * What is wrong, for a person.
     */
    message: string;
  }[];
}
/**
 * A change of a job's status on its way to the project's `webhookUrl`.
 */
export interface WebhookDelivery {
  /**
   * The `webhook-id` that the receiver sees, the same at every attempt.
   */
  id: string;
  jobId: string;
  type: "job.active" | "job.completed" | "job.failed" | "job.archived";
  /**
   * `failed`: given up.
   */
  state: "waiting" | "delivered" | "failed";
  /**
   * One that is under way included.
   */
  attempts: number;
  /**
   * When it is tried next; null unless it waits. ISO 8601, UTC.
   */
  nextAttemptAt: string | null;
  /**
   * Of the last attempt; null when no answer came.
   */
  responseStatus: number | null;
  /**
   * What was wrong with the last attempt.
   */
  error: string | null;
  /**
   * When the status changed. ISO 8601, UTC.
   */
  createdAt: string;
  /**
   * When it was delivered or given up; null while it waits. ISO 8601, UTC.
   */
  endedAt: string | null;
  /**
   * What is sent: `type`, `timestamp` and `data`, the job as it was.
   */
  payload: {
    [k: string]: unknown;
  };
}
export interface WebhookDeliveryList {
  deliveries: WebhookDelivery[];
  /**
   * The `cursor` of the next page; null on the last.
   */
  nextCursor: string | null;
}
export interface WebhookSecret {
  /**
   * `whsec_…`, as Standard Webhooks' libraries take it. It is shown this once.
   */
  secret: string;
  /**
   * Until when deliveries are signed with the secret before, too; null when there was none. ISO 8601, UTC.
   */
  previousUntil: string | null;
}
export interface CodeHostWebhook {
  /**
   * Where the code host sends to.
   */
  url: string;
  /**
   * GitHub, Gitea and Forgejo: the secret. GitLab: the signing token, or the secret token where there is none. It is shown this once.
   */
  secret: string;
}
export interface WebhookResult {
  outcomes: {
    /**
     * A message to the job, the state of its pull request, or nothing.
     */
    type: "message" | "pull-request" | "ignored";
    jobId?: string;
    /**
     * Why nothing followed.
     */
    reason?: string;
  }[];
}
export interface User {
  id: string;
  name: string;
  email: string;
  /**
   * `viewer`: reads. `editor`: also works inside the projects: jobs, pull requests, keys, settings. `owner`: also makes and deletes projects and decides who may sign in.
   */
  role: "viewer" | "editor" | "owner";
}
export interface Session {
  /**
   * Who is signed in; null when nobody is.
   */
  user: User | null;
  /**
   * When the session ends, unless it is used before. ISO 8601, UTC.
   */
  expiresAt: string | null;
  /**
   * People can sign in with e-mail and password.
   */
  passwordSignIn: boolean;
  /**
   * What the OIDC provider is called that people can sign in at: the browser goes to `/v1/sign-in/oidc?next=…`.
   */
  oidcSignIn: string | null;
}
export interface Invitation {
  id: string;
  /**
   * `viewer`: reads. `editor`: also works inside the projects: jobs, pull requests, keys, settings. `owner`: also makes and deletes projects and decides who may sign in.
   */
  role: "viewer" | "editor" | "owner";
  /**
   * The only address that may accept it; null for any.
   */
  email: string | null;
  /**
   * `first_owner`: printed when the service starts, while nobody is an owner. `recovery`: gives the account of its address a new password and the role of an owner.
   */
  purpose: "invitation" | "first_owner" | "recovery";
  /**
   * Who made it.
   */
  invitedBy: string;
  /**
   * When it was made. ISO 8601, UTC.
   */
  createdAt: string;
  /**
   * Until when it can be accepted. ISO 8601, UTC.
   */
  expiresAt: string;
}
export interface NewInvitation {
  id: string;
  /**
   * `viewer`: reads. `editor`: also works inside the projects: jobs, pull requests, keys, settings. `owner`: also makes and deletes projects and decides who may sign in.
   */
  role: "viewer" | "editor" | "owner";
  /**
   * The only address that may accept it; null for any.
   */
  email: string | null;
  /**
   * `first_owner`: printed when the service starts, while nobody is an owner. `recovery`: gives the account of its address a new password and the role of an owner.
   */
  purpose: "invitation" | "first_owner" | "recovery";
  /**
   * Who made it.
   */
  invitedBy: string;
  /**
   * When it was made. ISO 8601, UTC.
   */
  createdAt: string;
  /**
   * Until when it can be accepted. ISO 8601, UTC.
   */
  expiresAt: string;
  /**
   * The link. It is shown this once; whoever has it can use it.
   */
  url: string;
}
export interface InvitationList {
  invitations: Invitation[];
}
export interface OfferedInvitation {
  /**
   * `viewer`: reads. `editor`: also works inside the projects: jobs, pull requests, keys, settings. `owner`: also makes and deletes projects and decides who may sign in.
   */
  role: "viewer" | "editor" | "owner";
  /**
   * The only address that may accept it; null for any.
   */
  email: string | null;
  /**
   * It gives an account that there is already a new password; it then needs no name.
   */
  resetsPassword: boolean;
  /**
   * Until when it can be accepted. ISO 8601, UTC.
   */
  expiresAt: string;
}
export interface Member {
  id: string;
  name: string;
  email: string;
  /**
   * `viewer`: reads. `editor`: also works inside the projects: jobs, pull requests, keys, settings. `owner`: also makes and deletes projects and decides who may sign in.
   */
  role: "viewer" | "editor" | "owner";
  /**
   * When the account was made. ISO 8601, UTC.
   */
  createdAt: string;
  /**
   * When they last used a session that has not ended, to a few minutes; null without one. ISO 8601, UTC.
   */
  lastSeenAt: string | null;
  hasPassword: boolean;
  /**
   * They sign in at the OIDC provider, and their role follows their groups there at each sign-in.
   */
  hasOidc: boolean;
}
export interface MemberList {
  members: Member[];
}
export interface Account {
  id: string;
  name: string;
  email: string;
  /**
   * `viewer`: reads. `editor`: also works inside the projects: jobs, pull requests, keys, settings. `owner`: also makes and deletes projects and decides who may sign in.
   */
  role: "viewer" | "editor" | "owner";
  /**
   * False for people who sign in at the OIDC provider alone.
   */
  hasPassword: boolean;
}
export interface OpenSession {
  id: string;
  /**
   * It is the one that asks.
   */
  isCurrent: boolean;
  /**
   * What the browser calls itself.
   */
  userAgent: string | null;
  /**
   * The IP address that it was last used from.
   */
  address: string | null;
  /**
   * When it began. ISO 8601, UTC.
   */
  createdAt: string;
  /**
   * When it was last used, to a few minutes. ISO 8601, UTC.
   */
  lastSeenAt: string;
  /**
   * When it ends, unless it is used before. ISO 8601, UTC.
   */
  expiresAt: string;
}
export interface OpenSessionList {
  sessions: OpenSession[];
}
export interface AuditEntry {
  id: string;
  /**
   * When it happened. ISO 8601, UTC.
   */
  at: string;
  /**
   * Who did it.
   */
  actor: {
    /**
     * `administrator`: a holder of the admin token. `system`: Docent by itself.
     */
    type: "user" | "administrator" | "key" | "system";
    id: string | null;
    /**
     * As it was then.
     */
    name: string;
  };
  action:
    | "project.created"
    | "project.changed"
    | "project.deleted"
    | "key.created"
    | "key.revoked"
    | "credential.stored"
    | "credential.removed"
    | "member.invited"
    | "member.joined"
    | "member.role_changed"
    | "member.removed"
    | "invitation.revoked"
    | "password.changed"
    | "recovery.started"
    | "recovery.completed";
  /**
   * Where it happened, when in a project.
   */
  projectId: string | null;
  /**
   * What was done something to.
   */
  subject: {
    id: string | null;
    name: string;
  } | null;
  /**
   * What belongs to the action: `role`, `from` and `to`, `scope`, `changes`. Never a secret.
   */
  details: {
    [k: string]: string;
  };
  /**
   * The client's IP address.
   */
  address: string | null;
}
export interface AuditLog {
  entries: AuditEntry[];
  /**
   * The `cursor` of the next page; null on the last.
   */
  nextCursor: string | null;
}
export interface CreateJobBody {
  /**
   * The instruction. Up to 100,000 characters (Unicode code points), not only white space, without NUL or unpaired surrogates.
   */
  prompt: string;
  /**
   * The branch to start from and to open the pull request against: the project's own, or one that its `allowedRefs` name.
   */
  ref?: string;
  /**
   * Open the pull request as a draft. The project's setting by default.
   */
  draft?: boolean;
  /**
   * The model, as `provider:model`: the project's own, or one that its `models` name.
   */
  model?: string;
}
export interface MessageJobBody {
  /**
   * The instruction. Up to 100,000 characters (Unicode code points), not only white space, without NUL or unpaired surrogates.
   */
  prompt: string;
}
export interface ListJobsQuery {
  /**
   * Jobs on a page.
   */
  limit?: number;
  /**
   * `nextCursor` of the page before.
   */
  cursor?: string;
  status?: "active" | "completed" | "failed" | "archived";
  /**
   * Only jobs with this text in their title or in a prompt, in whatever case.
   */
  search?: string;
}
export interface GetJobFileQuery {
  /**
   * The file's `path`.
   */
  path: string;
}
export interface CreateProjectBody {
  /**
   * For people.
   */
  name: string;
  /**
   * With `builtin`: what to import, an http(s) Git URL or the absolute path of a repository on the server's machine; the original is never written, and without it the project begins with an empty documentation repository. With another code host: the repository to work on, its URL or `owner/name`.
   */
  repository?: string;
  /**
   * `gitea` is for Forgejo too. With `builtin` the repository is imported into Docent.
   */
  codeHost?: "builtin" | "github" | "gitlab" | "gitea";
  /**
   * Where people open the code host, when the repository's URL does not say it: for `owner/name`, and for hosts under a path such as `https://example.com/gitlab`.
   */
  codeHostUrl?: string;
  /**
   * What the code host accepts: `token` or `githubApp`. Stored encrypted, never shown. Absent: the server's own for that host.
   */
  credential?: {
    /**
     * A token of the code host.
     */
    token?: string;
    /**
     * A GitHub App, instead of a token.
     */
    githubApp?: {
      appId: number;
      /**
       * Looked up by the repository when absent.
       */
      installationId?: number;
      /**
       * PEM, as GitHub gives it.
       */
      privateKey: string;
    };
  };
  /**
   * The branch that jobs start from.
   */
  ref?: string;
  settings?: ProjectSettings;
}
export interface UpdateProjectBody {
  /**
   * For people.
   */
  name?: string;
  /**
   * The branch that jobs start from.
   */
  ref?: string;
  /**
   * What the code host accepts: `token` or `githubApp`. Stored encrypted, never shown. Absent: the server's own for that host.
   */
  credential?: {
    /**
     * A token of the code host.
     */
    token?: string;
    /**
     * A GitHub App, instead of a token.
     */
    githubApp?: {
      appId: number;
      /**
       * Looked up by the repository when absent.
       */
      installationId?: number;
      /**
       * PEM, as GitHub gives it.
       */
      privateKey: string;
    };
  };
  settings?: ProjectSettings;
}
export interface StoreCredentialBody {
  /**
   * The key. It is stored encrypted and never shown again.
   */
  value: string;
}
export interface CreateKeyBody {
  /**
   * For people.
   */
  name: string;
  /**
   * `admin`: every operation of the project. `write`: create, message and archive jobs, push; includes `read`. `read`: jobs and analytics, clone. `collect`: report visits, nothing else.
   */
  scope?: "admin" | "write" | "read" | "collect";
  /**
   * When it stops working, in the future; absent or null for never. ISO 8601, UTC.
   */
  expiresAt?: string | null;
  /**
   * Addresses and CIDR ranges, IPv4 or IPv6, that it may be used from; absent or empty for everywhere.
   *
   * @maxItems 100
   */
  cidrs?: string[];
}
export interface SignInBody {
  email: string;
  password: string;
}
export interface LookUpInvitationBody {
  /**
   * What follows the `#` in the link.
   */
  token: string;
}
export interface AcceptInvitationBody {
  /**
   * What follows the `#` in the link.
   */
  token: string;
  name?: string;
  email?: string;
  password: string;
}
export interface CreateInvitationBody {
  /**
   * `viewer`: reads. `editor`: also works inside the projects: jobs, pull requests, keys, settings. `owner`: also makes and deletes projects and decides who may sign in.
   */
  role: "viewer" | "editor" | "owner";
  email?: string | null;
}
export interface RecoverOwnerBody {
  email: string;
}
export interface ChangeMemberRoleBody {
  /**
   * `viewer`: reads. `editor`: also works inside the projects: jobs, pull requests, keys, settings. `owner`: also makes and deletes projects and decides who may sign in.
   */
  role: "viewer" | "editor" | "owner";
}
export interface UpdateAccountBody {
  name: string;
}
export interface ChangePasswordBody {
  currentPassword: string;
  newPassword: string;
}
export interface BeginOidcSignInQuery {
  /**
   * A path of this service, for when they are signed in.
   */
  next?: string;
}
export interface GetAuditLogQuery {
  /**
   * Entries on a page.
   */
  limit?: number;
  /**
   * `nextCursor` of the page before.
   */
  cursor?: string;
  /**
   * Only what concerns this project.
   */
  projectId?: string;
}
export interface ListPullRequestsQuery {
  /**
   * Pull requests on a page.
   */
  limit?: number;
  /**
   * `nextCursor` of the page before.
   */
  cursor?: string;
  state?: "open" | "merged" | "closed";
}
export interface GetPullRequestFileQuery {
  /**
   * The file's `path`.
   */
  path: string;
}
export interface CommentPullRequestBody {
  /**
   * Markdown. Up to 100,000 characters (Unicode code points), not only white space, without NUL or unpaired surrogates.
   */
  body: string;
}
export interface MergePullRequestQuery {
  /**
   * Merge only if the branch still stands at this commit (`headCommit`).
   */
  head?: string;
}
export interface ClosePullRequestQuery {
  /**
   * Merge only if the branch still stands at this commit (`headCommit`).
   */
  head?: string;
}
export interface FindImportsQuery {
  /**
   * Of the log's first line that is no header, without its line end. SHA-256, 64 hexadecimal digits.
   */
  firstLine: string;
}
export interface ImportChunkBody {
  /**
   * Of the log's first line that is no header, without its line end. SHA-256, 64 hexadecimal digits.
   */
  firstLine: string;
  /**
   * The point where this chunk begins: the end of the one before, or of an import that is already known.
   */
  from: {
    /**
     * Uncompressed bytes before it.
     */
    bytes: number;
    /**
     * Of those bytes. SHA-256, 64 hexadecimal digits.
     */
    sha256: string;
  };
  /**
   * The point where it ends.
   */
  to: {
    /**
     * Uncompressed bytes before it.
     */
    bytes: number;
    /**
     * Of those bytes. SHA-256, 64 hexadecimal digits.
     */
    sha256: string;
  };
  /**
   * Imports further on than `from` whose bytes were compared and are another log's.
   *
   * @maxItems 10000
   */
  others?: string[];
  /**
   * The clients' addresses, each once. They are hashed and not stored.
   *
   * @maxItems 200000
   */
  addresses: string[];
  /**
   * User agents, each once.
   *
   * @maxItems 200000
   */
  userAgents: string[];
  /**
   * Pages, each once for each way of answering it.
   *
   * @maxItems 200000
   */
  pages: {
    /**
     * The path, or the URL.
     */
    path: string;
    /**
     * What it was answered with.
     */
    status: number;
    /**
     * `text/markdown` where Markdown was asked for or sent.
     */
    accept?: string;
  }[];
  /**
   * Hosts or URLs that linked here, each once, or an empty text.
   *
   * @maxItems 200000
   */
  referrers: string[];
  /**
   * Columns of the same length, with one entry a view.
   */
  views: {
    /**
     * When: seconds since the view before, since 1970 for the first.
     *
     * @maxItems 200000
     */
    seconds: number[];
    /**
     * Positions in `addresses`.
     *
     * @maxItems 200000
     */
    addresses: number[];
    /**
     * Positions in `userAgents`.
     *
     * @maxItems 200000
     */
    userAgents: number[];
    /**
     * Positions in `pages`.
     *
     * @maxItems 200000
     */
    pages: number[];
    /**
     * Positions in `referrers`.
     *
     * @maxItems 200000
     */
    referrers: number[];
  };
  /**
   * The views, by their number from 0, whose readers sent Global Privacy Control.
   *
   * @maxItems 200000
   */
  globalPrivacyControl?: number[];
}
export interface GetVisitorsQuery {
  /**
   * The first day. Absent: since the first visit. `YYYY-MM-DD`, or an ISO 8601 timestamp, which stands for the UTC day that it falls on.
   */
  dateFrom?: string;
  /**
   * The day after the last one: it is not included. Absent: up to and including today. `YYYY-MM-DD`, or an ISO 8601 timestamp, which stands for the UTC day that it falls on.
   */
  dateTo?: string;
  /**
   * Rows on a page.
   */
  limit?: number;
  /**
   * Rows to skip; (page - 1) * limit for a page.
   */
  offset?: number;
  /**
   * Rows whose path holds this text, in upper or lower case. `totals` stay those of all paths.
   */
  search?: string;
  /**
   * What the rows are ordered by.
   */
  sort?: "total" | "human" | "ai" | "path";
  /**
   * `desc` when absent; with `sort=path`, `asc`. Equal rows are always by path.
   */
  order?: "asc" | "desc";
}
export interface GetViewsQuery {
  /**
   * The first day. Absent: since the first visit. `YYYY-MM-DD`, or an ISO 8601 timestamp, which stands for the UTC day that it falls on.
   */
  dateFrom?: string;
  /**
   * The day after the last one: it is not included. Absent: up to and including today. `YYYY-MM-DD`, or an ISO 8601 timestamp, which stands for the UTC day that it falls on.
   */
  dateTo?: string;
  /**
   * Rows on a page.
   */
  limit?: number;
  /**
   * Rows to skip; (page - 1) * limit for a page.
   */
  offset?: number;
  /**
   * Rows whose path holds this text, in upper or lower case. `totals` stay those of all paths.
   */
  search?: string;
  /**
   * What the rows are ordered by.
   */
  sort?: "total" | "human" | "ai" | "path";
  /**
   * `desc` when absent; with `sort=path`, `asc`. Equal rows are always by path.
   */
  order?: "asc" | "desc";
}
export interface GetNotFoundQuery {
  /**
   * The first day. Absent: since the first visit. `YYYY-MM-DD`, or an ISO 8601 timestamp, which stands for the UTC day that it falls on.
   */
  dateFrom?: string;
  /**
   * The day after the last one: it is not included. Absent: up to and including today. `YYYY-MM-DD`, or an ISO 8601 timestamp, which stands for the UTC day that it falls on.
   */
  dateTo?: string;
  /**
   * Rows on a page.
   */
  limit?: number;
  /**
   * Rows to skip; (page - 1) * limit for a page.
   */
  offset?: number;
  /**
   * Rows whose path holds this text, in upper or lower case. `totals` stay those of all paths.
   */
  search?: string;
  /**
   * What the rows are ordered by.
   */
  sort?: "total" | "human" | "ai" | "path";
  /**
   * `desc` when absent; with `sort=path`, `asc`. Equal rows are always by path.
   */
  order?: "asc" | "desc";
}
export interface GetAgentsQuery {
  /**
   * The first day. Absent: since the first visit. `YYYY-MM-DD`, or an ISO 8601 timestamp, which stands for the UTC day that it falls on.
   */
  dateFrom?: string;
  /**
   * The day after the last one: it is not included. Absent: up to and including today. `YYYY-MM-DD`, or an ISO 8601 timestamp, which stands for the UTC day that it falls on.
   */
  dateTo?: string;
}
export interface GetBotsQuery {
  /**
   * The first day. Absent: since the first visit. `YYYY-MM-DD`, or an ISO 8601 timestamp, which stands for the UTC day that it falls on.
   */
  dateFrom?: string;
  /**
   * The day after the last one: it is not included. Absent: up to and including today. `YYYY-MM-DD`, or an ISO 8601 timestamp, which stands for the UTC day that it falls on.
   */
  dateTo?: string;
}
export interface GetTimeseriesQuery {
  /**
   * The first day. Absent: since the first visit. `YYYY-MM-DD`, or an ISO 8601 timestamp, which stands for the UTC day that it falls on.
   */
  dateFrom?: string;
  /**
   * The day after the last one: it is not included. Absent: up to and including today. `YYYY-MM-DD`, or an ISO 8601 timestamp, which stands for the UTC day that it falls on.
   */
  dateTo?: string;
}
export interface EraseVisitorBody {
  /**
   * The id that the site itself gave.
   */
  visitorId?: string;
  /**
   * With `userAgent`, for a visitor without an id: the address.
   */
  ip?: string;
  /**
   * The User-Agent header, empty for none.
   */
  userAgent?: string;
}
export interface ListWebhookDeliveriesQuery {
  /**
   * Deliveries on a page.
   */
  limit?: number;
  /**
   * `nextCursor` of the page before.
   */
  cursor?: string;
  state?: "waiting" | "delivered" | "failed";
}
