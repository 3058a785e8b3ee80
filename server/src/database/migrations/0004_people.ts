import { sql, type Kysely } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table users (
      id text primary key,
      name text not null,
      email text not null unique,
      email_verified boolean not null default false,
      image text,
      role text not null check (role in ('owner', 'editor', 'viewer')),
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    )`.execute(db);
  await sql`
    create table sessions (
      id text primary key,
      user_id text not null references users on delete cascade,
      token text not null unique,
      expires_at timestamptz not null,
      ip_address text,
      user_agent text,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    )`.execute(db);
  await sql`create index sessions_of on sessions (user_id)`.execute(db);
  await sql`
    create table accounts (
      id text primary key,
      user_id text not null references users on delete cascade,
      provider_id text not null,
      account_id text not null,
      password text,
      access_token text,
      refresh_token text,
      id_token text,
      access_token_expires_at timestamptz,
      refresh_token_expires_at timestamptz,
      scope text,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      unique (provider_id, account_id)
    )`.execute(db);
  await sql`create index accounts_of on accounts (user_id)`.execute(db);
  await sql`
    create table verifications (
      id text primary key,
      identifier text not null,
      value text not null,
      expires_at timestamptz not null,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    )`.execute(db);
  await sql`create index verifications_of on verifications (identifier)`.execute(db);

  await sql`
    create table invitations (
      id text primary key,
      hash bytea not null unique,
      role text not null check (role in ('owner', 'editor', 'viewer')),
      email text,
      invited_by text,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null,
      accepted_at timestamptz,
      revoked_at timestamptz
    )`.execute(db);

  await sql`
    create table audit_log (
      id text primary key,
      at timestamptz not null default now(),
      actor_type text not null check (actor_type in ('user', 'administrator', 'key', 'system')),
      actor_id text,
      actor_name text not null,
      action text not null,
      project_id text,
      subject_id text,
      subject_name text,
      address text
    )`.execute(db);

  await sql`alter table api_keys add column last_used_at timestamptz`.execute(db);
}
