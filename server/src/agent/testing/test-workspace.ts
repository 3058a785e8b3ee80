import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runGit } from "../../git/git.ts";
import { createMirrors } from "../../workspace/mirror.ts";
import type { FileMode } from "../../workspace/tree.ts";
import { openWorkspace, type Workspace } from "../../workspace/workspace.ts";

export interface TestWorkspace {
  workspace: Workspace;
  /** A file's text as it is now, with its byte order mark; undefined when there is none. */
  text(path: string): Promise<string | undefined>;
  /** All files as they are now. */
  files(): Promise<Record<string, string>>;
  close(): Promise<void>;
}

export interface TestWorkspaceOptions {
  docsPath?: string;
  /** Modes other than a plain file's. */
  modes?: Readonly<Record<string, FileMode>>;
}

/** A workspace on a new git repository that holds these files. `close` removes it. */
export async function createTestWorkspace(
  files: Readonly<Record<string, string | Uint8Array>>,
  { docsPath, modes = {} }: TestWorkspaceOptions = {},
): Promise<TestWorkspace> {
  const directory = await mkdtemp(join(tmpdir(), "docent-agent-"));
  const gitDir = join(directory, "origin.git");
  await runGit(["init", "--quiet", "--bare", "--initial-branch=main", gitDir]);
  await runGit(["fast-import", "--quiet"], { gitDir, stdin: importStream(files, modes) });
  const mirrors = createMirrors({ directory: join(directory, "mirrors"), blobBytesMax: 10_000_000 });
  const mirror = await mirrors.open("origin", () => Promise.resolve({ url: "http://localhost/", directory: gitDir }));
  const baseCommit = await mirror.fetchBranch("main");
  if (baseCommit === undefined) throw new Error("The test repository has no main branch.");
  const workspace = await openWorkspace({
    mirror,
    baseCommit,
    rules: { ...(docsPath === undefined ? {} : { docsPath }), allow: [], filesMax: 10_000, bytesMax: 100_000_000 },
    saved: [],
  });
  const text = async (path: string) => {
    const bytes = await workspace.read(path);
    return bytes === undefined ? undefined : new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  };
  return {
    workspace,
    text,
    async files() {
      const entries = await workspace.list();
      return Object.fromEntries(await Promise.all(entries.map(async ({ path }) => [path, (await text(path)) ?? ""])));
    },
    async close() {
      await mirrors.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

function importStream(
  files: Readonly<Record<string, string | Uint8Array>>,
  modes: Readonly<Record<string, FileMode>>,
): Buffer {
  const parts: Buffer[] = [
    Buffer.from("commit refs/heads/main\ncommitter Test <test@localhost> 0 +0000\ndata 4\nbase\n"),
  ];
  for (const [path, content] of Object.entries(files)) {
    const bytes = Buffer.from(content);
    parts.push(
      Buffer.from(`M ${modes[path] ?? "100644"} inline ${path}\ndata ${bytes.length}\n`),
      bytes,
      Buffer.from("\n"),
    );
  }
  return Buffer.concat(parts);
}
