import { sql, type Kysely } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table invitations
      add column purpose text not null default 'invitation'
        check (purpose in ('invitation', 'first_owner', 'recovery'))`.execute(db);
  await sql`alter table audit_log add column details jsonb not null default '{}'`.execute(db);
  await sql`create index audit_log_of on audit_log (project_id, id)`.execute(db);
}
