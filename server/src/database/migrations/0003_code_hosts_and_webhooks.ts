import { sql, type Kysely } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table projects add column code_host_url text`.execute(db);

  await sql`
    create table project_credentials (
      project_id text not null references projects,
      name text not null,
      sealed bytea not null,
      updated_at timestamptz not null default now(),
      primary key (project_id, name)
    )`.execute(db);

  await sql`
    alter table jobs
      add column draft boolean not null default false,
      add column cost_nano_usd bigint default 0,
      add column cached_input_tokens bigint not null default 0,
      add column waits integer not null default 0,
      add column pull_request_checked_at timestamptz`.execute(db);
  await sql`alter table job_messages add column origin jsonb`.execute(db);

  await sql`
    alter table builtin_pull_requests
      add column draft boolean not null default false,
      add column labels text[] not null default '{}'`.execute(db);
  await sql`
    create table builtin_pull_request_comments (
      id text primary key,
      repository text not null,
      number integer not null,
      author text not null,
      body text not null,
      marker text,
      created_at timestamptz not null default now(),
      foreign key (repository, number) references builtin_pull_requests,
      unique (repository, number, marker)
    )`.execute(db);
  await sql`
    create index builtin_pull_request_comments_of on builtin_pull_request_comments (repository, number, id)`.execute(
    db,
  );

  await sql`
    create table webhook_deliveries (
      id text primary key,
      project_id text not null references projects,
      job_id text not null references jobs,
      position integer not null,
      type text not null,
      payload jsonb not null,
      state text not null default 'waiting' check (state in ('waiting', 'delivered', 'failed')),
      attempts integer not null default 0,
      next_attempt_at timestamptz not null default now(),
      response_status integer,
      error text,
      created_at timestamptz not null default now(),
      ended_at timestamptz,
      unique (job_id, position)
    )`.execute(db);
  await sql`create index webhook_deliveries_project on webhook_deliveries (project_id, id desc)`.execute(db);
  await sql`
    create index webhook_deliveries_waiting on webhook_deliveries (next_attempt_at) where state = 'waiting'`.execute(
    db,
  );

  await sql`
    create table webhook_receipts (
      project_id text not null references projects,
      delivery_id text not null,
      received_at timestamptz not null default now(),
      primary key (project_id, delivery_id)
    )`.execute(db);
  await sql`create index webhook_deliveries_age on webhook_deliveries (created_at)`.execute(db);
  await sql`
    create index jobs_pull_request on jobs (project_id, pull_request_number)
    where pull_request_number is not null`.execute(db);
  await sql`create index webhook_receipts_age on webhook_receipts (received_at)`.execute(db);
}
