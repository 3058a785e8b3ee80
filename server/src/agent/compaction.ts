import { readRounds } from "./rounds.ts";
import { currentTodos } from "./tools/todo-write.ts";
import type { Compaction, ToolOutput, Transcript, TranscriptEntry } from "./transcript.ts";

/** How often a turn's conversation is summarised; what is too long even then is too much for one turn. */
export const SUMMARIES_MAX = 3;
/** A result of a tool up to this length is not worth shortening. */
const RESULT_CHARACTERS_MIN = 600;
const RESULT_CHARACTERS_KEPT = 200;
/** Shortening results must save at least this share of what the model reads, else the conversation is summarised. */
const TRIM_SHARE_MIN = 0.3;
/** Prompts before the last one, once they are part of a summary. */
const OLD_PROMPT_CHARACTERS_MAX = 2_000;
/** English has about four characters to a token, code and other languages fewer. */
const CHARACTERS_PER_TOKEN = 3;
/** The instructions and the declarations of tools. */
const TOKENS_OF_INSTRUCTIONS = 8_000;
/** What is kept free for the answer: a quarter of the window, but no more than the longest answers need. */
const ANSWER_TOKENS_MAX = 40_000;
/** Of models whose window nobody knows; a server of one's own may have less, and cuts off silently. */
export const CONTEXT_TOKENS_ASSUMED = 128_000;

const SHORTENED = "[Shortened by Docent to save room";

/**
 * The transcript as the model still sees it: what a summary covers is replaced by the prompts and the summary; results
 * of tools before a `trim` are shown shortened, but for those of the last answer before it.
 */
export function visibleTranscript(transcript: Transcript): TranscriptEntry[] {
  const at = transcript.findLastIndex(isSummary);
  const summary = transcript[at];
  const rest = transcript.slice(at + 1);
  const trimmed = trimResults(rest, rest.findLastIndex(isTrim)).filter(({ type }) => type !== "compaction");
  if (summary?.type !== "compaction" || summary.stage !== "summary") return trimmed;
  const before = transcript.slice(0, at);
  return [...promptsBefore(before), { type: "note", text: summaryNote(before, summary.text) }, ...trimmed];
}

/** True for a result that is not shown to the model as it was. */
export function isShortened(output: ToolOutput): boolean {
  return output.type === "text" && output.value.startsWith(SHORTENED);
}

/** About how many tokens the next call makes the model read. */
export function estimateTokens(transcript: Transcript): number {
  const last = transcript.findLastIndex(({ type }) => type === "answer" || type === "compaction");
  const entry = transcript[last];
  if (entry?.type !== "answer") return TOKENS_OF_INSTRUCTIONS + tokensIn(visibleTranscript(transcript));
  return entry.usage.inputTokens + entry.usage.outputTokens + tokensIn(transcript.slice(last + 1));
}

/** Whether the conversation leaves too little room for an answer. */
export function isTooLong(transcript: Transcript, contextTokens: number): boolean {
  return estimateTokens(transcript) > contextTokens - Math.min(ANSWER_TOKENS_MAX, contextTokens / 4);
}

export type NextCompaction = { stage: Compaction["stage"] } | { impossible: string };

/**
 * How the conversation is made shorter, once it is too long for the model: old results first; if that would save little
 * or did not help, a summary.
 */
export function nextCompaction(transcript: Transcript): NextCompaction {
  const turn = transcript.slice(transcript.findLastIndex(({ type }) => type === "prompt") + 1);
  const sinceAnswer = transcript.slice(transcript.findLastIndex(({ type }) => type === "answer") + 1);
  const hasAnswers = transcript.slice(transcript.findLastIndex(isSummary) + 1).some(({ type }) => type === "answer");
  if (sinceAnswer.some(isSummary) || !hasAnswers) {
    return { impossible: "The instruction is too long for the model. Ask for less at once, in a new job." };
  }
  if (!sinceAnswer.some(isTrim)) {
    const before = tokensIn(visibleTranscript(transcript));
    const after = tokensIn(visibleTranscript([...transcript, { type: "compaction", stage: "trim" }]));
    if (after <= before * (1 - TRIM_SHARE_MIN)) return { stage: "trim" };
  }
  if (turn.filter(isSummary).length < SUMMARIES_MAX) return { stage: "summary" };
  return {
    impossible: `The conversation is too long for the model, although it was summarised ${SUMMARIES_MAX} times. Ask for less at once, in a new job.`,
  };
}

function trimResults(entries: Transcript, end: number): TranscriptEntry[] {
  const lastAnswer = entries.slice(0, Math.max(end, 0)).findLastIndex(({ type }) => type === "answer");
  return entries.map((entry, index) =>
    entry.type === "tool-result" && index < lastAnswer ? { ...entry, output: shorten(entry.output) } : entry,
  );
}

function shorten(output: ToolOutput): ToolOutput {
  const text = typeof output.value === "string" ? output.value : JSON.stringify(output.value);
  if (text.length <= RESULT_CHARACTERS_MIN) return output;
  const kept = text.slice(0, RESULT_CHARACTERS_KEPT).toWellFormed();
  return {
    type: "text",
    value: `${SHORTENED}: this result had ${text.length} characters. Call the tool again if you need it.]\n${kept}…`,
  };
}

function isTrim(entry: TranscriptEntry): boolean {
  return entry.type === "compaction" && entry.stage === "trim";
}

function isSummary(entry: TranscriptEntry): boolean {
  return entry.type === "compaction" && entry.stage === "summary";
}

function promptsBefore(transcript: Transcript): TranscriptEntry[] {
  const prompts = transcript.filter((entry) => entry.type === "prompt");
  return prompts.map(({ text }, index) => ({
    type: "prompt",
    text:
      index === prompts.length - 1 || text.length <= OLD_PROMPT_CHARACTERS_MAX
        ? text
        : `${text.slice(0, OLD_PROMPT_CHARACTERS_MAX).toWellFormed()}…`,
  }));
}

function summaryNote(before: Transcript, text: string): string {
  const todos = currentTodos(before).map(({ content, status }) => `- ${status}: ${content}`);
  const plan = todos.length === 0 ? "" : `\n\nYour plan:\n${todos.join("\n")}`;
  return `The conversation so far was too long and is summarised here. The files are as you left them. Read a file again before you edit it. Go on with what is still to be done.\n\n${text}${plan}`;
}

function tokensIn(entries: Transcript): number {
  return Math.ceil(JSON.stringify(entries).length / CHARACTERS_PER_TOKEN);
}

/** What a model is asked to summarise, as text: every provider takes that, also where it would refuse old tool calls. */
export function describeTranscript(transcript: Transcript, charactersMax: number): string {
  const parts = readRounds(visibleTranscript(transcript)).flatMap(({ words, answer, calls }) => [
    ...words.map(({ type, text }) => `## ${type === "prompt" ? "The user" : "Docent"}\n\n${text}`),
    ...(answer?.content ?? []).flatMap((part) => (part.type === "text" ? [`## You\n\n${part.text}`] : [])),
    ...calls.map(({ call, output }) => {
      const result = output === undefined ? "no result" : clip(output.value, RESULT_CHARACTERS_MIN);
      return `## You called ${call.toolName}\n\n${clip(call.input, RESULT_CHARACTERS_MIN)}\n\nResult: ${result}`;
    }),
  ]);
  const text = parts.join("\n\n");
  if (text.length <= charactersMax) return text;
  // The instruction stands at the beginning, the work at hand at the end.
  const head = text.slice(0, Math.floor(charactersMax / 4)).toWellFormed();
  const tail = text.slice(-Math.floor((charactersMax * 3) / 4)).toWellFormed();
  return `${head}\n\n[…]\n\n${tail}`;
}

function clip(value: unknown, charactersMax: number): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length <= charactersMax ? text : `${text.slice(0, charactersMax).toWellFormed()}…`;
}

/** A summary without a model: which tools were called with what, the latest ones. */
export function plainSummary(transcript: Transcript): string {
  const calls = readRounds(transcript).flatMap((round) => round.calls);
  const lines = calls.map(({ call, output }) => {
    const outcome = output === undefined ? "no result" : output.type === "error-text" ? "refused" : "done";
    return `- ${call.toolName} ${clip(call.input, 150)}: ${outcome}`;
  });
  return `What you did so far, the latest last:\n\n${lines.slice(-100).join("\n")}`;
}
