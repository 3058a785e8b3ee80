import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../database/testing/postgres.ts";
import { createTestJobs, insertProject, jobOf } from "../testing/records.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.close());

/** A job whose first turn has begun. */
async function startedJob() {
  const jobs = createTestJobs(db.database);
  const projectId = await insertProject(db.database);
  const { id } = jobOf(await jobs.create(projectId, { prompt: "x" }));
  await db.database.updateTable("jobs").set({ turn: 1, branch_turn: 1 }).where("id", "=", id).execute();
  return { jobs, projectId, id };
}

type Side = { mode: string; content: string | Buffer | null } | null;

/** A file that the first turn changed; content null: there is a file, and it was too large to be kept. */
async function addFile(id: string, path: string, before: Side, after: Side): Promise<void> {
  const bytes = (side: Side) => (side === null || side.content === null ? null : Buffer.from(side.content));
  await db.database
    .insertInto("job_base_files")
    .values({ job_id: id, turn: 1, path, mode: before?.mode ?? null, content: bytes(before) })
    .execute();
  await db.database
    .insertInto("job_files")
    .values({ job_id: id, turn: 1, position: 1, path, mode: after?.mode ?? "100644", content: bytes(after) })
    .execute();
}

test("every kind of file and name", async () => {
  const { jobs, projectId, id } = await startedJob();
  const text = (content: string | Buffer | null, mode = "100644"): Side => ({ mode, content });
  await addFile(id, 'a "quoted" \\ name.md', text("a\n"), text("b\n"));
  await addFile(id, "two\nlines\tand a tab.md", null, text("b\n"));
  await addFile(id, "binary.png", text(Buffer.from([0, 1])), text(Buffer.from([0, 2])));
  await addFile(id, "latin.md", text(Buffer.from([0xe4, 10])), text(Buffer.from([0xf6, 10])));
  await addFile(id, "huge.md", text(null), null);
  await addFile(id, "run.sh", text("a\n"), text("a\n", "100755"));
  await addFile(id, "link", text("a", "120000"), text("b", "120000"));
  await addFile(id, "same.md", text("a\n"), text("a\n"));
  await addFile(id, "never.md", null, null);
  await addFile(id, "empty.md", null, text(""));
  const changes = await jobs.changes(projectId, id);
  expect(changes?.files.map((file) => [file.path, file.status, file.additions, file.deletions])).toEqual([
    ['a "quoted" \\ name.md', "modified", 1, 1],
    ["binary.png", "modified", null, null],
    ["empty.md", "added", 0, 0],
    ["huge.md", "deleted", null, null],
    ["latin.md", "modified", 1, 1],
    ["link", "modified", 1, 1],
    ["run.sh", "modified", 0, 0],
    ["two\nlines\tand a tab.md", "added", 1, 0],
  ]);
  const diff = String(await jobs.changesDiff(projectId, id));
  expect(diff).toContain("Binary files a/binary.png and b/binary.png differ");
  expect(diff).toContain("old mode 100644\nnew mode 100755");
  const quoted = await jobs.changedFile(projectId, id, 'a "quoted" \\ name.md');
  expect(quoted).toMatchObject({ oldContent: "a\n", newContent: "b\n" });
  expect(await jobs.changedFile(projectId, id, "latin.md")).toMatchObject({ oldContent: null, newContent: null });
  for (const path of ["same.md", "never.md", "other.md"]) {
    expect(await jobs.changedFile(projectId, id, path)).toBeUndefined();
  }
  expect(await jobs.changes(await insertProject(db.database), id)).toBeUndefined();
});

test("a job from before changes were kept says that files are missing", async () => {
  const { jobs, projectId, id } = await startedJob();
  await db.database.updateTable("jobs").set({ branch_turn: null }).where("id", "=", id).execute();
  const row = { job_id: id, turn: 1, position: 1, path: "a.md", mode: "100644", content: Buffer.from("a") };
  await db.database.insertInto("job_files").values(row).execute();
  expect(await jobs.changes(projectId, id)).toEqual({ files: [], complete: false, discarded: false });
});

test("more files than are compared", async () => {
  const { jobs, projectId, id } = await startedJob();
  await sql`
    insert into job_base_files (job_id, turn, path, mode, content)
    select ${id}, 1, 'page-' || i || '.md', '100644', convert_to(repeat('Some words of page ' || i || E'.\n', 100), 'utf8')
    from generate_series(1, 10001) i`.execute(db.database);
  await sql`
    insert into job_files (job_id, turn, position, path, mode, content)
    select job_id, 1, 2, path, mode, content || convert_to(E'One more.\n', 'utf8') from job_base_files where job_id = ${id}`.execute(
    db.database,
  );
  const changes = await jobs.changes(projectId, id);
  expect([changes?.files.length, changes?.complete]).toEqual([10_000, false]);
  expect(changes?.files[0]).toMatchObject({ status: "modified", additions: 1, deletions: 0 });
});
