import { execFile, execFileSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import type { TestService } from "../../testing/service.ts";

const run = promisify(execFile);

/** What a job came to, read back through the API and through git as any client would. */
export interface JobOutcome {
  status: string;
  failureReason: string | null;
  /** Null when there is no pull request. */
  pullRequest: { body: string; number: number } | null;
  /** The object id of the branch's tree; of the start's tree when nothing was published. */
  tree: string;
}

/** A documentation repository that was imported into a running service, and a working copy beside it. */
export interface DocsProject {
  /** A working copy of what was imported, for `expectedTree`. */
  directory: string;
  /** Creates a job and waits for its end. */
  runJob(prompt: string): Promise<JobOutcome>;
  /** The object id of the tree after `change` has been made to the working copy, which then is as it was. */
  expectedTree(change: (directory: string) => Promise<void>): Promise<string>;
  /** `git diff` between two trees, both known to the working copy. Empty when they are the same. */
  diff(from: string, to: string): Promise<string>;
  close(): Promise<void>;
}

export type DocsFile = string | Uint8Array | { content: string | Uint8Array; executable: true };

/** sed that edits in place and leaves a missing last line break missing. macOS has another one. */
export function hasGnuSed(): boolean {
  try {
    return execFileSync("sed", ["--version"], { stdio: ["ignore", "pipe", "ignore"] }).includes("GNU");
  } catch {
    return false;
  }
}

/** Replaces in place with sed, byte by byte: `find` and `replace` are literal texts of one line. */
export async function sed(directory: string, paths: readonly string[], find: string, replace: string): Promise<void> {
  const pattern = find.replaceAll(/[\\/.*[\]^$]/g, String.raw`\$&`);
  const replacement = replace.replaceAll(/[\\/&]/g, String.raw`\$&`);
  await run("sed", ["-i", `s/${pattern}/${replacement}/g`, "--", ...paths], {
    cwd: directory,
    env: { PATH: process.env["PATH"] ?? "", LC_ALL: "C" },
  });
}

export async function writeFiles(directory: string, files: Readonly<Record<string, DocsFile>>): Promise<void> {
  for (const [path, file] of Object.entries(files)) {
    const target = join(directory, path);
    await mkdir(dirname(target), { recursive: true });
    const isPlain = typeof file === "string" || file instanceof Uint8Array;
    await writeFile(target, isPlain ? file : file.content);
    if (!isPlain) await chmod(target, 0o755);
  }
}

export async function createDocsProject(
  service: TestService,
  files: Readonly<Record<string, DocsFile>>,
): Promise<DocsProject> {
  const parent = await mkdtemp(join(tmpdir(), "docent-test-offline-"));
  const directory = join(parent, "docs");
  const git = async (...args: string[]): Promise<string> => {
    const { stdout } = await run("git", ["-c", "core.autocrlf=false", ...args], {
      cwd: directory,
      maxBuffer: 64 * 1024 * 1024,
      env: {
        PATH: process.env["PATH"] ?? "",
        HOME: parent,
        GIT_CONFIG_NOSYSTEM: "1",
        GIT_TERMINAL_PROMPT: "0",
        GIT_AUTHOR_NAME: "Ada",
        GIT_AUTHOR_EMAIL: "ada@example.com",
        GIT_COMMITTER_NAME: "Ada",
        GIT_COMMITTER_EMAIL: "ada@example.com",
      },
    });
    return stdout.trim();
  };
  await mkdir(directory);
  await git("init", "--quiet", "--initial-branch=main");
  await writeFiles(directory, files);
  await git("add", "--all", "--force");
  await git("commit", "--quiet", "-m", "Start");
  const start = await git("rev-parse", "HEAD^{tree}");

  const { projectId, key } = await service.createProject({ repository: directory });
  async function get(path: string, token = key): Promise<Record<string, unknown>> {
    const response = await fetch(service.url + path, { headers: { authorization: `Bearer ${token}` } });
    if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return response.json() as Promise<Record<string, unknown>>;
  }
  for (let state = ""; state !== "ready"; await wait(20)) {
    state = String((await get(`/v1/projects/${projectId}`, service.adminToken))["state"]);
    if (state === "failed") throw new Error("The repository was not imported.");
  }

  return {
    directory,
    async runJob(prompt) {
      const created = await fetch(`${service.url}/v2/agent/${projectId}/job`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({ prompt }),
      });
      let job = (await created.json()) as Record<string, unknown>;
      if (created.status !== 201) throw new Error(`The job was not created: ${JSON.stringify(job)}`);
      while (job["status"] === "active") {
        await wait(50);
        job = await get(`/v2/agent/${projectId}/job/${String(job["id"])}`);
      }
      const link = job["prLink"];
      const outcome = { status: String(job["status"]), failureReason: job["failureReason"] as string | null };
      if (typeof link !== "string") return { ...outcome, pullRequest: null, tree: start };
      const number = Number(link.split("/").at(-1));
      const { body } = await get(`/v1/projects/${projectId}/pulls/${number}`);
      const remote = new URL(`/git/${projectId}.git`, service.url);
      remote.username = "docent";
      remote.password = key;
      const ref = `refs/jobs/${number}`;
      await git("fetch", "--quiet", "--no-write-fetch-head", remote.href, `refs/heads/${String(job["branch"])}:${ref}`);
      const tree = await git("rev-parse", `${ref}^{tree}`);
      return { ...outcome, pullRequest: { body: String(body), number }, tree };
    },
    async expectedTree(change) {
      await change(directory);
      await git("add", "--all", "--force");
      const tree = await git("write-tree");
      await git("reset", "--quiet", "--hard", "HEAD");
      return tree;
    },
    diff: (from, to) => git("diff", "--no-renames", "--text", from, to),
    close: () => rm(parent, { recursive: true, force: true }),
  };
}
