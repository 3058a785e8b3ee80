import { runGit } from "../../../git/git.ts";
import { createJobChanges } from "../../changes/changes.ts";
import type { Expectation } from "../expectation.ts";
import type { Scene } from "../stage.ts";
import { readTasks } from "../task.ts";
import type { JobRecord, RecordedTurn } from "./record.ts";

/** Exactly the expected pull requests and branches; on each, one commit a turn, with exactly the expected bytes. */
export async function checkBranches(stage: Scene, record: JobRecord, expectation: Expectation): Promise<string[]> {
  const { job, turns, pullRequests } = record;
  const found: string[] = [];
  const published = turns.filter((turn) => turn.outcome === "published");
  const isArchived = expectation.status === "archived";
  const expected =
    expectation.pullRequests ?? (published.length === 0 ? [] : [{ turns: published.length, state: "open" as const }]);
  const states = pullRequests.map((pullRequest) => pullRequest.state).join();
  if (!isArchived && states !== expected.map(({ state }) => state).join()) {
    found.push(`Its pull requests are [${states}], expected [${expected.map(({ state }) => state).join()}].`);
  }
  if (isArchived && pullRequests.length > 1) found.push(`It has ${pullRequests.length} pull requests.`);

  const { git } = createReader(stage.gitDir);
  const branches = await git("for-each-ref", "--format=%(refname:lstrip=2)", `refs/heads/docent/${job.id}*`);
  const named = pullRequests.map((pullRequest) => pullRequest.head_branch);
  // What was pushed right before the job was archived may have no pull request.
  const allowed = isArchived ? [...named, `docent/${job.id}`] : named;
  for (const branch of branches) if (!allowed.includes(branch)) found.push(`The branch ${branch} is nobody's.`);
  for (const name of named) if (!branches.includes(name)) found.push(`The branch ${name} is missing.`);
  if (isArchived) return found;

  let done = 0;
  for (const [index, { turns: count }] of expected.entries()) {
    const pullRequest = pullRequests[index];
    if (pullRequest === undefined) break;
    const own = published.slice(done, done + count);
    done += count;
    found.push(...(await checkCommits(stage, pullRequest, own, expectation)));
    const people = index === expected.length - 1 ? (expectation.pushedByPeople ?? {}) : {};
    for (const [path, content] of Object.entries(people)) {
      const now = await createReader(stage.gitDir).show(pullRequest.head_branch, path);
      if (now !== content) found.push(`${path}, which a person pushed, is gone.`);
    }
    for (const prompt of own.flatMap((turn) => turn.prompts)) {
      const quotes = pullRequest.body.split(`> ${prompt}`).length - 1;
      if (quotes !== 1) found.push(`The pull request quotes ${quotes} times: ${prompt.slice(0, 80)}`);
    }
    const followUps = pullRequest.body.match(/^### Follow-up:/gm)?.length ?? 0;
    if (followUps !== own.length - 1)
      found.push(`The pull request tells of ${followUps} follow-ups of ${own.length - 1}.`);
  }
  found.push(...(await checkChanges(stage, record, expectation)));
  if (done !== published.length) found.push(`${published.length} turns published, ${done} were expected.`);
  return found;
}

/** What is told of the job's changes is what git says of its last pull request, where no person had a hand in it. */
async function checkChanges(
  { database, gitDir }: Scene,
  { job, pullRequests }: JobRecord,
  expectation: Expectation,
): Promise<string[]> {
  const last = pullRequests.at(-1);
  if (last === undefined || last.head_branch !== job.turn_branch || expectation.pushedByPeople !== undefined) return [];
  const range = `${last.base_commit}...refs/heads/${last.head_branch}`;
  const { stdout } = await runGit(["diff", "-M", "--full-index", range], { gitDir });
  const told = await createJobChanges({ database, jobRow: async () => job }).changesDiff(job.project_id, job.id);
  return told?.equals(stdout) === true ? [] : [`Its changes are told as ${String(told)}, git says ${String(stdout)}`];
}

async function checkCommits(
  stage: Scene,
  { head_branch: branch, base_commit: base }: JobRecord["pullRequests"][number],
  turns: readonly RecordedTurn[],
  expectation: Expectation,
): Promise<string[]> {
  const found: string[] = [];
  const { git, show } = createReader(stage.gitDir);
  const range = `${base}..refs/heads/${branch}`;
  const commits = await git("log", "--reverse", "--format=%H", "--author=docent@localhost", range);
  if (commits.length !== turns.length) found.push(`${branch} has ${commits.length} commits of ${turns.length} turns.`);
  for (const [index, commit] of commits.entries()) {
    const [message] = await git("log", "-1", "--format=%(trailers:key=Docent-Job,valueonly)", commit);
    if (message !== expectation.jobId) found.push(`The commit ${commit} names the job ${message}.`);
    const filesOf = expectation.filesOf ?? filesOfTasks;
    const files = new Map((turns[index]?.prompts ?? []).flatMap((prompt) => Object.entries(filesOf(prompt))));
    const changed = await git("diff-tree", "-r", "--no-commit-id", "--name-only", commit);
    const wanted = [...files.keys()].sort();
    if (changed.join() !== wanted.join())
      found.push(`A commit of ${branch} changes ${changed.join()}, not ${wanted.join()}.`);
    for (const [path, content] of files) {
      if ((await show(commit, path)) !== content) found.push(`${path} in ${commit} has other bytes.`);
    }
  }
  return found;
}

function filesOfTasks(prompt: string): Record<string, string> {
  return Object.assign({}, ...readTasks(prompt).map((task) => task.files));
}

function createReader(gitDir: string) {
  return {
    /** The lines that a git command prints. */
    async git(...args: string[]): Promise<string[]> {
      const { stdout } = await runGit(args, { gitDir });
      return stdout.toString("utf8").split("\n").filter(Boolean);
    },
    async show(revision: string, path: string): Promise<string | undefined> {
      const { stdout, exitCode } = await runGit(["show", `${revision}:${path}`], { gitDir, okExitCodes: [0, 128] });
      return exitCode === 0 ? stdout.toString("utf8") : undefined;
    },
  };
}
