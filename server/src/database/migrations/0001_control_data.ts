import { sql, type Kysely } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table projects (
      id text primary key,
      name text not null,
      code_host text not null,
      repository text not null,
      ref text not null,
      settings jsonb not null default '{}',
      created_at timestamptz not null default now(),
      deleted_at timestamptz
    )`.execute(db);

  await sql`
    create table api_keys (
      id text primary key,
      project_id text not null references projects,
      name text not null,
      scope text not null check (scope in ('admin', 'write', 'read', 'collect')),
      hash bytea not null unique,
      start text not null,
      cidrs text[] not null default '{}',
      expires_at timestamptz,
      revoked_at timestamptz,
      created_at timestamptz not null default now()
    )`.execute(db);
  await sql`create index api_keys_project on api_keys (project_id, created_at)`.execute(db);

  await sql`
    create table jobs (
      id text primary key,
      project_id text not null references projects,
      status text not null check (status in ('active', 'completed', 'failed', 'archived')),
      model text not null,
      repository_url text not null,
      ref text not null,
      created_at timestamptz not null default now(),
      archived_at timestamptz,
      failure_reason text,
      branch text,
      pull_request_number integer,
      pull_request_url text,
      pull_request_state text,
      generation integer not null default 0,
      worker text,
      lease_expires_at timestamptz,
      run_at timestamptz not null default now(),
      pickups integer not null default 0,
      last_error text,
      turn integer not null default 0,
      turn_started_at timestamptz,
      turn_base_commit text,
      turn_branch text,
      publish jsonb,
      steps integer not null default 0,
      input_tokens bigint not null default 0,
      output_tokens bigint not null default 0,
      last_position integer not null default 0,
      check ((status = 'archived') = (archived_at is not null)),
      check ((status = 'failed') = (failure_reason is not null))
    )`.execute(db);
  await sql`create index jobs_project on jobs (project_id, id desc)`.execute(db);
  // What a claim looks through: few rows, whatever the history holds.
  await sql`create index jobs_unfinished on jobs (run_at) where status = 'active' or publish is not null`.execute(db);

  await sql`create index jobs_open_pull_requests on jobs (project_id) where pull_request_state = 'open'`.execute(db);

  await sql`
    create table job_messages (
      id text primary key,
      job_id text not null references jobs,
      sequence bigint not null generated always as identity,
      prompt text not null,
      created_at timestamptz not null default now(),
      read_at_position integer
    )`.execute(db);
  await sql`create index job_messages_job on job_messages (job_id, sequence)`.execute(db);

  await sql`
    create table job_events (
      job_id text not null references jobs,
      position integer not null,
      type text not null,
      data jsonb not null,
      created_at timestamptz not null default now(),
      primary key (job_id, position)
    )`.execute(db);

  await sql`
    create table job_files (
      job_id text not null references jobs,
      turn integer not null,
      position integer not null,
      path text not null,
      mode text not null,
      content bytea,
      primary key (job_id, turn, position, path)
    )`.execute(db);

  await sql`
    create table idempotency_keys (
      project_id text not null references projects,
      operation text not null,
      key text not null,
      request_hash bytea not null,
      response jsonb not null,
      created_at timestamptz not null default now(),
      primary key (project_id, operation, key)
    )`.execute(db);
  await sql`create index idempotency_keys_age on idempotency_keys (created_at)`.execute(db);

  await sql`
    create table rate_limit_windows (
      subject text not null,
      window_start timestamptz not null,
      count integer not null,
      primary key (subject, window_start)
    )`.execute(db);

  await sql`
    create table builtin_repositories (
      name text primary key,
      default_branch text not null,
      state text not null check (state in ('importing', 'ready', 'failed')),
      import_url text,
      import_credential bytea,
      import_error text,
      created_at timestamptz not null default now()
    )`.execute(db);

  await sql`
    create table builtin_pull_requests (
      repository text not null references builtin_repositories,
      number integer not null,
      title text not null,
      body text not null,
      head_branch text not null,
      base_branch text not null,
      state text not null check (state in ('open', 'merged', 'closed')),
      head_commit text,
      base_commit text,
      created_at timestamptz not null default now(),
      ended_at timestamptz,
      primary key (repository, number)
    )`.execute(db);
  // At most one open pull request of a branch, whoever asks twice.
  await sql`
    create unique index builtin_pull_requests_open on builtin_pull_requests (repository, head_branch)
    where state = 'open'`.execute(db);

  await sql`create table settings (name text primary key, value jsonb not null)`.execute(db);
}
