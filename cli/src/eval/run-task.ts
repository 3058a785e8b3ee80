import type { Job } from "@docent/sdk";
import type { DocsView } from "./checks/check-kind.ts";
import { runChecks } from "./checks.ts";
import type { Git } from "./git.ts";
import type { EvaluationService } from "./service.ts";
import type { PreparedSource } from "./source.ts";
import type { Outcome, Task } from "./task.ts";
import { diffText, openTreePair, type TreePair } from "./tree.ts";

/** What became of one task. */
export interface TaskResult {
  name: string;
  passed: boolean;
  outcome: Outcome | "error";
  /** Why it did not pass: what was expected and what there is. */
  failures: string[];
  /** What the job said when it failed; null when it did not. */
  failureReason: string | null;
  /** Answers of the model. */
  steps: number;
  inputTokens: number;
  outputTokens: number;
  /** US dollars; null when the model's price is not known. */
  costUsd: number | null;
  seconds: number;
  changedFiles: number;
  /** The job's change, cut; only when the task did not pass. */
  diff?: string;
}

export interface TaskRunner {
  service: EvaluationService;
  git: Git;
  model: string;
  prepare(task: Task): Promise<PreparedSource>;
  /** How the documentation of two commits is understood. */
  viewDocs(options: { gitDir: string; base: string; result: string; docsPath: string | undefined }): Promise<DocsView>;
  /** Removes the task's project afterwards. */
  deleteProjects: boolean;
  signal: AbortSignal;
}

const DIFF_LINES_MAX = 60;

interface Usage {
  steps: number;
  inputTokens: number;
  outputTokens: number;
  costUsd: number | null;
}

/** Runs one task: its documentation as a project, its instruction as a job, its checks on the branch that comes of it. */
export async function runTask(runner: TaskRunner, task: Task): Promise<TaskResult> {
  const began = performance.now();
  const seconds = (): number => Math.round((performance.now() - began) / 100) / 10;
  try {
    const source = await runner.prepare(task);
    return { ...(await evaluate(runner, task, source)), seconds: seconds() };
  } catch (error) {
    runner.signal.throwIfAborted();
    const reason = error instanceof Error ? error.message : String(error);
    const nothing = { steps: 0, inputTokens: 0, outputTokens: 0, costUsd: null, changedFiles: 0, failureReason: null };
    const failures = [`It could not be run: ${reason}`];
    return { name: task.name, passed: false, outcome: "error", failures, ...nothing, seconds: seconds() };
  }
}

async function evaluate(runner: TaskRunner, task: Task, source: PreparedSource): Promise<Omit<TaskResult, "seconds">> {
  const { service, git, signal } = runner;
  const { admin } = service;
  const project = await admin.projects.create({
    name: `eval ${task.name}`,
    repository: source.gitDir,
    ref: "base",
    settings: { model: runner.model, ...(task.docsPath === undefined ? {} : { docsPath: task.docsPath }) },
  });
  try {
    await admin.projects.waitUntilReady(project.id, { signal });
    const { key } = await admin.keys.create(project.id, { name: "evaluation" });
    const { job, usage } = await runJob(runner, project.id, key, task);
    const result = await fetchResult(git, source, { url: service.url, projectId: project.id, key, job });
    const tree = await openTreePair(git, { gitDir: source.gitDir, base: source.base, result });
    const outcome = outcomeOf(job, tree);
    const failures = task.outcomes.includes(outcome)
      ? await checkResult(runner, task, source, tree)
      : [`expected ${task.outcomes.join(" or ")}, and the job ended ${described(outcome, job)}`];
    const passed = failures.length === 0;
    return {
      name: task.name,
      passed,
      outcome,
      failures,
      failureReason: job.failureReason,
      ...usage,
      changedFiles: tree.changes.size,
      ...(passed || tree.changes.size === 0 ? {} : { diff: await diffText(tree, DIFF_LINES_MAX) }),
    };
  } finally {
    if (runner.deleteProjects) await admin.projects.delete(project.id).catch(() => undefined);
  }
}

async function runJob(
  { service, signal }: TaskRunner,
  projectId: string,
  key: string,
  task: Task,
): Promise<{ job: Job; usage: Usage }> {
  const { jobs } = service.withKey(key);
  const created = await jobs.create(projectId, { prompt: task.instruction });
  const usage: Usage = { steps: 0, inputTokens: 0, outputTokens: 0, costUsd: 0 };
  const waiting = [...task.followUps];
  for await (const event of jobs.events(projectId, created.id, { signal })) {
    countUsage(usage, event);
    if (event.type !== "status") continue;
    const job = await jobs.get(projectId, created.id, { signal });
    if (job.status === "active") continue;
    const next = job.status === "completed" ? waiting.shift() : undefined;
    if (next === undefined) return { job, usage };
    await jobs.message(projectId, created.id, { prompt: next });
  }
  return { job: await jobs.get(projectId, created.id, { signal }), usage };
}

function countUsage(usage: Usage, { type, data }: { type: string; data: Record<string, unknown> }): void {
  const used = data["usage"];
  if (typeof used !== "object" || used === null) return;
  const { inputTokens, outputTokens, costNanoUsd }: Record<string, unknown> = { ...used };
  if (type === "answer") usage.steps += 1;
  if (typeof inputTokens === "number") usage.inputTokens += inputTokens;
  if (typeof outputTokens === "number") usage.outputTokens += outputTokens;
  // A price that is not known for one answer is not known for the whole.
  usage.costUsd = typeof costNanoUsd === "number" && usage.costUsd !== null ? usage.costUsd + costNanoUsd / 1e9 : null;
}

/** The commit that the job published, in the source's repository; the base when it published nothing. */
async function fetchResult(
  git: Git,
  source: PreparedSource,
  { url, projectId, key, job }: { url: string; projectId: string; key: string; job: Job },
): Promise<string> {
  if (job.branch === null) return source.base;
  const authorization = `Authorization: Basic ${Buffer.from(`evaluation:${key}`).toString("base64")}`;
  const ref = `refs/evaluation/${job.id}`;
  await git(["fetch", "--quiet", `${url}/git/${projectId}.git`, `+refs/heads/${job.branch}:${ref}`], {
    gitDir: source.gitDir,
    config: { "http.extraHeader": authorization },
  });
  return (await git(["rev-parse", ref], { gitDir: source.gitDir })).trim();
}

function outcomeOf(job: Job, tree: TreePair): Outcome {
  if (job.status === "failed") return "refused";
  return tree.changes.size > 0 ? "changed" : "unchanged";
}

function described(outcome: Outcome, job: Job): string {
  if (outcome === "refused") return `refused: ${job.failureReason ?? "without a reason"}`;
  return outcome === "unchanged" ? "without a change." : `with a change: ${job.prLink ?? job.branch ?? "no branch"}`;
}

async function checkResult(
  runner: TaskRunner,
  task: Task,
  { gitDir, base }: PreparedSource,
  tree: TreePair,
): Promise<string[]> {
  let view: Promise<DocsView> | undefined;
  const docs = (): Promise<DocsView> =>
    (view ??= runner.viewDocs({ gitDir, base, result: tree.result, docsPath: task.docsPath }));
  try {
    return await runChecks(task.checks, { tree, docs });
  } finally {
    await (await view)?.close();
  }
}
