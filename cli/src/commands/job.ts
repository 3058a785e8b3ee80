import { Option, type Command } from "commander";
import type { Docent, Job, JobStatus } from "@docent/sdk";
import type { CommandContext } from "./context.ts";
import { connectToProject } from "../connection.ts";
import { formatAge, formatCost, formatFields, formatTable } from "../table.ts";
import { formatOutcome, watchJob } from "../watch.ts";
import { json, parseCount, withProjectOptions, type ProjectOptions } from "./option.ts";
import { readPrompt } from "./prompt.ts";

type SendOptions = ProjectOptions & { file?: string; watch?: boolean; verbose?: boolean; idempotencyKey?: string };
type CreateOptions = SendOptions & { ref?: string; model?: string; draft?: boolean };
type ListOptions = ProjectOptions & { status?: JobStatus; limit: number; all?: boolean };

/** @param fail Called when the command worked and the job it showed had failed. */
export function addJobCommands(program: Command, context: CommandContext, fail: () => void): void {
  const { terminal } = context;
  const connect = (options: ProjectOptions) => connectToProject(options, context.env, context.fetch);
  const group = program.command("job").description("jobs: an instruction in, a pull request out");

  withSending(withProjectOptions(group.command("create")))
    .description("give an instruction to the agent")
    .argument("[prompt]", "the instruction, or - to read it from stdin")
    .option("--ref <branch>", "start from this branch; one that the project allows")
    .option("--model <name>", "work with this model, as provider:model; one that the project allows")
    .option("--draft", "open the pull request as a draft")
    .option("--no-draft", "open it as an ordinary one")
    .addHelpText(
      "after",
      '\nExamples:\n  $ docent job create "fix broken links" --watch\n' +
        "  $ docent job create --file instruction.md --json\n  $ git log -3 -p | docent job create - --watch\n",
    )
    .action(async (argument: string | undefined, options: CreateOptions) => {
      const { docent, projectId } = connect(options);
      const prompt = await readPrompt(terminal, argument, options.file);
      const { ref, model, draft, idempotencyKey } = options;
      const creation = {
        prompt,
        ...(ref === undefined ? {} : { ref }),
        ...(model === undefined ? {} : { model }),
        ...(draft === undefined ? {} : { draft }),
      };
      const job = await docent.jobs.create(projectId, creation, { idempotencyKey });
      await showSent(docent, projectId, job, prompt, options);
    });

  withSending(withProjectOptions(group.command("message")))
    .description("send a follow-up to a job; it goes on in the same pull request")
    .argument("<job>", "the job's id")
    .argument("[prompt]", "the instruction, or - to read it from stdin")
    .addHelpText("after", '\nExample:\n  $ docent job message job_… "also rename Hub to Cloud" --watch\n')
    .action(async (jobId: string, argument: string | undefined, options: SendOptions) => {
      const { docent, projectId } = connect(options);
      const prompt = await readPrompt(terminal, argument, options.file);
      const job = await docent.jobs.message(projectId, jobId, { prompt }, { idempotencyKey: options.idempotencyKey });
      await showSent(docent, projectId, job, prompt, options);
    });

  withProjectOptions(group.command("get"))
    .description("show a job")
    .argument("<job>", "the job's id")
    .action(async (jobId: string, options: ProjectOptions) => {
      const { docent, projectId } = connect(options);
      const job = await docent.jobs.get(projectId, jobId);
      terminal.write(options.json === true ? json(job) : describeJob(job));
    });

  withProjectOptions(group.command("watch"))
    .description("follow a job until it ends; exits with 1 if it failed")
    .argument("<job>", "the job's id")
    .option("--verbose", "show what the agent reads, too")
    .action(async (jobId: string, options: SendOptions) => {
      const { docent, projectId } = connect(options);
      await watchToEnd(docent, projectId, jobId, options);
    });

  withProjectOptions(group.command("archive"))
    .description("archive a job; running work stops")
    .argument("<job>", "the job's id")
    .action(async (jobId: string, options: ProjectOptions) => {
      const { docent, projectId } = connect(options);
      const job = await docent.jobs.archive(projectId, jobId);
      terminal.write(options.json === true ? json(job) : formatOutcome(terminal, job));
    });

  withProjectOptions(group.command("list"))
    .description("list the jobs, newest first")
    .addOption(new Option("--status <status>", "only these").choices(["active", "completed", "failed", "archived"]))
    .option("--limit <count>", "how many", parseCount, 20)
    .option("--all", "all of them")
    .action(async (options: ListOptions) => {
      const { docent, projectId } = connect(options);
      const jobs: Job[] = [];
      const most = options.all === true ? Infinity : options.limit;
      for await (const job of docent.jobs.all(projectId, { status: options.status }, { signal: context.signal })) {
        jobs.push(job);
        if (jobs.length >= most) break;
      }
      if (options.json === true) return terminal.write(json(jobs));
      if (jobs.length === 0) return terminal.write('No jobs here. Create one: docent job create "fix broken links"\n');
      const rows = jobs.map((job) => [
        job.id,
        job.status,
        formatAge(job.createdAt, context.now()),
        job.author?.name ?? "",
        shorten(job.title),
        job.prLink ?? job.failureReason?.split("\n")[0] ?? "",
      ]);
      terminal.write(formatTable(terminal, ["ID", "STATUS", "CREATED", "AUTHOR", "TITLE", "OUTCOME"], rows));
    });

  function withSending(command: Command): Command {
    return command
      .option("--file <path>", "read the instruction from a file")
      .option("--watch", "follow the job until it ends; exits with 1 if it failed")
      .option("--verbose", "with --watch: show what the agent reads, too")
      .option("--idempotency-key <key>", "the same key within 24 hours never sends the instruction twice");
  }

  async function showSent(
    docent: Docent,
    projectId: string,
    job: Job,
    prompt: string,
    options: SendOptions,
  ): Promise<void> {
    if (options.watch === true) {
      if (options.json !== true) terminal.write(`${terminal.style("dim", job.id)}\n`);
      return watchToEnd(docent, projectId, job.id, options, prompt);
    }
    if (options.json === true) return terminal.write(json(job));
    const follow = terminal.style("dim", "Follow it:");
    terminal.write(`${job.id}\n\n${follow}\n  docent job watch ${job.id}${inProject(options)}\n`);
  }

  async function watchToEnd(
    docent: Docent,
    projectId: string,
    jobId: string,
    options: SendOptions,
    fromPrompt?: string,
  ): Promise<void> {
    const { signal } = context;
    const job =
      options.json === true
        ? await docent.jobs.waitFor(projectId, jobId, { signal })
        : await watchJob(terminal, docent, projectId, jobId, { fromPrompt, verbose: options.verbose, signal });
    if (signal.aborted && job.status === "active") {
      terminal.write(`The job goes on. Watch it again: docent job watch ${jobId}${inProject(options)}\n`);
      return;
    }
    terminal.write(options.json === true ? json(job) : formatOutcome(terminal, job));
    if (job.status === "failed") fail();
  }

  function describeJob(job: Job): string {
    return formatFields(terminal, [
      ["id", job.id],
      ["title", job.title],
      ...(job.author === null ? [] : [["author", job.author.name] as const]),
      ["status", job.status],
      ["repository", job.source.repository],
      ["ref", job.source.ref],
      ["model", job.model],
      ["created", job.createdAt],
      ...(job.branch === null ? [] : [["branch", job.branch] as const]),
      ...(job.prLink === null ? [] : [["pull request", job.prLink] as const]),
      ...(job.pullRequest === null ? [] : [["", job.pullRequest.state] as const]),
      ...(job.waiting === null ? [] : [["waits", `until ${job.waiting.until}: ${job.waiting.reason}`] as const]),
      ...(job.usage.steps === 0 ? [] : [["used", formatUsage(job.usage)] as const]),
      ...(job.failureReason === null ? [] : [["failed", job.failureReason] as const]),
    ]);
  }
}

/** A title as it fits into a table. */
function shorten(title: string): string {
  const characters = [...title];
  return characters.length <= 48 ? title : `${characters.slice(0, 47).join("")}…`;
}

function formatUsage({ steps, inputTokens, outputTokens, costUsd }: Job["usage"]): string {
  const tokens = (inputTokens + outputTokens).toLocaleString("en-US");
  const cost = costUsd === null ? "cost unknown" : formatCost(costUsd);
  return `${steps} ${steps === 1 ? "step" : "steps"}, ${tokens} tokens, ${cost}`;
}

function inProject(options: ProjectOptions): string {
  return options.project === undefined ? "" : ` --project ${options.project}`;
}
