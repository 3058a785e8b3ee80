import { join, relative } from "node:path";
import { createDocent, type Job } from "@docent/sdk";
import type { Terminal } from "../../cli/src/terminal.ts";
import { formatOutcome, watchJob } from "../../cli/src/watch.ts";
import { parseDiff, subtractDiff, type FileDiff } from "./diff.ts";
import { showReaders } from "./readers.ts";
import { makeSampleRepository } from "./sample.ts";
import { createScreen } from "./screen.ts";

const PROMPT = "fix broken links; rename Lantern Hub to Lantern Relay";
const FOLLOW_UP = 'replace "the Hub" with "the Relay" in sdks/**';

/** Where the demo takes place. `directory` is the service's data directory. */
export interface Stage {
  root: string;
  directory: string;
  url: string;
  adminToken: string;
  signal: AbortSignal;
}

/**
 * Takes the sample documentation from an instruction to a pull request and through a follow-up, and counts the readers of
 * a sample log, all through the public API, and shows each request.
 * @throws Error when any step fails.
 */
export async function tellStory(
  terminal: Terminal,
  { root, directory, url, adminToken, signal }: Stage,
): Promise<void> {
  const screen = createScreen(terminal);
  const sample = join(directory, "sample");
  const pages = await makeSampleRepository(join(root, "examples/docs"), sample);

  screen.step("A project from a git repository");
  const admin = createDocent({ baseUrl: url, adminToken });
  screen.request("/v1/projects", "DOCENT_ADMIN_TOKEN", { name: "Lantern", repository: relative(root, sample) });
  const created = await admin.projects.create({ name: "Lantern", repository: sample }, { signal });
  const project = await admin.projects.waitUntilReady(created.id, { signal, pollMs: 50 });
  screen.done(`${project.id}: ${pages} pages on ${project.ref}`);

  screen.step("An API key for it");
  screen.request("/v1/projects/$PROJECT/keys", "DOCENT_ADMIN_TOKEN", { name: "demo" });
  const key = await admin.keys.create(project.id, { name: "demo" }, { signal });
  screen.done(`${key.start}…`);

  screen.step("An instruction");
  const docent = createDocent({ baseUrl: url, apiKey: key.key });
  screen.request("/v2/agent/$PROJECT/job", "DOCENT_API_KEY", { prompt: PROMPT });
  const job = await docent.jobs.create(project.id, { prompt: PROMPT }, { signal });
  const first = await finish(job.id, PROMPT);

  screen.step("What it changed");
  const firstDiff = await readDiff(first);
  screen.diff(firstDiff, 24);

  screen.step("A follow-up, in the same pull request");
  screen.request("/v2/agent/$PROJECT/job/$JOB/message", "DOCENT_API_KEY", { prompt: FOLLOW_UP });
  await docent.jobs.message(project.id, job.id, { prompt: FOLLOW_UP }, { signal });
  const second = await finish(job.id, FOLLOW_UP);
  if (second.prLink !== first.prLink) throw new Error("The follow-up should have gone on in the same pull request.");
  screen.diff(subtractDiff(await readDiff(second), firstDiff), 6);

  screen.step("Who reads it, people and AI agents");
  const env = { DOCENT_URL: url, DOCENT_PROJECT: project.id, DOCENT_API_KEY: key.key };
  await showReaders(terminal, screen, { root, env, signal });

  screen.step("Yours next");
  const { url: invitationUrl } = await admin.invitations.create({ role: "owner" }, { signal });
  screen.advice({ model: first.model, projectId: project.id, data: relative(root, directory), url, invitationUrl });

  async function finish(jobId: string, prompt: string): Promise<Job> {
    const ended = await watchJob(terminal, docent, project.id, jobId, { fromPrompt: prompt, signal });
    signal.throwIfAborted();
    terminal.write(formatOutcome(terminal, ended));
    if (ended.status !== "completed" || ended.prLink === null) {
      throw new Error(`The job ended as ${ended.status} without a pull request.`);
    }
    return ended;
  }

  async function readDiff({ pullRequest }: Job): Promise<FileDiff[]> {
    if (pullRequest === null) throw new Error("The job has a link and no pull request.");
    const files = parseDiff(await docent.pulls.diff(project.id, pullRequest.number, { signal }));
    if (files.length === 0) throw new Error("The pull request changes nothing.");
    return files;
  }
}
