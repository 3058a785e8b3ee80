import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Option, type Command } from "commander";
import picomatch from "picomatch";
import { createGit } from "../eval/git.ts";
import { formatReport, totalOf } from "../eval/report.ts";
import { runTask, type TaskResult } from "../eval/run-task.ts";
import { startService, useService } from "../eval/service.ts";
import { createSources } from "../eval/source.ts";
import { readSuite } from "../eval/suite.ts";
import type { Task } from "../eval/task.ts";
import { CommandError } from "../failure.ts";
import { createSpinner } from "../spinner.ts";
import type { CommandContext } from "./context.ts";
import { json, parseCount } from "./option.ts";

interface EvalOptions {
  model?: string;
  only?: string[];
  tag?: string[];
  concurrency: number;
  repositories?: string;
  json?: boolean;
  url?: string;
  data?: string;
}

const collect = (value: string, before: string[] = []): string[] => [...before, value];

/** @param fail Called when a task did not pass. */
export function addEvalCommand(program: Command, context: CommandContext, fail: () => void): void {
  const { terminal, env, fetch, signal } = context;
  program
    .command("eval")
    .description("run a suite of tasks with a model, and check what comes of them")
    .argument("<suite>", "a YAML or JSON file of tasks, or a folder of them")
    .option("--model <name>", "the model, as provider:model (default: DOCENT_MODEL, else docent:offline)")
    .option("--only <glob>", "only tasks with such a name; may be given several times", collect)
    .option("--tag <tag>", "only tasks with this tag; may be given several times", collect)
    .addOption(new Option("--concurrency <count>", "tasks at a time").argParser(parseCount).default(2))
    .option("--repositories <directory>", "copies of public repositories, in place of the network")
    .option("--json", "print JSON")
    .option("--url <url>", "run on this service, instead of one that is started for the evaluation alone")
    .option("--data <directory>", "with --url: the service's data directory, which holds the admin token")
    .addHelpText(
      "after",
      "\nExamples:\n  $ docent eval examples/eval/sample\n" +
        "  $ docent eval examples/eval/sample --model anthropic:claude-… --only 'rename-*' --concurrency 4\n" +
        "  $ docent eval examples/eval/public --repositories ~/copies --json\n",
    )
    .action(async (suite: string, options: EvalOptions) => {
      const tasks = selectTasks(await readSuite(suite), options);
      const model = options.model ?? (env["DOCENT_MODEL"] || "docent:offline");
      const directory = await mkdtemp(join(tmpdir(), "docent-eval-"));
      const spinner = options.json === true ? undefined : createSpinner(terminal);
      spinner?.show("Starting a service");
      const service =
        options.url === undefined
          ? await startService({ directory, model, env, fetch })
          : useService(options, env, fetch);
      try {
        const began = performance.now();
        const results = await runAll(tasks, model, directory, service, options, (done) =>
          spinner?.show(`${done} of ${tasks.length} tasks`),
        );
        spinner?.stop();
        const total = totalOf(results, Math.round((performance.now() - began) / 100) / 10);
        terminal.write(
          options.json === true ? json({ model, tasks: results, total }) : formatReport(terminal, results, total),
        );
        if (total.passed < total.tasks) fail();
      } finally {
        spinner?.stop();
        await service.stop();
        await rm(directory, { recursive: true, force: true });
      }
    });

  async function runAll(
    tasks: readonly Task[],
    model: string,
    directory: string,
    service: ReturnType<typeof useService>,
    options: EvalOptions,
    onDone: (done: number) => void,
  ): Promise<TaskResult[]> {
    // The docs checks are the server's own, so that a task is judged by what the agent is told.
    const { viewDocs } = await import("@docent/server");
    const git = createGit(env);
    const { repositories } = options;
    const sources = createSources({
      git,
      directory,
      ...(repositories === undefined ? {} : { repositories: resolve(repositories) }),
    });
    const runner = {
      service,
      git,
      model,
      prepare: (task: Task) => sources.prepare(task.source),
      viewDocs,
      deleteProjects: options.url !== undefined,
      signal,
    };
    const results: TaskResult[] = [];
    const waiting = [...tasks.entries()];
    let done = 0;
    onDone(done);
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        signal.throwIfAborted();
        const [index, task] = next;
        results[index] = await runTask(runner, task);
        onDone((done += 1));
      }
    };
    await Promise.all(Array.from({ length: Math.min(options.concurrency, tasks.length) }, work));
    return results;
  }
}

function selectTasks(tasks: readonly Task[], { only, tag }: EvalOptions): Task[] {
  const isNamed = only === undefined ? () => true : picomatch(only);
  const selected = tasks.filter(
    (task) => isNamed(task.name) && (tag === undefined || tag.some((each) => task.tags.includes(each))),
  );
  if (selected.length > 0) return selected;
  const names = tasks.map(({ name }) => name).join(", ");
  throw new CommandError("No task of the suite is selected.", `Its tasks are: ${names}.`);
}
