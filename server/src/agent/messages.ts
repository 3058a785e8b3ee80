import type { JSONValue, SharedV4ProviderOptions } from "@ai-sdk/provider";
import type { AssistantModelMessage, ModelMessage, ToolModelMessage } from "ai";
import { visibleTranscript } from "./compaction.ts";
import { isJsonObject } from "./json-object.ts";
import { readRounds, saysSomething, type Round, type Words } from "./rounds.ts";
import type { Answer, AnswerPart, ToolOutput, Transcript } from "./transcript.ts";

export const INTERRUPTED: ToolOutput = {
  type: "error-text",
  value: "Interrupted: this call did not run. Call the tool again if it is still needed.",
};

/**
 * Put into the transcript as a note when a turn ended early and its changes were thrown away, so that the model knows
 * that the files are back as they were before that turn.
 */
export const CHANGES_DISCARDED_NOTE =
  "The turn before ended early and its changes were discarded: the files are as they were before it. " +
  "Do again what is still needed.";

const CUT_OFF =
  "Your answer was cut off at the length limit. Go on where it stopped, in smaller steps: make several small edits instead of one big one.";
const PROVIDER_ERROR = "Your provider reported an error, so your answer may be incomplete. Go on from there.";
const EMPTY = "Your answer was empty. Call a tool, or call finish or give_up.";

/** Who is to read the messages; absent: the job's own model, which said everything. */
interface Reader {
  model: { name: string };
  /** The job's own model, whose answers are the ones that do not name a model. */
  ownModel: string;
}

/**
 * The transcript as the AI SDK's messages. Neighbouring words become one user message, and every tool call is
 * answered, since providers reject a history in which a call has no result. The words of a user message also travel
 * one by one in `providerOptions.docent.words`, which only `docent:offline` reads. What has been compacted is shown so.
 * Reasoning and its signatures go back to the model that they came from, and to no other.
 */
export function toModelMessages(transcript: Transcript, reader?: Reader): ModelMessage[] {
  const messages: ModelMessage[] = [];
  let words: Words[] = [];
  const flush = () => {
    if (words.length > 0) messages.push(userMessage(words));
    words = [];
  };
  const rounds = readRounds(visibleTranscript(transcript));
  for (const [index, round] of rounds.entries()) {
    words.push(...round.words);
    if (round.answer === undefined) break;
    if (saysSomething(round.answer)) {
      flush();
      messages.push({ role: "assistant", content: assistantContent(partsFor(round.answer, reader)) });
      if (round.calls.length > 0) messages.push(toolMessage(round));
    }
    const note = noteAfter(round);
    const isOvertaken = rounds[index + 1]?.words.some(({ type }) => type === "prompt") === true;
    if (note !== undefined && !isOvertaken) words.push({ type: "note", text: note });
  }
  flush();
  return messages;
}

function noteAfter(round: Round): string | undefined {
  if (round.answer === undefined) return undefined;
  if (round.answer.finishReason === "length") return CUT_OFF;
  if (!saysSomething(round.answer)) return EMPTY;
  return round.answer.finishReason === "error" ? PROVIDER_ERROR : undefined;
}

function userMessage(words: readonly Words[]): ModelMessage {
  const text = words
    .map((each) => (each.type === "prompt" ? each.text : `<note-from-docent>\n${each.text}\n</note-from-docent>`))
    .join("\n\n");
  const listed = words.map(({ type, text: wordsText }) => ({ type, text: wordsText }));
  return {
    role: "user",
    content: [{ type: "text", text, providerOptions: { docent: { words: listed } } }],
  };
}

function partsFor({ content, model }: Answer, reader: Reader | undefined): readonly AnswerPart[] {
  if (reader === undefined || (model ?? reader.ownModel) === reader.model.name) return content;
  return content.flatMap((part) => {
    if (part.type === "reasoning") return [];
    const { providerMetadata: _providerMetadata, ...rest } = part;
    return [rest];
  });
}

function assistantContent(parts: readonly AnswerPart[]): Exclude<AssistantModelMessage["content"], string> {
  const content: Exclude<AssistantModelMessage["content"], string> = [];
  for (const part of parts) {
    const options = providerOptions(part.providerMetadata);
    if (part.type === "tool-call") {
      const { toolCallId, toolName, input } = part;
      content.push({ type: "tool-call", toolCallId, toolName, input: isJsonObject(input) ? input : {}, ...options });
    } else if (part.type === "reasoning" || part.text.length > 0) {
      content.push({ type: part.type, text: part.text, ...options });
    }
  }
  return content;
}

function toolMessage(round: Round): ToolModelMessage {
  return {
    role: "tool",
    content: round.calls.map(({ call, output }) => ({
      type: "tool-result",
      toolCallId: call.toolCallId,
      toolName: call.toolName,
      output: output ?? INTERRUPTED,
    })),
  };
}

/** Metadata goes back to its provider as options: signatures of reasoning, for one, are demanded again. */
function providerOptions(metadata: JSONValue | undefined): { providerOptions?: SharedV4ProviderOptions } {
  if (!isJsonObject(metadata)) return {};
  const options: SharedV4ProviderOptions = {};
  for (const [provider, value] of Object.entries(metadata)) if (isJsonObject(value)) options[provider] = value;
  return { providerOptions: options };
}
