import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../database/testing/postgres.ts";
import { findFreePort } from "../testing/free-port.ts";
import { endChild, startDocent } from "../testing/service-process.ts";
import type { Child } from "../testing/child.ts";

const DEATHS = 20;
const SENDERS = 4;
const VISITORS = 20;

interface Site {
  database: TestDatabase;
  start(): Promise<Child>;
  /** Sends one request of views, a page of its own. Resolves to whether it was acknowledged; never throws. */
  send(page: number): Promise<boolean>;
  /** Visitors and views of each page, by its number. */
  read(): Promise<Map<number, { visitors: number; views: number }>>;
  close(): Promise<void>;
}

async function createSite(): Promise<Site> {
  const database = await createTestDatabase();
  const directory = await mkdtemp(join(tmpdir(), "docent-kills-"));
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const adminToken = randomBytes(32).toString("hex");
  let key = "";
  let projectId = "";

  async function call(path: string, token: string, body?: object): Promise<Response> {
    return await fetch(url + path, {
      method: body === undefined ? "GET" : "POST",
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  return {
    database,
    async start() {
      const child = await startDocent(["serve", "--port", String(port), "--data", directory], {
        PATH: process.env["PATH"] ?? "",
        DATABASE_URL: database.url,
        DOCENT_ADMIN_TOKEN: adminToken,
        DOCENT_LOG_LEVEL: "warn",
      });
      if (projectId === "") {
        ({ id: projectId } = (await (await call("/v1/projects", adminToken, { name: "Docs" })).json()) as {
          id: string;
        });
        const made = await call(`/v1/projects/${projectId}/keys`, adminToken, { name: "test" });
        ({ key } = (await made.json()) as { key: string });
      }
      return child;
    },
    async send(page) {
      const events = Array.from({ length: VISITORS }, (_, visitor) => ({
        path: `/${page}`,
        visitorId: String(visitor),
      }));
      try {
        const response = await call(`/v1/collect/${projectId}`, key, events);
        return response.status === 202;
      } catch {
        return false;
      }
    },
    async read() {
      const pages = new Map<number, { visitors: number; views: number }>();
      for (const report of ["visitors", "views"] as const) {
        for (let offset = 0, hasMore = true; hasMore; offset += 250) {
          const response = await call(`/v1/analytics/${projectId}/${report}?limit=250&offset=${offset}`, key);
          const answer = (await response.json()) as Record<string, unknown>;
          for (const row of answer[report] as { path: string; total: number }[]) {
            const page = Number(row.path.slice(1));
            pages.set(page, { ...(pages.get(page) ?? { visitors: 0, views: 0 }), [report]: row.total });
          }
          hasMore = answer["hasMore"] === true;
        }
      }
      return pages;
    },
    async close() {
      await database.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Kills a serving process again and again at moments that `untilDeath` chooses, and looks at what is counted after each. */
async function killAgainAndAgain(site: Site, untilDeath: () => Promise<void>): Promise<number> {
  const acknowledged = new Set<number>();
  let page = 0;
  let child = await site.start();
  for (let death = 0; death < DEATHS; death += 1) {
    let isAlive = true;
    const senders = Array.from({ length: SENDERS }, async () => {
      while (isAlive) {
        const its = (page += 1);
        if (await site.send(its)) acknowledged.add(its);
      }
    });
    await untilDeath();
    await endChild(child);
    isAlive = false;
    await Promise.all(senders);
    child = await site.start();
    const pages = await site.read().catch((error: unknown) => {
      throw new Error(`No report after death ${death}; the server ${describe(child)}`, { cause: error });
    });
    const lost = [...acknowledged].filter((each) => !pages.has(each));
    expect(lost).toEqual([]);
    // All views of a request are there once, or none is.
    for (const counted of pages.values()) expect(counted).toEqual({ visitors: VISITORS, views: VISITORS });
  }
  await endChild(child);
  return acknowledged.size;
}

function describe(child: Child): string {
  return `${child.hasEnded() ? "has ended by itself" : "is running"} and said:\n${child.output()}`;
}

test(`kill -9 while views come in, ${DEATHS} times`, async () => {
  const site = await createSite();
  try {
    const acknowledged = await killAgainAndAgain(site, () => delay(50 + Math.random() * 400));
    expect(acknowledged).toBeGreaterThan(DEATHS);
  } finally {
    await site.close();
  }
}, 300_000);

test(`kill -9 while views are folded, ${DEATHS} times`, async () => {
  const site = await createSite();
  const countSegments = async (): Promise<number> => {
    const { rows } = await sql<{ taken: number }>`
      select case when is_called then last_value else 0 end as taken from analytics_segment`.execute(
      site.database.database,
    );
    return rows[0]?.taken ?? 0;
  };
  try {
    await killAgainAndAgain(site, async () => {
      const before = await countSegments();
      // A fold takes its segment's number first, and tens of milliseconds to write and publish it.
      while ((await countSegments()) === before) await delay(2);
      await delay(Math.random() * 80);
    });
  } finally {
    await site.close();
  }
}, 300_000);
