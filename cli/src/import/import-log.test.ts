import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDocent } from "@docent/sdk";
import { startImportServer, type ImportServer } from "../testing/import-server.ts";
import { importLog, type ImportLogOptions, type LogReport } from "./import-log.ts";
import { openFile } from "./source.ts";

let server: ImportServer;
let directory: string;

beforeAll(async () => {
  server = await startImportServer();
  directory = await mkdtemp(join(tmpdir(), "docent-import-test-"));
});
afterAll(async () => {
  await server.close();
  await rm(directory, { recursive: true, force: true });
});

type Importer = (name: string, content: Buffer | string, options?: Partial<ImportLogOptions>) => Promise<LogReport>;

/** Imports into a project of its own. */
async function createImporter(): Promise<{ run: Importer; stored: () => Promise<string[]> }> {
  const { projectId, key } = await server.createProject();
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
