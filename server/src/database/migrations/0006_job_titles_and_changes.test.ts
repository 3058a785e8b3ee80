import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { connectDatabase } from "../database.ts";
import { migrate } from "../migrate.ts";
import { MIGRATIONS } from "../migrations.ts";
import { createEmptyTestDatabase } from "../testing/postgres.ts";

const NAME = "0006_job_titles_and_changes";
const BEFORE = Object.fromEntries(Object.entries(MIGRATIONS).filter(([name]) => name < NAME));

test("jobs that are there already are called by their pull request, else by what they were asked", async () => {
  const { database, close } = await createEmptyTestDatabase();
  onTestFinished(close);
  await migrate(database, BEFORE);
  await sql`
    insert into projects (id, name, code_host, repository, ref, settings)
    values ('prj_1', 'Docs', 'builtin', 'prj_1', 'main', '{}'), ('prj_2', 'Docs', 'github', 'prj_1', 'main', '{}')`.execute(
    database,
  );
  await sql`insert into builtin_repositories (name, default_branch, state) values ('prj_1', 'main', 'ready')`.execute(
    database,
  );
  await sql`
    insert into builtin_pull_requests (repository, number, title, body, head_branch, base_branch, state)
    values ('prj_1', 1, 'Rename Hub', '', 'b', 'main', 'open')`.execute(database);
  const prompts: Record<string, string> = {
    asked: "\r\n  \n\t Fix links \r\nEverywhere.",
    long: "😀".repeat(121),
    merged: "rename",
    elsewhere: "rename",
  };
  for (const [id, prompt] of Object.entries({ ...prompts, silent: null })) {
    const number = id === "merged" || id === "elsewhere" ? 1 : null;
    await sql`
      insert into jobs (id, project_id, status, model, repository_url, ref, pull_request_number)
      values (${id}, ${id === "elsewhere" ? "prj_2" : "prj_1"}, 'active', 'm', 'u', 'main', ${number})`.execute(
      database,
    );
    if (prompt === null) continue;
    await sql`
      insert into job_messages (id, job_id, prompt)
      values (${`${id} 1`}, ${id}, ${prompt}), (${`${id} 2`}, ${id}, 'A follow-up')`.execute(database);
  }
  expect(await migrate(database)).toContain(NAME);
  const rows = await database
    .selectFrom("jobs")
    .select(["id", "title", "author", "branch_turn"])
    .orderBy("id")
    .execute();
  const rest = { author: null, branch_turn: null };
  expect(rows).toEqual([
    { id: "asked", title: "Fix links", ...rest },
    { id: "elsewhere", title: "rename", ...rest },
    { id: "long", title: `${"😀".repeat(119)}…`, ...rest },
    { id: "merged", title: "Rename Hub", ...rest },
    { id: "silent", title: "", ...rest },
  ]);
});

test("a database that gives us no extension goes without the index", async () => {
  const { pool, url, close } = await createEmptyTestDatabase();
  onTestFinished(close);
  const role = `role_${randomBytes(8).toString("hex")}`;
  await pool.query(`create role ${role} login`);
  await pool.query(`grant create, usage on schema public to ${role}`);
  const own = new URL(url);
  own.username = role;
  const limited = connectDatabase({ connection: own.href, log: () => {} });
  try {
    await migrate(limited.database);
    const { rows } = await limited.pool.query(
      "select indexname from pg_indexes where indexname in ('jobs_title', 'jobs_project')",
    );
    expect(rows).toEqual([{ indexname: "jobs_project" }]);
  } finally {
    await limited.close();
    await pool.query(`drop owned by ${role}`);
    await pool.query(`drop role ${role}`);
  }
});
