import type { JSONValue } from "@ai-sdk/provider";
import { isTooLong, nextCompaction } from "./compaction.ts";
import { isJsonObject } from "./json-object.ts";
import { readRounds, saysSomething, type CallWithOutput, type Round } from "./rounds.ts";
import type { Answer, Compaction, ToolCall, Transcript } from "./transcript.ts";

export type NextAction =
  | { type: "call-model" }
  /** The conversation leaves too little room for an answer: it is made shorter first. */
  | { type: "compact"; stage: Compaction["stage"] }
  | { type: "run-tool"; call: ToolCall }
  | { type: "finish"; title: string; summary: string }
  | { type: "give-up"; reason: string };

export interface LoopLimits {
  /** Answers of the model in the whole job. Absent: no limit. */
  stepsMax?: number;
  /** Input and output tokens of the whole job. Absent: no limit. */
  tokensMax?: number;
  /** What the whole job may cost, in US dollars. Absent: no limit. */
  costMaxUsd?: number;
  /** How much the model can read and write in one call. Absent: without end. */
  contextTokens?: number;
}

/** How often an answer that was cut off at the model's length limit is continued. */
export const LENGTH_CONTINUATIONS_MAX = 3;
/** How often in a row the model is asked again after an empty answer or a provider's error. */
const EMPTY_ANSWERS_MAX = 2;
const IDENTICAL_CALLS_MAX = 3;
const TITLE_CHARACTERS_MAX = 72;

/**
 * What a turn does next, decided from the transcript alone, so that any worker decides the same: run the pending
 * tool calls of the last answer in order, then call the model, until it finishes, gives up, or runs in circles.
 * Pending calls that a prompt or note has overtaken belong to a turn that ended; they are never run.
 */
export function nextAction(transcript: Transcript, limits: LoopLimits): NextAction {
  const rounds = readRounds(transcript);
  const last = rounds.at(-1);
  if (last === undefined) return { type: "give-up", reason: "The job has no prompt to work on." };
  if (last.answer === undefined) return callModel(transcript, limits);
  if (last.answer.finishReason === "content-filter") {
    return { type: "give-up", reason: "The model's provider stopped the answer with its content filter." };
  }
  const pending = last.calls.find(({ output }) => output === undefined);
  if (pending !== undefined) return { type: "run-tool", call: pending.call };
  return (
    ending(last.calls) ??
    circling(rounds, last.answer) ??
    afterAnswer({ transcript, rounds, last, answer: last.answer }, limits)
  );
}

function callModel(transcript: Transcript, limits: LoopLimits): NextAction {
  const spent = limitReached(transcript, limits);
  if (spent !== undefined) return { type: "give-up", reason: `${spent} Ask for less at once, in a new job.` };
  if (limits.contextTokens === undefined || !isTooLong(transcript, limits.contextTokens)) return { type: "call-model" };
  const next = nextCompaction(transcript);
  return "stage" in next ? { type: "compact", stage: next.stage } : { type: "give-up", reason: next.impossible };
}

function limitReached(transcript: Transcript, { stepsMax, tokensMax, costMaxUsd }: LoopLimits): string | undefined {
  const steps = transcript.filter(({ type }) => type === "answer").length;
  if (stepsMax !== undefined && steps >= stepsMax) return `The job reached its limit of ${stepsMax} steps.`;
  const usages = transcript.flatMap((entry) => ("usage" in entry && entry.usage !== undefined ? [entry.usage] : []));
  const tokens = usages.reduce((sum, { inputTokens, outputTokens }) => sum + inputTokens + outputTokens, 0);
  if (tokensMax !== undefined && tokens >= tokensMax) {
    return `The job reached its limit of ${tokensMax} tokens (${tokens} used).`;
  }
  const costUsd = usages.reduce((sum, { costNanoUsd }) => sum + (costNanoUsd ?? 0), 0) / 1e9;
  if (costMaxUsd !== undefined && costUsd >= costMaxUsd) {
    return `The job reached its cost limit of $${costMaxUsd} ($${costUsd.toFixed(4)} used).`;
  }
  return undefined;
}

function ending(calls: CallWithOutput[]): NextAction | undefined {
  for (const { call, output } of calls) {
    if (output === undefined || output.type === "error-text") continue;
    if (call.toolName === "finish") {
      return { type: "finish", title: textField(call.input, "title"), summary: textField(call.input, "summary") };
    }
    if (call.toolName === "give_up") return { type: "give-up", reason: textField(call.input, "reason") };
  }
  return undefined;
}

function textField(input: JSONValue, name: string): string {
  if (!isJsonObject(input)) return "";
  const value = input[name];
  return typeof value === "string" ? value.trim() : "";
}

/** The model gets nowhere: the same answer kind, or the same call with the same result, too often in a row. */
function circling(rounds: Round[], answer: Answer): NextAction | undefined {
  if (trailing(rounds, ({ finishReason }) => finishReason === "length") > LENGTH_CONTINUATIONS_MAX) {
    return {
      type: "give-up",
      reason: `The model's answer was cut off at its length limit ${LENGTH_CONTINUATIONS_MAX + 1} times in a row.`,
    };
  }
  const isFailed = ({ finishReason }: Answer) => finishReason === "error";
  if (isFailed(answer) && trailing(rounds, isFailed) > EMPTY_ANSWERS_MAX) {
    return {
      type: "give-up",
      reason: `The model's provider reported an error ${EMPTY_ANSWERS_MAX + 1} times in a row.`,
    };
  }
  if (!saysSomething(answer) && trailing(rounds, (each) => !saysSomething(each)) > EMPTY_ANSWERS_MAX) {
    return { type: "give-up", reason: `The model answered nothing ${EMPTY_ANSWERS_MAX + 1} times in a row.` };
  }
  const name = repeatedCall(rounds);
  return name === undefined
    ? undefined
    : {
        type: "give-up",
        reason: `The model called ${name} ${IDENTICAL_CALLS_MAX} times in a row with the same arguments and the same result.`,
      };
}

/** How many of the last answers hold, counted back to the last words of the user. */
function trailing(rounds: Round[], holds: (answer: Answer) => boolean): number {
  let count = 0;
  for (const { words, answer } of rounds.toReversed()) {
    if (answer === undefined || !holds(answer)) break;
    count += 1;
    if (words.length > 0) break;
  }
  return count;
}

function repeatedCall(rounds: Round[]): string | undefined {
  const since = rounds.findLastIndex(({ words }) => words.length > 0);
  const calls = rounds.slice(Math.max(since, 0)).flatMap((round) => round.calls);
  const lastCalls = calls.slice(-IDENTICAL_CALLS_MAX);
  const first = lastCalls[0];
  if (first === undefined || lastCalls.length < IDENTICAL_CALLS_MAX) return undefined;
  const identity = callIdentity(first);
  return lastCalls.every((each) => callIdentity(each) === identity) ? first.call.toolName : undefined;
}

function callIdentity({ call, output }: CallWithOutput): string {
  return JSON.stringify([call.toolName, canonical(call.input), output?.type, canonical(output?.value ?? null)]);
}

/** The same JSON value with its keys in one order. */
function canonical(value: JSONValue): JSONValue {
  if (Array.isArray(value)) return value.map(canonical);
  if (!isJsonObject(value)) return value;
  return Object.keys(value)
    .sort()
    .map((key): JSONValue => [key, canonical(value[key] ?? null)]);
}

function afterAnswer(
  { transcript, rounds, last, answer }: { transcript: Transcript; rounds: Round[]; last: Round; answer: Answer },
  limits: LoopLimits,
): NextAction {
  const goesOn =
    last.calls.length > 0 ||
    answer.finishReason === "length" ||
    answer.finishReason === "error" ||
    !saysSomething(answer);
  if (goesOn) return callModel(transcript, limits);
  const summary = answer.content
    .map((part) => (part.type === "text" ? part.text : ""))
    .join("")
    .trim();
  return { type: "finish", title: titleFromPrompt(rounds), summary };
}

function titleFromPrompt(rounds: Round[]): string {
  const prompts = rounds.flatMap(({ words }) => words).filter(({ type }) => type === "prompt");
  const firstLine = (prompts.at(-1)?.text ?? "").split("\n").find((line) => line.trim().length > 0) ?? "";
  const title = firstLine.trim().replace(/\s+/g, " ");
  if (title.length === 0) return "Update the documentation";
  const characters = [...title];
  const cut =
    characters.length <= TITLE_CHARACTERS_MAX ? title : `${characters.slice(0, TITLE_CHARACTERS_MAX - 1).join("")}…`;
  return cut.charAt(0).toUpperCase() + cut.slice(1);
}
