import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseConfig } from "../../../server/src/config.ts";
import { createTestDatabase } from "../../../server/src/database/testing/postgres.ts";
import { runGit } from "../../../server/src/git/git.ts";
import { createLog } from "../../../server/src/log.ts";
import { createService } from "../../../server/src/service.ts";

export interface TestService {
  url: string;
  adminToken: string;
  /** The service's data directory. */
  data: string;
  /** A git repository with one page that links to a page under another name. */
  repository: string;
  stop(): Promise<void>;
}

/** The whole service, as `docent serve` runs it, on a free port and a database of its own. */
export async function startTestService(): Promise<TestService> {
  const directory = await mkdtemp(join(tmpdir(), "docent-cli-"));
  const data = join(directory, "data");
  const repository = await makeRepository(join(directory, "docs"));
  const database = await createTestDatabase();
  const config = parseConfig({ DOCENT_PORT: "0", DOCENT_DATA: data, DATABASE_URL: database.url });
  const service = createService(config, { log: createLog("silent", { write: () => undefined }) });
  const { url, adminToken } = await service.start();
  if (url === null) throw new Error("The service serves nothing.");
  return {
    url,
    adminToken,
    data,
    repository,
    async stop() {
      await service.stop();
      await database.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function makeRepository(directory: string): Promise<string> {
  await mkdir(join(directory, "guides"), { recursive: true });
  const navigation = { navigation: { groups: [{ group: "Docs", pages: ["index", "guides/install"] }] } };
  await writeFile(join(directory, "docs.json"), JSON.stringify(navigation, null, 2));
  await writeFile(join(directory, "index.mdx"), "---\ntitle: Start\n---\n\nFirst [install](/install) the Hub.\n");
  await writeFile(join(directory, "guides/install.mdx"), "---\ntitle: Install\n---\n\nDownload the Hub.\n");
  const person = { GIT_AUTHOR_NAME: "A", GIT_AUTHOR_EMAIL: "a@example.com" };
  const env = { ...person, GIT_COMMITTER_NAME: "A", GIT_COMMITTER_EMAIL: "a@example.com" };
  for (const args of [
    ["init", "--quiet"],
    ["add", "."],
    ["commit", "--quiet", "--message=Start"],
  ]) {
    await runGit(["-C", directory, ...args], { env });
  }
  return directory;
}
