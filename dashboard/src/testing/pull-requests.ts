import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { TestService } from "../../../server/src/testing/service.ts";

const run = promisify(execFile);

/** Paths and what is in them; null removes one. */
export type Files = Readonly<Record<string, string | Buffer | null>>;

/** A project on the built-in code host, and somebody who works on it with git and through the API. */
export interface Repository {
  projectId: string;
  /** Commits on a branch, which begins at the base branch if it is new, and pushes. */
  push(branch: string, files: Files, message?: string): Promise<void>;
  /** Makes the row of a pull request, as a job's publishing does. Gives its address in the dashboard. */
  openPullRequest(branch: string, content: { title: string; body?: string }): Promise<string>;
  /** Has a job make a pull request. Gives the job's id, and the pull request's address. */
  runJob(prompt: string): Promise<{ jobId: string; path: string }>;
  /** Calls the API with a key of the project. */
  call(method: string, path: string, body?: object): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}

export async function createRepository(service: TestService): Promise<Repository> {
  const { projectId, key } = await service.createProject();
  const directory = await mkdtemp(join(tmpdir(), "docent-test-pulls-"));
  const git = async (...args: string[]): Promise<void> => {
    const identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com", "-c", "core.quotepath=off"];
    await run("git", [...identity, ...args], {
      cwd: directory,
      env: { PATH: process.env["PATH"] ?? "", HOME: directory },
    });
  };
  const remote = new URL(`/git/${projectId}.git`, service.url);
  Object.assign(remote, { username: "x", password: key });
  await git("clone", "--quiet", remote.href, directory);

  async function call(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
    const response = await fetch(service.url + path, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as Record<string, unknown>;
  }

  return {
    projectId,
    call,

    async push(branch, files, message = "Change") {
      await git("fetch", "--quiet", "origin");
      const known = await git("rev-parse", "--verify", "--quiet", `origin/${branch}`).then(
        () => true,
        () => false,
      );
      await git("checkout", "--quiet", "-B", branch, known ? `origin/${branch}` : "origin/main");
      for (const [path, content] of Object.entries(files)) {
        const target = join(directory, path);
        await mkdir(dirname(target), { recursive: true });
        await (content === null ? rm(target) : writeFile(target, content));
      }
      await git("add", "--all");
      await git("commit", "--quiet", "-m", message);
      await git("push", "--quiet", "origin", branch);
    },

    async openPullRequest(branch, { title, body = "" }) {
      const { rows } = await service.database.pool.query<{ number: number }>(
        `insert into builtin_pull_requests (repository, number, title, body, head_branch, base_branch, state)
         select $1, coalesce(max(number), 0) + 1, $2, $3, $4, 'main', 'open' from builtin_pull_requests where repository = $1
         returning number`,
        [projectId, title, body, branch],
      );
      return `/projects/${projectId}/pull/${rows[0]?.number}`;
    },

    async runJob(prompt) {
      const { id } = await call("POST", `/v2/agent/${projectId}/job`, { prompt });
      for (;;) {
        const job = await call("GET", `/v2/agent/${projectId}/job/${String(id)}`);
        if (job["status"] === "active") continue;
        if (typeof job["prLink"] !== "string") throw new Error(`The job ended as ${JSON.stringify(job)}`);
        return { jobId: String(id), path: new URL(job["prLink"]).pathname };
      }
    },

    close: () => rm(directory, { recursive: true, force: true }),
  };
}
