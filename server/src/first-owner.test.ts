import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "./database/testing/postgres.ts";
import type { Child } from "./testing/child.ts";
import { findFreePort } from "./testing/free-port.ts";
import { openPage } from "./testing/page.ts";
import { endChild, startDocent } from "./testing/service-process.ts";

const ANNOUNCEMENT = "Make the owner's account: ";

let directory = "";
let database: TestDatabase;
let url = "";
let child: Child | undefined;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "docent-test-first-owner-"));
  database = await createTestDatabase();
  url = `http://127.0.0.1:${await findFreePort()}`;
});
afterEach(async () => {
  if (child !== undefined) await endChild(child);
});
afterAll(async () => {
  await database.close();
  await rm(directory, { recursive: true, force: true });
});

/** Starts the service anew; resolves with the whole banner. */
async function start(): Promise<string> {
  if (child !== undefined) await endChild(child);
  const started = await startDocent(["serve"], {
    PATH: process.env["PATH"] ?? "",
    DATABASE_URL: database.url,
    DOCENT_DATA: directory,
    DOCENT_PORT: new URL(url).port,
  });
  child = started;
  await expect.poll(() => started.output()).toMatch(/\n {2}model .*\n/);
  return started.output();
}

const tokenIn = (banner: string): string =>
  new RegExp(`${ANNOUNCEMENT}${url}/invitation#([\\w-]{43})\n`).exec(banner)?.[1] ?? "";
const post = (path: string, body: object) => openPage(url).request("POST", path, body);

test("each start prints a link to the first owner's account, until somebody has used one", async () => {
  const first = tokenIn(await start());
  const second = tokenIn(await start());
  expect(second).not.toBe(first);
  const person = { name: "Ada", password: "a long enough password" };
  const accept = (token: string, email: string) => post("/v1/invitations/accept", { token, email, ...person });
  // Two who have a link each, at the same time.
  const answers = await Promise.all([accept(first, "ada@example.com"), accept(second, "eve@example.com")]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404]);
  for (const token of [first, second])
    expect(await post("/v1/invitations/look-up", { token })).toMatchObject({ status: 404 });

  const { rows } = await database.pool.query("select role from users");
  expect(rows).toEqual([{ role: "owner" }]);
  expect(await start()).not.toContain(ANNOUNCEMENT);
});
