import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDocent, DocentError } from "@docent/sdk";
import type { AnalyticsSettings } from "../../../server/src/database/schema.ts";
import { startImportServer, type ImportServer } from "../testing/import-server.ts";
import { importLog, type ImportLogOptions, type LogReport } from "./import-log.ts";
import { openFile } from "./source.ts";

let server: ImportServer;
let directory: string;

beforeAll(async () => {
  server = await startImportServer({ clock: () => new Date(Date.UTC(2026, 11, 1)) });
  directory = await mkdtemp(join(tmpdir(), "docent-import-test-"));
});
afterAll(async () => {
  await server.close();
  await rm(directory, { recursive: true, force: true });
});

type Importer = (name: string, content: Buffer | string, options?: Partial<ImportLogOptions>) => Promise<LogReport>;

/** Imports into a project of its own. */
async function createImporter(
  settings: AnalyticsSettings = {},
): Promise<{ run: Importer; stored: () => Promise<string[]> }> {
  const { projectId, key } = await server.createProject(settings);
  const { imports } = createDocent({ baseUrl: server.url, apiKey: key });
  return {
    async run(name, content, options = {}) {
      const path = join(directory, name);
      await writeFile(path, content);
      return await importLog(await openFile(path), {
        imports,
        projectId,
        format: undefined,
        filter: { hosts: [], basePath: "" },
        isAnotherLog: false,
        now: () => new Date(),
        pause: async () => {},
        onWait: () => {},
        onLines: () => {},
        ...options,
      });
    },
    stored: () => server.storedViews(projectId),
  };
}

function line(path: string, second: number, address = "192.0.2.1"): string {
  const time = `21/Nov/2026:10:${String(Math.floor(second / 60)).padStart(2, "0")}:${String(second % 60).padStart(2, "0")} +0000`;
  return `${address} - - [${time}] "GET ${path} HTTP/1.1" 200 5120 "-" "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"\n`;
}

test("the same log counts once, also compressed and under another name", async () => {
  const { run, stored } = await createImporter();
  const content = line("/a", 1) + line("/b", 2) + line("/b", 2);
  expect((await run("access.log", content)).tally).toMatchObject({ lines: 3, views: 3 });
  expect((await run("access.log", content)).tally).toMatchObject({ lines: 0, views: 0 });
  expect((await run("access.log.1.gz", gzipSync(content))).tally).toMatchObject({ lines: 0, views: 0 });
  expect(await stored()).toHaveLength(3);
});

test("of a grown log only the new lines count, whatever became of its file", async () => {
  const { run, stored } = await createImporter();
  const first = line("/a", 1);
  const second = first + line("/b", 2);
  await run("access.log", first);
  expect((await run("access.log", second)).tally).toMatchObject({ lines: 1, views: 1 });
  const rotated = gzipSync(second + line("/c", 3));
  expect((await run("access.log.1.gz", rotated)).tally).toMatchObject({ lines: 1, views: 1 });
  expect((await run("access.log", line("/d", 4))).tally).toMatchObject({ lines: 1, views: 1 });
  expect((await stored()).map((view) => view.split(" ")[0])).toEqual(["/a", "/b", "/c", "/d"]);
});

test("imports of the same log at the same moment do not add up", async () => {
  const { run, stored } = await createImporter();
  const content = Array.from({ length: 60 }, (_, second) => line(`/page-${second}`, second)).join("");
  const importers = ["one.log", "two.log", "three.log"].map((name) => run(name, content, { chunkViews: 5 }));
  const outcomes = await Promise.allSettled(importers);
  const left = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [String(outcome.reason)] : []));
  for (const reason of left) expect(reason).toContain("Something else imports");
  expect(left.length).toBeLessThan(3);
  expect(await stored()).toHaveLength(60);
});

test("a log whose columns are named at its start is read on with them", async () => {
  const { run, stored } = await createImporter();
  const entry = (path: string, second: number): string =>
    `${path}\t200\t2026-11-20\t10:00:0${second}\t192.0.2.1\tGET\tFirefox\n`;
  const header = "#Version: 1.0\n#Fields: cs-uri-stem sc-status date time c-ip cs-method cs(User-Agent)\n";
  const first = header + entry("/a", 1);
  await run("cloudfront.log", first);
  // CloudFront's logs of several hours are put together into one file, headers included.
  const turned = "#Fields: sc-status cs-uri-stem date time c-ip cs-method cs(User-Agent)\n";
  const second = `${first}${entry("/b", 2)}${turned}200\t/c\t2026-11-20\t10:00:03\t192.0.2.1\tGET\tFirefox\n`;
  expect((await run("cloudfront.log", second)).tally).toMatchObject({ lines: 2, views: 2, rejected: new Map() });
  const third = `${second}200\t/d\t2026-11-20\t10:00:04\t192.0.2.1\tGET\tFirefox\n`;
  expect((await run("cloudfront.log", third)).tally).toMatchObject({ lines: 1, views: 1, rejected: new Map() });
  expect((await stored()).map((view) => view.split(" ")[0])).toEqual(["/a", "/b", "/c", "/d"]);
});

test("a request of Vercel's that goes on in the next import still counts once", async () => {
  const { run, stored } = await createImporter();
  const entry = (id: string, requestId: string): string => {
    const proxy = { timestamp: 1_763_632_800_000, method: "GET", path: "/a", statusCode: 200, clientIp: "192.0.2.1" };
    const fields = { id, requestId, deploymentId: "dpl_1", source: "lambda", host: "docs.example.com" };
    return `${JSON.stringify({ ...fields, proxy: { ...proxy, userAgent: ["Firefox"] } })}\n`;
  };
  const first = entry("1", "a");
  await run("vercel.log", first);
  await run("vercel.log", first + entry("2", "a") + entry("3", "b"));
  expect(await stored()).toHaveLength(2);
});

test("line ends of Windows, blank lines and lines that are too long", async () => {
  const { run, stored } = await createImporter();
  const long = `${"x".repeat(1024 * 1024 + 1)}\n`;
  const content = `\r\n${line("/a", 1).replace("\n", "\r\n")}\n${long}${line("/b", 2)}${long.repeat(2)}${line("/c", 3)}`;
  const { tally } = await run("odd.log", content);
  expect([tally.lines, tally.views, tally.rejected.get("line_too_long")?.count]).toEqual([6, 3, 3]);
  expect((await run("odd.log.gz", gzipSync(content + line("/d", 4)))).tally).toMatchObject({ lines: 1, views: 1 });
  expect(await stored()).toHaveLength(4);
});

test("views of days that the project no longer keeps are told of, and the log is done", async () => {
  const { run, stored } = await createImporter({ retentionDays: 1 });
  const old = line("/a", 1).replace("21/Nov/2026", "21/Nov/2020");
  const { tally, bytes } = await run("old.log", old + old);
  expect(tally.views).toBe(0);
  expect(tally.rejected.get("timestamp_before_retention")).toMatchObject({
    count: 2,
    examples: ["2020-11-21T10:00:01.000Z /a 200"],
  });
  expect(bytes).toBe(old.length * 2);
  expect(await stored()).toEqual([]);
});

test("texts of any length and kind leave no log stuck", async () => {
  const { run, stored } = await createImporter();
  const nasty = (second: number): string =>
    line(`/${"\\x01".repeat(100_000)}${second}`, second, "z".repeat(200_000)).replace(
      "Firefox",
      "\\x02".repeat(20_000),
    );
  const content = line("/a", 1) + Array.from({ length: 40 }, (_, second) => nasty(second)).join("") + line("/b", 2);
  const { tally } = await run("nasty.log", content);
  expect([tally.lines, tally.views, tally.rejected.get("invalid_url")?.count]).toEqual([42, 2, 40]);
  expect(await stored()).toHaveLength(2);
});

test("a service that is away while an import looks again where it stands is waited for", async () => {
  const { projectId, key } = await server.createProject();
  const { imports } = createDocent({ baseUrl: server.url, apiKey: key });
  const path = join(directory, "restart.log");
  await writeFile(path, line("/a", 1) + line("/b", 2));
  const waits: string[] = [];
  const common = { projectId, format: undefined, filter: { hosts: [], basePath: "" }, isAnotherLog: false };
  const quiet = { now: () => new Date(), pause: async () => {}, onWait: () => {}, onLines: () => {} };
  let asked = 0;
  const report = await importLog(await openFile(path), {
    ...common,
    ...quiet,
    onWait: (reason) => waits.push(reason),
    imports: {
      async storeChunk(...request) {
        // Another import of the log is done meanwhile.
        if (asked === 1) await importLog(await openFile(path), { ...common, ...quiet, imports });
        return await imports.storeChunk(...request);
      },
      async find(...request) {
        asked += 1;
        if (asked === 2) throw new DocentError("away", { status: 0, code: "unreachable" });
        return await imports.find(...request);
      },
    },
  });
  expect(waits).toEqual(["away"]);
  expect(report.tally.views).toBe(0);
  expect(await server.storedViews(projectId)).toHaveLength(2);
});
