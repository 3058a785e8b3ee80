import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { GitError, spawnGit } from "../../git/git.ts";

/** One side of a changed file; content null: it was too large to be kept. */
export interface FileSide {
  mode: string;
  content: Uint8Array | null;
}

export interface FileSides {
  path: string;
  /** Null: not there. */
  before: FileSide | null;
  after: FileSide | null;
}

/** Two trees in a repository that is there for this moment alone. */
export interface ScratchTrees {
  gitDir: string;
  from: string;
  to: string;
}

/** Has git compare files that lie in no repository. They are handed on as they come, a few at a time in memory. */
export async function withScratchTrees<Result>(
  files: AsyncIterable<FileSides>,
  task: (trees: ScratchTrees) => Promise<Result>,
): Promise<Result> {
  const gitDir = await mkdtemp(join(tmpdir(), "docent-changes-"));
  try {
    // What makes a folder a repository; `git init` would be one more process. gitrepository-layout(5)
    await Promise.all([
      mkdir(join(gitDir, "objects")),
      mkdir(join(gitDir, "refs")),
      writeFile(join(gitDir, "HEAD"), "ref: refs/heads/before\n"),
    ]);
    await importFiles(gitDir, files);
    return await task({ gitDir, from: "refs/heads/before", to: "refs/heads/after" });
  } finally {
    await rm(gitDir, { recursive: true, force: true });
  }
}

/** Writes both trees with one process, as a stream: git-fast-import(1). */
async function importFiles(gitDir: string, files: AsyncIterable<FileSides>): Promise<void> {
  const child = spawnGit(["fast-import", "--quiet", "--done"], { gitDir, config: { "core.fsync": "none" } });
  let stderr = "";
  child.stderr.on("data", (chunk: Buffer) => (stderr = (stderr + chunk.toString("utf8")).slice(0, 2000)));
  child.stdout.resume();
  // The exit code tells.
  child.stdin.on("error", () => {});
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  ended.catch(() => {});
  try {
    for await (const chunk of importStream(files)) {
      if (!child.stdin.write(chunk)) await Promise.race([once(child.stdin, "drain"), ended]);
      if (child.exitCode !== null) break;
    }
  } catch (error) {
    child.kill("SIGKILL");
    throw error;
  }
  child.stdin.end();
  const exitCode = await ended;
  if (exitCode !== 0) throw new GitError("fast-import", exitCode, stderr);
}

async function* importStream(files: AsyncIterable<FileSides>): AsyncGenerator<Buffer> {
  const trees: Record<"before" | "after", string[]> = { before: [], after: [] };
  let mark = 0;
  for await (const file of files) {
    for (const name of ["before", "after"] as const) {
      const side = file[name];
      if (side === null) continue;
      mark += 1;
      const content = side.content ?? leftOut(file.path, name);
      yield Buffer.from(`blob\nmark :${mark}\ndata ${content.length}\n`);
      yield Buffer.from(content);
      yield Buffer.from("\n");
      trees[name].push(`M ${side.content === null ? "100644" : side.mode} :${mark} ${quoted(file.path)}\n`);
    }
  }
  for (const [name, entries] of Object.entries(trees)) {
    yield Buffer.from(`commit refs/heads/${name}\ncommitter Docent <docent@localhost> 0 +0000\ndata 0\n`);
    for (const entry of entries) yield Buffer.from(entry);
  }
  yield Buffer.from("done\n");
}

/** Stands for content that is not known: git takes it for binary, and the same as nothing else. */
function leftOut(path: string, side: string): Buffer {
  return Buffer.from(`\0${side}\0${path}`);
}

function quoted(path: string): string {
  return `"${path.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll("\n", String.raw`\n`)}"`;
}
