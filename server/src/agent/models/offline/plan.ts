import type { ToolOutput } from "../../transcript.ts";
import { describeOffline } from "./describe.ts";
import { addPage, movePage, replaceTerm, setField } from "./edit-tasks.ts";
import { fixLinks } from "./fix-links.ts";
import type { Instruction } from "./instruction.ts";
import { readInstructions, type NotUnderstood } from "./instructions.ts";
import type { Outcome, PlannedCall, Task } from "./task.ts";

const TITLE_CHARACTERS_MAX = 100;

/** One answer's tool calls in this turn so far, with their outputs. */
export interface TakenStep {
  calls: readonly { toolName: string; output: ToolOutput; wasInterrupted: boolean }[];
}

/**
 * The next tool calls of a turn, from the prompts that it has to answer and the steps that it took. The steps are
 * replayed through the plan, so that the same conversation always leads to the same calls.
 */
export function nextCalls(prompts: readonly string[], steps: readonly TakenStep[]): PlannedCall[] {
  const work = answerPrompts(prompts);
  let next = work.next([]);
  let planned = next.value;
  let waiting = planned.map((_, index) => index);
  let outputs: ToolOutput[] = [];
  for (const { calls } of steps) {
    if (
      calls.length !== waiting.length ||
      calls.some(({ toolName }, index) => toolName !== planned[waiting[index] ?? -1]?.toolName)
    ) {
      return [
        giveUp(
          "The conversation holds steps that another model took, and docent:offline cannot go on from them. Start a new job.",
        ),
      ];
    }
    for (const [index, { output, wasInterrupted }] of calls.entries()) {
      if (!wasInterrupted) outputs[waiting[index] ?? 0] = output;
    }
    waiting = waiting.filter((_, index) => calls[index]?.wasInterrupted === true);
    if (waiting.length > 0) continue;
    next = work.next(outputs);
    planned = next.value;
    waiting = planned.map((_, index) => index);
    outputs = [];
  }
  return waiting.flatMap((index) => planned[index] ?? []);
}

/** Works off every prompt in order; the last calls are `finish` or `give_up`. */
function* answerPrompts(prompts: readonly string[]): Generator<PlannedCall[], PlannedCall[], ToolOutput[]> {
  const done: Extract<Outcome, { type: "done" }>[] = [];
  const failures: string[] = [];
  for (const prompt of prompts) {
    const read = readInstructions(prompt);
    if ("notUnderstood" in read) {
      failures.push(refusal(read));
      continue;
    }
    for (const instruction of read.instructions) {
      const outcome = yield* startTask(instruction);
      if (outcome.type === "done") {
        done.push(outcome);
        continue;
      }
      failures.push(`${outcome.reason} (The instruction was to ${describeInstruction(instruction)}.)`);
      break;
    }
  }
  // A prompt that fails must not take another prompt's finished work with it.
  const isLost = failures.length > 0 && (prompts.length === 1 || !done.some(({ changedFiles }) => changedFiles));
  yield isLost ? [giveUp(failures.join("\n\n"))] : [finish(done, failures)];
  return [finish(done, failures)];
}

function startTask(instruction: Instruction): Task {
  switch (instruction.type) {
    case "replace":
      return replaceTerm(instruction);
    case "fix-links":
      return fixLinks(instruction);
    case "move":
      return movePage(instruction);
    case "add-page":
      return addPage(instruction);
    case "set-field":
      return setField(instruction);
  }
}

function refusal({ notUnderstood, why }: NotUnderstood): string {
  const reason = why === undefined ? "" : ` (${why})`;
  const quoted = notUnderstood === "" ? "The prompt was not understood" : `This was not understood: “${notUnderstood}”`;
  return `${quoted}${reason}. Nothing was changed by it.\n\n${describeOffline()}`;
}

function describeInstruction(instruction: Instruction): string {
  switch (instruction.type) {
    case "replace":
      return `replace "${instruction.find}" with "${instruction.replace}"`;
    case "fix-links":
      return "fix broken links";
    case "move":
      return `move ${instruction.from} to ${instruction.to}`;
    case "add-page":
      return `add the page ${instruction.path}`;
    case "set-field":
      return `set ${instruction.field} in ${instruction.target}`;
  }
}

function finish(done: readonly { title: string; summary: string }[], failures: readonly string[]): PlannedCall {
  const first = done[0]?.title ?? "Nothing to change";
  const title = done.length > 1 ? `${first}, and ${done.length - 1} more` : first;
  const summaries =
    done.length === 1
      ? [done[0]?.summary ?? ""]
      : done.map((each, index) => `**${index + 1}. ${each.title}**\n\n${each.summary}`);
  const notDone = failures.length === 0 ? [] : [`**Not done**\n\n${failures.join("\n\n")}`];
  return { toolName: "finish", input: { title: shorten(title), summary: [...notDone, ...summaries].join("\n\n") } };
}

function giveUp(reason: string): PlannedCall {
  return { toolName: "give_up", input: { reason } };
}

function shorten(title: string): string {
  const characters = [...title.replaceAll(/\s+/g, " ")];
  return characters.length <= TITLE_CHARACTERS_MAX
    ? characters.join("")
    : `${characters.slice(0, TITLE_CHARACTERS_MAX - 1).join("")}…`;
}
