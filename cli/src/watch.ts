import type { Docent, Job } from "@docent/sdk";
import { createJobSteps, type JobStep } from "./job-step.ts";
import { createSpinner, lastWords, shorten } from "./spinner.ts";
import type { Terminal } from "./terminal.ts";

/**
 * Shows a job's progress until it is no longer active, and returns it. Every step is one line: reads only with
 * `verbose`, and only in the live line otherwise. On a terminal the live line has the last words that the model writes.
 * @param options.fromPrompt Passes over everything before the message with this prompt.
 */
export async function watchJob(
  terminal: Terminal,
  docent: Docent,
  projectId: string,
  jobId: string,
  options: { fromPrompt?: string | undefined; verbose?: boolean | undefined; signal?: AbortSignal | undefined } = {},
): Promise<Job> {
  const spinner = createSpinner(terminal);
  const stepsOf = createJobSteps();
  /** What of the answer that is being written was heard, and where in it that ends. */
  let answer = { text: "", end: 0 };
  let passing = options.fromPrompt !== undefined;
  spinner.show("Waiting for a worker");
  try {
    for await (const event of docent.jobs.events(projectId, jobId, { signal: options.signal, deltas: terminal.live })) {
      if (event.type === "delta") {
        const { offset, text } = event.data;
        // What came before a gap does not go on here.
        const isNext = offset === answer.end;
        answer = { text: isNext ? answer.text + text : text, end: offset + text.length };
        const words = lastWords(answer.text, terminal.columns - 3);
        if (!passing && words !== "") spinner.show(words);
        continue;
      }
      if (passing && event.type === "message" && event.data["prompt"] === options.fromPrompt) passing = false;
      for (const step of stepsOf(event)) {
        if (step.kind === "status") {
          const job = await docent.jobs.get(projectId, jobId, { signal: options.signal });
          if (job.status !== "active") return job;
        } else if (!passing) {
          showStep(terminal, spinner, step, options.verbose === true);
        }
      }
    }
  } finally {
    spinner.stop();
  }
  return docent.jobs.get(projectId, jobId);
}

type ShownStep = Exclude<JobStep, { kind: "status" }>;

function showStep(
  terminal: Terminal,
  spinner: ReturnType<typeof createSpinner>,
  step: ShownStep,
  verbose: boolean,
): void {
  const line = (mark: string, text: string, format: "bold" | "reset" = "reset"): void => {
    // A log keeps what a screen would have to cut.
    spinner.line(`${mark} ${terminal.style(format, terminal.live ? shorten(text, terminal.columns - 3) : text)}`);
  };
  switch (step.kind) {
    case "doing":
      spinner.show(step.text);
      break;
    case "looked":
      if (verbose) line(terminal.style("dim", "·"), step.text);
      else spinner.show(step.text);
      break;
    case "changed":
      line(terminal.style("green", "✓"), step.text);
      spinner.show("Thinking");
      break;
    case "refused":
      line(terminal.style("yellow", "!"), step.text);
      spinner.show("Thinking");
      break;
    case "prompt":
      line(terminal.style("cyan", "›"), step.text, "bold");
      spinner.show("Waiting for a worker");
      break;
    case "said":
      line(terminal.style("dim", "·"), step.text);
      break;
  }
}

/** The line or two that a finished job leaves: its pull request, or why there is none. */
export function formatOutcome(terminal: Terminal, job: Job): string {
  switch (job.status) {
    case "active":
      return `${terminal.style("cyan", "…")} Still active\n`;
    case "failed":
      return `${terminal.style("red", "✗ Failed")}  ${job.failureReason ?? "No reason was recorded."}\n`;
    case "archived":
      return `${terminal.style("dim", "■ Archived")}${job.prLink === null ? "" : `  ${job.prLink}`}\n`;
    case "completed":
      return job.prLink === null
        ? `${terminal.style("green", "✓ Completed")}  No file changed, so there is no pull request.\n`
        : `${terminal.style("green", "✓ Completed")}  ${terminal.style("underline", job.prLink)}\n`;
  }
}
