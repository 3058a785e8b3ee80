import { sql, type Kysely } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create sequence analytics_batch`.execute(db);
  await sql`create sequence analytics_segment`.execute(db);

  await sql`
    create table analytics_batches (
      batch bigint not null,
      project_id text not null references projects,
      state text not null check (state in ('inserting', 'stored', 'abandoned')),
      views bigint not null,
      owner text not null,
      created_at timestamptz not null default now(),
      primary key (batch, project_id)
    )`.execute(db);
  await sql`create index analytics_batches_project on analytics_batches (project_id)`.execute(db);

  await sql`
    create table analytics_counts (
      project_id text primary key references projects,
      segments bigint[] not null default '{}',
      revision bigint not null default 0,
      mark bigint not null,
      policy text not null,
      is_stale boolean not null default false,
      retained_from date
    )`.execute(db);

  await sql`
    create table analytics_salts (
      project_id text not null references projects,
      period text not null,
      salt bytea not null,
      created_at timestamptz not null default now(),
      primary key (project_id, period)
    )`.execute(db);

  await sql`
    create table analytics_imports (
      id text primary key,
      project_id text not null references projects,
      first_line bytea not null,
      bytes bigint not null,
      sha256 bytea not null,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    )`.execute(db);
  await sql`create index analytics_imports_first_line on analytics_imports (project_id, first_line)`.execute(db);
}
