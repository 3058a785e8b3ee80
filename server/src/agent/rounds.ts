import type { Answer, ToolCall, ToolOutput, Transcript } from "./transcript.ts";

/** The user's words or Docent's own, before an answer. */
export interface Words {
  type: "prompt" | "note";
  text: string;
}

export interface CallWithOutput {
  call: ToolCall;
  /** Undefined while the call has no result. */
  output: ToolOutput | undefined;
}

/** One stretch of a transcript: words to the model, its answer, and the answer's tool calls with their results. */
export interface Round {
  words: Words[];
  /** Undefined in the last round only, while the model has not answered. */
  answer: Answer | undefined;
  calls: CallWithOutput[];
}

/**
 * Reads a transcript as rounds. A result belongs to the latest answer before it: providers may use the same
 * `toolCallId` again in a later answer. A result without a call is left out.
 */
export function readRounds(transcript: Transcript): Round[] {
  const rounds: Round[] = [];
  let open: Round | undefined;
  let answered: Round | undefined;
  for (const entry of transcript) {
    if (entry.type === "prompt" || entry.type === "note") {
      if (open === undefined) rounds.push((open = { words: [], answer: undefined, calls: [] }));
      open.words.push({ type: entry.type, text: entry.text });
    } else if (entry.type === "answer") {
      if (open === undefined) rounds.push((open = { words: [], answer: undefined, calls: [] }));
      open.answer = entry;
      open.calls = entry.content
        .filter((part) => part.type === "tool-call")
        .map(({ toolCallId, toolName, input }) => ({ call: { toolCallId, toolName, input }, output: undefined }));
      answered = open;
      open = undefined;
    } else if (entry.type === "tool-result") {
      const waiting = answered?.calls.find(
        ({ call, output }) => output === undefined && call.toolCallId === entry.toolCallId,
      );
      if (waiting !== undefined) waiting.output = entry.output;
    }
  }
  return rounds;
}

/** True when an answer says something: text other than white space, or a tool call. */
export function saysSomething(answer: Answer): boolean {
  return answer.content.some(
    (part) => part.type === "tool-call" || (part.type === "text" && part.text.trim().length > 0),
  );
}
