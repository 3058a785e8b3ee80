import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDocent } from "@docent/sdk";
import { createTestDatabase, type TestDatabase } from "../../../server/src/database/testing/postgres.ts";
import { startChild, type Child } from "../../../server/src/testing/child.ts";
import { findFreePort } from "../../../server/src/testing/free-port.ts";
import { endChild, startDocent } from "../../../server/src/testing/service-process.ts";

const DEATHS = 8;
/** Six chunks. */
const VIEWS = 240_000;
const PAGES = 40;

let database: TestDatabase;
let directory: string;
let port: number;
const adminToken = randomBytes(32).toString("hex");
const program = join(import.meta.dirname, "../main.ts");

beforeAll(async () => {
  database = await createTestDatabase();
  directory = await mkdtemp(join(tmpdir(), "docent-import-kills-"));
  port = await findFreePort();
  await writeFile(join(directory, "access.log.gz"), gzipSync(writeLog(), { level: 1 }));
});
afterAll(async () => {
  await database.close();
  await rm(directory, { recursive: true, force: true });
});

function writeLog(): string {
  let text = "";
  for (let view = 0; view < VIEWS; view += 1) {
    const minute = String(Math.floor(view / 60) % 60).padStart(2, "0");
    const time = `01/Feb/2026:10:${minute}:${String(view % 60).padStart(2, "0")} +0000`;
    text += `198.51.100.${view % 250} - - [${time}] "GET /page-${view % PAGES} HTTP/1.1" 200 9 "-" "Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0"\n`;
  }
  return text;
}

async function startService(): Promise<Child> {
  return await startDocent(["serve", "--port", String(port), "--data", join(directory, "data")], {
    PATH: process.env["PATH"] ?? "",
    DATABASE_URL: database.url,
    DOCENT_ADMIN_TOKEN: adminToken,
    DOCENT_LOG_LEVEL: "warn",
  });
}

/** A project, an import of the log into it, and what is counted of it. */
async function createImport() {
  const baseUrl = `http://127.0.0.1:${port}`;
  const administrator = createDocent({ baseUrl, adminToken });
  const project = await administrator.projects.create({ name: "Docs" });
  const { key } = await administrator.keys.create(project.id, { name: "test" });
  const docent = createDocent({ baseUrl, apiKey: key });
  return {
    start: (): Child =>
      startChild([program, "import", join(directory, "access.log.gz"), "--project", project.id], {
        PATH: process.env["PATH"] ?? "",
        DOCENT_URL: baseUrl,
        DOCENT_API_KEY: key,
      }),
    async views(): Promise<number> {
      return (await docent.analytics.views(project.id, { limit: 1 })).totals.total;
    },
    /** Resolves once more is stored than before, or the import has ended. */
    async grown(before: number, child: Child): Promise<void> {
      while (!child.hasEnded() && (await this.views()) <= before) await delay(20);
    },
    async pages() {
      return (await docent.analytics.views(project.id, { limit: 250 })).views;
    },
  };
}

const EXPECTED = Array.from({ length: PAGES }, () => VIEWS / PAGES);

test(`kill -9 of the import, ${DEATHS} times`, { timeout: 300_000 }, async () => {
  const service = await startService();
  try {
    const log = await createImport();
    let begun = 0;
    for (let death = 0; death < DEATHS; death += 1) {
      const before = await log.views();
      const child = log.start();
      await log.grown(before, child);
      await delay(Math.random() * 200);
      if (!child.hasEnded()) await endChild(child);
      const views = await log.views();
      if (views > 0 && views < VIEWS) begun += 1;
    }
    const last = log.start();
    expect(await last.ended, last.output()).toMatchObject({ code: 0 });
    expect(begun, "deaths in the middle").toBeGreaterThan(0);
    expect((await log.pages()).map(({ total }) => total)).toEqual(EXPECTED);
  } finally {
    await endChild(service);
  }
});

test(`kill -9 of the service under an import, ${DEATHS} times`, { timeout: 300_000 }, async () => {
  let service = await startService();
  try {
    const log = await createImport();
    const importing = log.start();
    await log.grown(0, importing);
    for (let death = 0; death < DEATHS && !importing.hasEnded(); death += 1) {
      await delay(200 + Math.random() * 900);
      await endChild(service);
      service = await startService();
    }
    expect(await importing.ended, importing.output()).toMatchObject({ code: 0 });
    expect((await log.pages()).map(({ total }) => total)).toEqual(EXPECTED);
  } finally {
    await endChild(service);
  }
});
