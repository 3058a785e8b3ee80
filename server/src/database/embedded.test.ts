import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { startEmbeddedPostgres, type EmbeddedPostgres } from "./embedded.ts";
import { isServerOf } from "./embedded/pid-file.ts";
import { stopServer } from "./embedded/server.ts";

const asRoot = process.getuid?.() === 0;

async function temporaryDirectory(...below: string[]): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), "docent-embedded-"));
  const directory = join(root, ...below, "postgres");
  onTestFinished(async () => {
    await stopServer(join(directory, "data"));
    await rm(root, { recursive: true, force: true });
  });
  return directory;
}

/** A server's directory that was once started and stopped; making one takes seconds, copying it does not. */
let template: string;

beforeAll(async () => {
  template = join(await mkdtemp(join(tmpdir(), "docent-embedded-")), "postgres");
  await (await start(template)).stop();
});

afterAll(() => rm(join(template, ".."), { recursive: true, force: true }));

async function initialisedDirectory(...below: string[]): Promise<string> {
  const directory = await temporaryDirectory(...below);
  await mkdir(join(directory, ".."), { recursive: true });
  await promisify(execFile)("cp", ["-a", template, directory]);
  return directory;
}

function start(directory: string): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({ directory, log: () => {}, unsafeFast: true });
}

async function query(server: EmbeddedPostgres, statement: string): Promise<unknown[]> {
  const client = new pg.Client(server.connection);
  // A test that kills the server breaks this.
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}

/** A process that starts the server, prints what it got, and stays. */
async function startInChild(
  directory: string,
  user: { uid?: number; gid?: number } = {},
): Promise<{ child: ChildProcess; printed: { pid: number; origin: string } | { error: string } }> {
  const script = `
    import { startEmbeddedPostgres } from ${JSON.stringify(import.meta.resolve("./embedded.ts"))};
    try {
      const { pid, origin } = await startEmbeddedPostgres({ directory: ${JSON.stringify(directory)}, log() {}, unsafeFast: true });
      console.log(JSON.stringify({ pid, origin }));
    } catch (error) {
      console.log(JSON.stringify({ error: error.message }));
    }
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    ...user,
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [line] = await once(child.stdout, "data");
  return { child, printed: JSON.parse(String(line)) };
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill("SIGKILL");
  await once(child, "exit");
}

test("a server outlives its killed parent, is adopted with its data, and stops", async () => {
  const directory = await temporaryDirectory();
  const { child, printed } = await startInChild(directory);
  expect(printed).toEqual({ pid: expect.any(Number), origin: "started" });
  await kill(child);

  const adopted = await start(directory);
  expect(adopted).toMatchObject({ ...printed, origin: "adopted" });
  await query(adopted, "create table kept as select 42 as value");
  await adopted.stop();
  expect(await isServerOf(adopted.pid, join(directory, "data"))).toBe(false);

  const again = await start(directory);
  expect(again.origin).toBe("started");
  expect(await query(again, "select value from kept")).toEqual([{ value: 42 }]);
});

test("processes that start at once on an empty directory share one server", async () => {
  const directory = await temporaryDirectory();
  const starts = await Promise.all([startInChild(directory), startInChild(directory), startInChild(directory)]);
  const pids = starts.map(({ printed }) => ("pid" in printed ? printed.pid : printed.error));
  expect(new Set(pids).size).toBe(1);
  expect(starts.filter(({ printed }) => "origin" in printed && printed.origin === "started")).toHaveLength(1);
  expect((await readdir(directory)).toSorted()).toEqual(["data", "postgresql.log"]);
});

test("a killed server's commits are there after the next start", async () => {
  const directory = await initialisedDirectory();
  const server = await start(directory);
  await query(server, "create table kept (value int)");
  for (let value = 0; value < 20; value += 1) await query(server, `insert into kept values (${value})`);
  process.kill(server.pid, "SIGKILL");
  const next = await start(directory);
  expect(next.pid).not.toBe(server.pid);
  expect(await query(next, "select count(*)::int as count from kept")).toEqual([{ count: 20 }]);
});

test("a start while the server is stopping waits and starts it again", async () => {
  const directory = await initialisedDirectory();
  const server = await start(directory);
  const stopping = server.stop();
  const next = await start(directory);
  await stopping;
  expect(next.pid).not.toBe(server.pid);
  expect(await query(next, "select 1 as one")).toEqual([{ one: 1 }]);
});

test("lock files whose process number now belongs to another process do not keep it from starting", async () => {
  const directory = await initialisedDirectory();
  const server = await start(directory);
  const data = join(directory, "data");
  const [pidFile, socketLock] = await Promise.all(
    ["postmaster.pid", ".s.PGSQL.5432.lock"].map((name) => readFile(join(data, name), "utf8")),
  );
  await server.stop();
  // The test's own number stands for whatever got the number of the server after a restart of the machine.
  const renumbered = (text = ""): string => text.replace(/^\d+/, String(process.pid));
  await writeFile(join(data, "postmaster.pid"), renumbered(pidFile));
  await writeFile(join(data, ".s.PGSQL.5432.lock"), renumbered(socketLock));
  const next = await start(directory);
  expect(next.origin).toBe("started");
});

test("a path too long for a socket works", async () => {
  const directory = await initialisedDirectory("a".repeat(60), "b".repeat(60));
  const server = await start(directory);
  expect(server.connection.host).toMatch(/^\/tmp\/docent-[0-9a-f]{20}$/);
  onTestFinished(() => rm(server.connection.host ?? "", { recursive: true, force: true }));
  expect((await stat(server.connection.host ?? "")).mode & 0o777).toBe(0o700);
  expect((await start(directory)).origin).toBe("adopted");
  await server.stop();
});

test("settings are durable, and no TCP port is open", async () => {
  const server = await start(await initialisedDirectory());
  const names = ["fsync", "synchronous_commit", "full_page_writes", "data_checksums", "listen_addresses"];
  const rows = await query(
    server,
    `select ${names.map((name) => `current_setting('${name}') as ${name}`).join(", ")}, current_setting('server_encoding') as encoding`,
  );
  expect(rows).toEqual([
    {
      fsync: "on",
      synchronous_commit: "on",
      full_page_writes: "on",
      data_checksums: "on",
      listen_addresses: "",
      encoding: "UTF8",
    },
  ]);
});

test("a data directory of another PostgreSQL version is refused", async () => {
  const directory = await temporaryDirectory();
  await mkdir(join(directory, "data"), { recursive: true });
  await writeFile(join(directory, "data", "PG_VERSION"), "15\n");
  await expect(start(directory)).rejects.toThrow(/was made by PostgreSQL 15, and this Docent brings PostgreSQL 18/);
});

test("a directory with something else in it is refused and left alone", async () => {
  const directory = await temporaryDirectory();
  await mkdir(join(directory, "data"), { recursive: true });
  await writeFile(join(directory, "data", "thesis.txt"), "irreplaceable");
  await expect(start(directory)).rejects.toThrow(/neither empty nor a PostgreSQL data directory/);
  expect(await readdir(join(directory, "data"))).toEqual(["thesis.txt"]);
});

test("a damaged data directory is refused with PostgreSQL's own words", async () => {
  const directory = await initialisedDirectory();
  await (await start(directory)).stop();
  await rm(join(directory, "data", "global", "pg_control"));
  await expect(start(directory)).rejects.toThrow(/did not start.*pg_control/s);
});

test.runIf(asRoot)("as root it runs as another user, also below directories that this user cannot enter", async () => {
  const directory = await initialisedDirectory("closed");
  await chmod(join(directory, ".."), 0o700);
  const server = await start(directory);
  const { uid } = await stat(`/proc/${server.pid}`);
  expect(uid).not.toBe(0);
  expect((await stat(directory)).uid).toBe(0);
  await query(server, "create table kept as select 1");
  process.kill(server.pid, "SIGKILL");
  expect(await query(await start(directory), "select * from kept")).toHaveLength(1);
});

test.runIf(asRoot)("another user starts it too, and root goes on with what that user began", async () => {
  const directory = await temporaryDirectory("own");
  await mkdir(join(directory, ".."));
  await chown(join(directory, ".."), 65534, 65534);
  await chown(join(directory, "..", ".."), 65534, 65534);
  const { child, printed } = await startInChild(directory, { uid: 65534, gid: 65534 });
  expect(printed).toMatchObject({ origin: "started" });
  await kill(child);
  const adopted = await start(directory);
  expect(adopted).toMatchObject({ ...printed, origin: "adopted" });
  await adopted.stop();
  expect((await start(directory)).origin).toBe("started");
});

test.runIf(asRoot)("a user who may not enter the directory is told so", async () => {
  const directory = await initialisedDirectory("roots");
  await start(directory);
  const { printed } = await startInChild(directory, { uid: 65534, gid: 65534 });
  expect(printed).toEqual({ error: expect.stringContaining("EACCES") });
});
