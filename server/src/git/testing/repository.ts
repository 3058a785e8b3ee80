import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { runGit } from "../git.ts";

/** Text, bytes, null to delete, or any of them with a mode. A submodule's content is its commit's id. */
export type TestFile =
  | string
  | Uint8Array
  | null
  | { mode: "100644" | "100755" | "120000" | "160000"; content: string | Uint8Array };

export interface TestRepository {
  /** A bare repository. */
  directory: string;
  url: string;
  /** Commits on top of the branch (or of nothing) and returns the commit. */
  commit(branch: string, files: Record<string, TestFile>): Promise<string>;
  /** The same for many commits one after another, in one go. Returns the last. */
  commits(branch: string, list: readonly Record<string, TestFile>[]): Promise<string>;
  git(...args: string[]): Promise<string>;
  /** `<mode> <oid>` by path. */
  tree(revision: string): Promise<Map<string, string>>;
  remove(): Promise<void>;
}

function fileCommand(path: string, file: TestFile): (string | Uint8Array)[] {
  const quoted = `"${path.replace(/["\\]/g, "\\$&").replaceAll("\n", "\\n")}"`;
  if (file === null) return [`D ${quoted}\n`];
  const { mode, content } =
    typeof file === "string" || file instanceof Uint8Array ? { mode: "100644" as const, content: file } : file;
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  if (mode === "160000") return [`M 160000 ${Buffer.from(bytes).toString()} ${quoted}\n`];
  return [`M ${mode} inline ${quoted}\ndata ${bytes.length}\n`, bytes, "\n"];
}

export async function createTestRepository(): Promise<TestRepository> {
  const parent = await mkdtemp(join(tmpdir(), "docent-test-"));
  const directory = join(parent, "origin.git");
  await runGit(["init", "--quiet", "--bare", directory]);
  const git = async (...args: string[]) => (await runGit(args, { gitDir: directory })).stdout.toString("utf8").trim();
  await git("config", "uploadpack.allowFilter", "true");
  let time = 1_700_000_000;

  async function commits(branch: string, list: readonly Record<string, TestFile>[]): Promise<string> {
    const ref = `refs/heads/${branch}`;
    const head = await git("for-each-ref", "--format=%(objectname)", ref);
    const parts: (string | Uint8Array)[] = [];
    for (const [index, files] of list.entries()) {
      time += 60;
      parts.push(`commit ${ref}\ncommitter Test <test@example.com> ${time} +0000\ndata 4\ntest\n`);
      if (head !== "" && index === 0) parts.push(`from ${head}\n`);
      for (const [path, file] of Object.entries(files)) parts.push(...fileCommand(path, file));
    }
    const stdin = Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : part)));
    await runGit(["fast-import", "--quiet"], { gitDir: directory, stdin });
    return git("rev-parse", ref);
  }

  return {
    directory,
    url: pathToFileURL(directory).href,
    git,
    commit: (branch, files) => commits(branch, [files]),
    commits,
    async tree(revision) {
      const listed = await git("ls-tree", "-r", "-z", revision);
      const entries = listed.split("\0").filter((record) => record !== "");
      return new Map(
        entries.map((record) => {
          const [mode, , oid] = record.slice(0, record.indexOf("\t")).split(" ");
          return [record.slice(record.indexOf("\t") + 1), `${mode} ${oid}`];
        }),
      );
    },
    remove: () => rm(parent, { recursive: true, force: true }),
  };
}
