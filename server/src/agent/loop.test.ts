import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LENGTH_CONTINUATIONS_MAX, nextAction } from "./loop.ts";
import { toModelMessages } from "./messages.ts";
import { messageFaults } from "./testing/message-faults.ts";
import type { Answer, AnswerPart, ToolOutput, Transcript, TranscriptEntry } from "./transcript.ts";

const USAGE = { inputTokens: 10, outputTokens: 5 };

function answer(content: AnswerPart[], finishReason: Answer["finishReason"] = "stop"): TranscriptEntry {
  return { type: "answer", content, finishReason, usage: USAGE };
}

function call(toolCallId: string, toolName: string, input: object = {}): AnswerPart {
  return { type: "tool-call", toolCallId, toolName, input: JSON.parse(JSON.stringify(input)) };
}

function result(
  toolCallId: string,
  toolName: string,
  output: ToolOutput = { type: "text", value: "ok" },
): TranscriptEntry {
  return { type: "tool-result", toolCallId, toolName, output };
}

const PROMPT: TranscriptEntry = { type: "prompt", text: "rename the widget\nin all pages" };
const FINISH = { title: "Rename", summary: "Renamed." };

describe("nextAction", () => {
  it("calls the model after words, and gives up without any", () => {
    expect(nextAction([PROMPT], {})).toEqual({ type: "call-model" });
    expect(nextAction([PROMPT, { type: "note", text: "n" }], {})).toEqual({ type: "call-model" });
    expect(nextAction([], {}).type).toBe("give-up");
  });

  it("runs the pending calls one at a time in their order", () => {
    const transcript: TranscriptEntry[] = [PROMPT, answer([call("a", "read_file"), call("b", "search")], "tool-calls")];
    expect(nextAction(transcript, {})).toMatchObject({ type: "run-tool", call: { toolCallId: "a" } });
    transcript.push(result("a", "read_file"));
    expect(nextAction(transcript, {})).toMatchObject({ type: "run-tool", call: { toolCallId: "b" } });
    transcript.push(result("b", "search"));
    expect(nextAction(transcript, {})).toEqual({ type: "call-model" });
  });

  it("finishes once every call of the answer has its result", () => {
    const transcript: TranscriptEntry[] = [
      PROMPT,
      answer([call("a", "finish", FINISH), call("b", "edit_file")], "tool-calls"),
    ];
    transcript.push(result("a", "finish"));
    expect(nextAction(transcript, {})).toMatchObject({ type: "run-tool", call: { toolCallId: "b" } });
    transcript.push(result("b", "edit_file"));
    expect(nextAction(transcript, {})).toEqual({ type: "finish", ...FINISH });
  });

  it.each(["prompt", "note"] as const)("calls the model again when a %s comes after the finish", (type) => {
    const transcript: Transcript = [
      PROMPT,
      answer([call("a", "finish", FINISH)], "tool-calls"),
      result("a", "finish"),
      { type, text: "and more" },
    ];
    expect(nextAction(transcript, {})).toEqual({ type: "call-model" });
  });

  it("does not finish with a call that its tool refused", () => {
    const transcript = [
      PROMPT,
      answer([call("a", "finish", {})], "tool-calls"),
      result("a", "finish", { type: "error-text", value: "title" }),
    ];
    expect(nextAction(transcript, {})).toEqual({ type: "call-model" });
  });

  it("gives up with the model's reason", () => {
    const transcript = [
      PROMPT,
      answer([call("a", "give_up", { reason: "Why." })], "tool-calls"),
      result("a", "give_up"),
    ];
    expect(nextAction(transcript, {})).toEqual({ type: "give-up", reason: "Why." });
  });

  it("takes an answer without tool calls as the end, with a title from the prompt", () => {
    expect(nextAction([PROMPT, answer([{ type: "text", text: "Nothing to do. " }])], {})).toEqual({
      type: "finish",
      title: "Rename the widget",
      summary: "Nothing to do.",
    });
  });

  it("does not run the calls of a turn that ended before the next prompt", () => {
    const transcript: TranscriptEntry[] = [PROMPT, answer([call("a", "edit_file")], "tool-calls"), PROMPT];
    expect(nextAction(transcript, {})).toEqual({ type: "call-model" });
    expect(messageFaults(toModelMessages(transcript))).toEqual([]);
  });

  it("continues an answer that was cut off, at most three times, and says so to the model", () => {
    const transcript: TranscriptEntry[] = [PROMPT];
    for (let count = 0; count < LENGTH_CONTINUATIONS_MAX; count += 1) {
      transcript.push(answer([{ type: "text", text: "…" }], "length"));
      expect(nextAction(transcript, {})).toEqual({ type: "call-model" });
      expect(JSON.stringify(toModelMessages(transcript).at(-1))).toContain("cut off");
    }
    transcript.push(answer([{ type: "text", text: "…" }], "length"));
    expect(nextAction(transcript, {})).toMatchObject({ type: "give-up", reason: expect.stringContaining("cut off") });
    expect(nextAction([...transcript, PROMPT], {})).toEqual({ type: "call-model" });
  });

  it("gives up on a content filter", () => {
    const transcript: TranscriptEntry[] = [PROMPT, answer([call("a", "read_file")], "content-filter")];
    expect(nextAction(transcript, {})).toMatchObject({
      type: "give-up",
      reason: expect.stringContaining("content filter"),
    });
  });

  it("gives up on three identical calls in a row, whatever the order of their keys", () => {
    const inputs = [
      { path: "a", offset: 1 },
      { offset: 1, path: "a" },
      { path: "a", offset: 1 },
    ];
    const transcript: TranscriptEntry[] = [PROMPT];
    for (const [index, input] of inputs.entries()) {
      transcript.push(
        answer([call(String(index), "read_file", input)], "tool-calls"),
        result(String(index), "read_file"),
      );
      expect(nextAction(transcript, {}).type).toBe(index < 2 ? "call-model" : "give-up");
    }
    const otherOutput = [...transcript.slice(0, -1), result("2", "read_file", { type: "text", value: "changed" })];
    expect(nextAction(otherOutput, {})).toEqual({ type: "call-model" });
  });

  it("keeps results apart when a provider uses an id again", () => {
    const transcript = [
      PROMPT,
      answer([call("call_0", "list_files")], "tool-calls"),
      result("call_0", "list_files"),
      answer([call("call_0", "search")], "tool-calls"),
    ];
    expect(nextAction(transcript, {})).toMatchObject({ type: "run-tool", call: { toolName: "search" } });
  });

  it("stops at the limits of steps and tokens", () => {
    const transcript: TranscriptEntry[] = [PROMPT, answer([call("a", "search")], "tool-calls"), result("a", "search")];
    expect(nextAction(transcript, { stepsMax: 1 })).toMatchObject({ reason: expect.stringContaining("1 steps") });
    expect(nextAction(transcript, { tokensMax: 15 })).toMatchObject({ reason: expect.stringContaining("15 tokens") });
    expect(nextAction(transcript, { stepsMax: 2, tokensMax: 16 })).toEqual({ type: "call-model" });
  });
});

const toolNames = fc.constantFrom("read_file", "edit_file", "finish", "give_up", "nonsense");
const outputs: fc.Arbitrary<ToolOutput> = fc.oneof(
  fc.record({ type: fc.constant("text" as const), value: fc.string() }),
  fc.record({ type: fc.constant("json" as const), value: fc.constant({ more: false }) }),
  fc.record({ type: fc.constant("error-text" as const), value: fc.string() }),
);
const parts: fc.Arbitrary<AnswerPart> = fc.oneof(
  fc.record({ type: fc.constant("text" as const), text: fc.constantFrom("", " ", "done") }),
  fc.record({ type: fc.constant("reasoning" as const), text: fc.string() }),
  fc.record({
    type: fc.constant("tool-call" as const),
    toolCallId: fc.constant(""),
    toolName: toolNames,
    input: fc.oneof(
      fc.constant({ title: "t", summary: "s", reason: "r" }),
      fc.constant("{not json"),
      fc.constant(null),
    ),
  }),
);
const world = fc.record({
  answers: fc.array(
    fc.record({
      content: fc.array(parts, { maxLength: 4 }),
      finishReason: fc.constantFrom(
        "stop",
        "length",
        "content-filter",
        "tool-calls",
        "error",
        "other",
      ) satisfies fc.Arbitrary<Answer["finishReason"]>,
      usage: fc.constant(USAGE),
    }),
    { minLength: 1, maxLength: 12 },
  ),
  outputs: fc.array(outputs, { minLength: 1, maxLength: 12 }),
  interruptions: fc.array(fc.constantFrom("none", "none", "none", "prompt", "note"), { minLength: 1, maxLength: 12 }),
});

describe("any turn", () => {
  it("never sends an invalid history, and always comes to an end", () => {
    fc.assert(
      fc.property(world, ({ answers, outputs: toolOutputs, interruptions }) => {
        const transcript: TranscriptEntry[] = [PROMPT];
        let ids = 0;
        const pick = <Item>(items: readonly Item[], index: number): Item => items[index % items.length] as Item;
        for (let step = 0; step < 300; step += 1) {
          const action = nextAction(transcript, { stepsMax: 20 });
          if (action.type === "finish" || action.type === "give-up") return;
          if (action.type === "run-tool") {
            transcript.push(result(action.call.toolCallId, action.call.toolName, pick(toolOutputs, step)));
          } else {
            expect(messageFaults(toModelMessages(transcript))).toEqual([]);
            const next = pick(answers, step);
            const content = next.content.map((part) =>
              part.type === "tool-call" ? { ...part, toolCallId: `id${(ids += 1)}` } : part,
            );
            transcript.push({ type: "answer", ...next, content });
          }
          const words = pick(interruptions, step);
          if (words !== "none") transcript.push({ type: words, text: "words" });
        }
        throw new Error("The turn did not end.");
      }),
      { numRuns: 500 },
    );
  });
});
