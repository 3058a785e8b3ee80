import { chmod, mkdtemp, readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ensureCredentials, type DataCredentials } from "./admin-token.ts";
import { StartError } from "./start-error.ts";

const NOTHING = { adminToken: null, secret: null };

async function dataDirectory(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), "docent-credentials-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  return join(root, "data");
}

function ensure(data: string, lines: string[] = []): Promise<DataCredentials> {
  return ensureCredentials({ data, given: NOTHING, log: (line) => lines.push(line) });
}

test("ten starts at once on an empty directory get the same credentials, in files of mode 0600", async () => {
  const data = await dataDirectory();
  const all = await Promise.all(Array.from({ length: 10 }, () => ensure(data)));
  expect(new Set(all.map((credentials) => JSON.stringify(credentials))).size).toBe(1);
  expect(all[0]?.adminToken).toMatch(/^docent_admin_[\w-]{43}$/);
  expect(await ensure(data)).toEqual(all[0]);
  expect((await readdir(data)).toSorted()).toEqual(["admin.token", "secret"]);
  for (const name of ["admin.token", "secret"]) expect((await stat(join(data, name))).mode & 0o777).toBe(0o600);
  expect(await readFile(join(data, "admin.token"), "utf8")).toBe(`${all[0]?.adminToken}\n`);
});

test("what the environment gives is not written", async () => {
  const data = await dataDirectory();
  const given = { adminToken: "a".repeat(32), secret: "s".repeat(32) };
  expect(await ensureCredentials({ data, given, log: () => {} })).toEqual(given);
  await expect(readdir(data)).rejects.toThrow("ENOENT");
});

test("a file that others could read is closed and reported", async () => {
  const data = await dataDirectory();
  const before = await ensure(data);
  await chmod(join(data, "admin.token"), 0o644);
  const lines: string[] = [];
  expect(await ensure(data, lines)).toEqual(before);
  expect(lines).toEqual([
    expect.stringMatching(/admin\.token could be read by other users \(mode 644\); it is closed/),
  ]);
  expect((await stat(join(data, "admin.token"))).mode & 0o777).toBe(0o600);
});

test("a file that is empty or cut short is refused rather than replaced", async () => {
  const data = await dataDirectory();
  await ensure(data);
  await writeFile(join(data, "secret"), "short\n");
  await expect(ensure(data)).rejects.toThrow(StartError);
  await expect(ensure(data)).rejects.toThrow(/secret does not hold what Docent wrote there/);
  expect(await readFile(join(data, "secret"), "utf8")).toBe("short\n");
});

test("a data directory that cannot be made is refused in one line", async () => {
  const data = await dataDirectory();
  await writeFile(data, "a file");
  await expect(ensure(data)).rejects.toThrow(/admin\.token cannot be read or made/);
});
