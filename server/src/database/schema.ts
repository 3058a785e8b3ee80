import type { ColumnType, Generated, JSONColumnType } from "kysely";
import type { ProjectSettings } from "./project-settings.ts";

export type {
  AnalyticsSettings,
  CommitSettings,
  ContextRepository,
  ProjectSettings,
  ViewSource,
} from "./project-settings.ts";

/** The control data, table by table, as the migrations make it. `bigint` columns arrive as numbers. */
export interface Schema {
  projects: ProjectsTable;
  api_keys: ApiKeysTable;
  jobs: JobsTable;
  job_messages: JobMessagesTable;
  job_events: JobEventsTable;
  job_files: JobFilesTable;
  job_base_files: JobBaseFilesTable;
  idempotency_keys: IdempotencyKeysTable;
  rate_limit_windows: RateLimitWindowsTable;
  builtin_repositories: BuiltinRepositoriesTable;
  builtin_pull_requests: BuiltinPullRequestsTable;
  builtin_pull_request_comments: BuiltinPullRequestCommentsTable;
  project_credentials: ProjectCredentialsTable;
  webhook_deliveries: WebhookDeliveriesTable;
  webhook_receipts: WebhookReceiptsTable;
  settings: SettingsTable;
  analytics_batches: AnalyticsBatchesTable;
  analytics_counts: AnalyticsCountsTable;
  analytics_salts: AnalyticsSaltsTable;
  analytics_imports: AnalyticsImportsTable;
  users: UsersTable;
  sessions: SessionsTable;
  accounts: AccountsTable;
  verifications: VerificationsTable;
  invitations: InvitationsTable;
  audit_log: AuditLogTable;
}

type Timestamp = ColumnType<Date, Date, Date>;
/** Now, unless given. */
type DefaultedTimestamp = ColumnType<Date, Date | undefined, Date>;
type NullableTimestamp = ColumnType<Date | null, Date | null | undefined, Date | null>;

export type CodeHostName = "builtin" | "github" | "gitlab" | "gitea";

export interface ProjectsTable {
  id: string;
  name: string;
  code_host: CodeHostName;
  /** Where people open the code host, like `https://github.com`; null for the built-in one. */
  code_host_url: ColumnType<string | null, string | null | undefined, string | null>;
  /** The code host's own name of the repository. */
  repository: string;
  /** The branch that jobs start from. */
  ref: string;
  settings: JSONColumnType<ProjectSettings>;
  created_at: DefaultedTimestamp;
  deleted_at: NullableTimestamp;
}

export type KeyScope = "admin" | "write" | "read" | "collect";

export interface ApiKeysTable {
  id: string;
  project_id: string;
  name: string;
  scope: KeyScope;
  /** SHA-256 of the whole key. */
  hash: Buffer;
  /** The first characters, to recognise a key by. */
  start: string;
  cidrs: string[];
  expires_at: NullableTimestamp;
  revoked_at: NullableTimestamp;
  /** To the minute. */
  last_used_at: NullableTimestamp;
  created_at: DefaultedTimestamp;
}

export type JobStatus = "active" | "completed" | "failed" | "archived";

/** Who asked for something. `comment`: somebody on the code host. */
export interface Author {
  type: "user" | "key" | "administrator" | "comment";
  name: string;
}

export interface JobsTable {
  id: string;
  project_id: string;
  /** What it was asked first, then its pull request's. */
  title: Generated<string>;
  /** Null when it was created before this was kept. */
  author: ColumnType<Author | null, string | null | undefined, string | null>;
  status: JobStatus;
  model: string;
  repository_url: string;
  ref: string;
  created_at: DefaultedTimestamp;
  archived_at: NullableTimestamp;
  failure_reason: string | null;
  branch: string | null;
  pull_request_number: number | null;
  pull_request_url: string | null;
  pull_request_state: "open" | "merged" | "closed" | null;
  /** Raised by every claim; a worker's writes hold only while it is the one it claimed. */
  generation: Generated<number>;
  worker: string | null;
  /** While in the future, `worker` is at it. An active job whose lease is null or past is waiting for a worker. */
  lease_expires_at: NullableTimestamp;
  /** Not to be claimed before. */
  run_at: DefaultedTimestamp;
  /** Claims since the last newly persisted step. */
  pickups: Generated<number>;
  /** What went wrong at the last pick-up, until a step is persisted again. */
  last_error: string | null;
  turn: Generated<number>;
  turn_started_at: NullableTimestamp;
  turn_base_commit: string | null;
  turn_branch: string | null;
  /** The first turn on `turn_branch`; null when it began before changes were kept. */
  branch_turn: number | null;
  /** Turns that failed after they had begun: what they changed was never published. */
  discarded_turns: Generated<number[]>;
  /** The publishing intent, null when there is none. */
  publish: ColumnType<PublishIntent | null, string | null | undefined, string | null>;
  steps: Generated<number>;
  input_tokens: Generated<number>;
  output_tokens: Generated<number>;
  /** Of the input tokens, those that the provider had in its cache. */
  cached_input_tokens: Generated<number>;
  /** How often it was put aside to wait for its model since the last newly persisted step. */
  waits: Generated<number>;
  /** Billionths of a US dollar: whole numbers for all prices per million tokens. Null once a step's price is not known. */
  cost_nano_usd: ColumnType<number | null, number | null | undefined, number | null>;
  last_position: Generated<number>;
  /** Its pull request is opened as a draft. */
  draft: Generated<boolean>;
  /** When the code host was last asked for the pull request's state. */
  pull_request_checked_at: NullableTimestamp;
}

export interface PublishIntent {
  branch: string;
  commit: string;
  /** Of the commit, so that it can be made again elsewhere, whatever the project's settings are by then. */
  message: string;
  /** Docent when absent. */
  author?: { name: string; email: string };
  /** The commit's, when it is signed. */
  signature?: string;
  /** What the branch must point to before the push; null when it must not exist. */
  expected: string | null;
  title: string;
  body: string;
  /** What is added to the body of a pull request that is there already. */
  addition: string | null;
}

export interface JobMessagesTable {
  id: string;
  job_id: string;
  sequence: Generated<number>;
  prompt: string;
  created_at: DefaultedTimestamp;
  /** The position of the event that took it into the transcript; null while unread. */
  read_at_position: number | null;
  /** Where it came from, when not from the API. */
  origin: ColumnType<MessageOrigin | null, string | null | undefined, string | null>;
  /** Null when it was sent before this was kept. */
  author: ColumnType<Author | null, string | null | undefined, string | null>;
}

/** A comment on the job's pull request. */
export interface MessageOrigin {
  type: "comment";
  /** Its page. */
  url: string;
  /** The login name on the code host. */
  author: string;
}

export interface JobEventsTable {
  job_id: string;
  position: number;
  type: string;
  data: JSONColumnType<object>;
  created_at: DefaultedTimestamp;
}

export interface JobFilesTable {
  job_id: string;
  turn: number;
  position: number;
  path: string;
  mode: string;
  content: Buffer | null;
}

/** The files that a turn changed, as they were before its first change. */
export interface JobBaseFilesTable {
  job_id: string;
  turn: number;
  path: string;
  /** Null: there was no such file. */
  mode: string | null;
  /** Null also when it was too large to be read. */
  content: Buffer | null;
}

export interface IdempotencyKeysTable {
  project_id: string;
  operation: string;
  key: string;
  request_hash: Buffer;
  response: JSONColumnType<object>;
  created_at: DefaultedTimestamp;
}

export interface RateLimitWindowsTable {
  subject: string;
  window_start: Timestamp;
  count: number;
}

export interface BuiltinRepositoriesTable {
  name: string;
  default_branch: string;
  state: "importing" | "ready" | "failed";
  import_url: string | null;
  /** The user info of the import URL, encrypted; never shown. */
  import_credential: Buffer | null;
  import_error: string | null;
  created_at: DefaultedTimestamp;
}

export interface BuiltinPullRequestsTable {
  repository: string;
  number: number;
  title: string;
  body: string;
  head_branch: string;
  base_branch: string;
  state: "open" | "merged" | "closed";
  /** Kept when it is merged or closed, so that its page still shows the change. */
  head_commit: string | null;
  base_commit: string | null;
  created_at: DefaultedTimestamp;
  ended_at: NullableTimestamp;
  draft: Generated<boolean>;
  labels: Generated<string[]>;
}

export interface BuiltinPullRequestCommentsTable {
  id: string;
  repository: string;
  number: number;
  author: string;
  /** Markdown. */
  body: string;
  /** Of Docent's own comments: what keeps one from being said twice. */
  marker: string | null;
  created_at: DefaultedTimestamp;
}

/** What a project's own services accept: sealed, never shown. */
export interface ProjectCredentialsTable {
  project_id: string;
  name: string;
  sealed: Buffer;
  updated_at: DefaultedTimestamp;
}

/** What a project's URL is told, as Standard Webhooks writes it (https://www.standardwebhooks.com). */
export interface WebhookPayload {
  type: string;
  /** When it happened: ISO 8601 UTC. */
  timestamp: string;
  /** The job as the API answers it. */
  data: object;
}

/** Status changes on their way to the project's URL, and what became of them. */
export interface WebhookDeliveriesTable {
  /** Also the `webhook-id` that the receiver sees, the same at every attempt. */
  id: string;
  project_id: string;
  job_id: string;
  /** Of the job's event that it tells of, 0 for its creation: what keeps a job's deliveries in order. */
  position: number;
  type: string;
  payload: JSONColumnType<WebhookPayload>;
  /** `failed`: given up after the last attempt. */
  state: Generated<"waiting" | "delivered" | "failed">;
  attempts: Generated<number>;
  next_attempt_at: DefaultedTimestamp;
  /** Of the last attempt; null when no answer came. */
  response_status: number | null;
  error: string | null;
  created_at: DefaultedTimestamp;
  ended_at: NullableTimestamp;
}

/** Deliveries of code hosts that have been acted on: a replay changes nothing. */
export interface WebhookReceiptsTable {
  project_id: string;
  delivery_id: string;
  received_at: DefaultedTimestamp;
}

export interface SettingsTable {
  name: string;
  value: JSONColumnType<object>;
}

/** The insertions of views whose rows are not yet in the counts; folding a batch removes it from here. */
export interface AnalyticsBatchesTable {
  batch: number;
  project_id: string;
  /**
   * `inserting` until the rows are known to be stored. `abandoned` when they never will be, until those that were stored are deleted.
   * Only `stored` batches count.
   */
  state: "inserting" | "stored" | "abandoned";
  /** The number of views. */
  views: number;
  /** The process that inserts it. */
  owner: string;
  created_at: DefaultedTimestamp;
}

/** What a project's counts are made of. */
export interface AnalyticsCountsTable {
  project_id: string;
  /** The segments of the counts table that hold now; what is in no list holds nowhere. Elements of arrays arrive as texts. */
  segments: string[];
  /** Raised by each change; a folder publishes only onto the revision that it started from. */
  revision: Generated<number>;
  /** No batch begins any more with a number up to this; those that did are in the segments or in `analytics_batches`. */
  mark: number;
  /** The settings that these counts were made with. */
  policy: string;
  /** Views have been deleted that are still counted: only counting anew mends it. */
  is_stale: Generated<boolean>;
  /** Views of earlier days are gone; null when none are. */
  retained_from: string | null;
}

export interface AnalyticsSaltsTable {
  project_id: string;
  /** `always`, or the month or day in UTC that it is for. */
  period: string;
  salt: Buffer;
  created_at: DefaultedTimestamp;
}

/** How far each log is imported. */
export interface AnalyticsImportsTable {
  id: string;
  project_id: string;
  /** SHA-256 of the log's first line, by which it is looked up. */
  first_line: Buffer;
  /** How many bytes, uncompressed, are imported. */
  bytes: number;
  /** SHA-256 of those bytes. */
  sha256: Buffer;
  created_at: DefaultedTimestamp;
  updated_at: DefaultedTimestamp;
}

/** What a person may do, each with all that the ones before may: read, work inside the projects, run the installation. */
export type Role = "viewer" | "editor" | "owner";

/** People. These four tables are as better-auth keeps them (https://better-auth.com/docs/concepts/database). */
export interface UsersTable {
  id: string;
  name: string;
  email: string;
  email_verified: Generated<boolean>;
  image: string | null;
  role: Role;
  created_at: DefaultedTimestamp;
  updated_at: DefaultedTimestamp;
}

export interface SessionsTable {
  id: string;
  user_id: string;
  token: string;
  expires_at: Timestamp;
  ip_address: string | null;
  user_agent: string | null;
  created_at: DefaultedTimestamp;
  updated_at: DefaultedTimestamp;
}

/** How a person signs in: with a password (`credential`), or as somebody of an OIDC provider. */
export interface AccountsTable {
  id: string;
  user_id: string;
  provider_id: string;
  account_id: string;
  /** Its hash. */
  password: string | null;
  access_token: string | null;
  refresh_token: string | null;
  id_token: string | null;
  access_token_expires_at: NullableTimestamp;
  refresh_token_expires_at: NullableTimestamp;
  scope: string | null;
  created_at: DefaultedTimestamp;
  updated_at: DefaultedTimestamp;
}

/** Sign-ins at an OIDC provider that are under way. */
export interface VerificationsTable {
  id: string;
  identifier: string;
  value: string;
  expires_at: Timestamp;
  created_at: DefaultedTimestamp;
  updated_at: DefaultedTimestamp;
}

export type InvitationPurpose = "invitation" | "first_owner" | "recovery";

/** Links that make an account, once. */
export interface InvitationsTable {
  id: string;
  /** SHA-256 of the link's token. */
  hash: Buffer;
  /** `first_owner`: holds while there is no owner. `recovery`: also gives the account of its address a new password. */
  purpose: ColumnType<InvitationPurpose, InvitationPurpose | undefined, never>;
  role: Role;
  /** The only address that may accept it; null for any. */
  email: string | null;
  /** The name of whoever made it. */
  invited_by: string | null;
  created_at: DefaultedTimestamp;
  expires_at: Timestamp;
  accepted_at: NullableTimestamp;
  revoked_at: NullableTimestamp;
}

export type ActorType = "user" | "administrator" | "key" | "system";

/** Who changed who may do what. */
export interface AuditLogTable {
  id: string;
  at: DefaultedTimestamp;
  /** `administrator`: a holder of the admin token. `system`: Docent itself. */
  actor_type: ActorType;
  actor_id: string | null;
  actor_name: string;
  /** Noun and verb, like `key.created`. */
  action: string;
  project_id: string | null;
  subject_id: string | null;
  subject_name: string | null;
  /** What belongs to the action, like the role before and after. */
  details: ColumnType<Record<string, string>, string | undefined, never>;
  /** The client's IP address. */
  address: string | null;
}
