import type { JobEvent } from "@docent/sdk";
import { expect, test } from "vitest";
import { createTranscript, type Transcript } from "./transcript.ts";

function transcriptOf(...events: [JobEvent["type"], object][]): Transcript {
  const transcript = createTranscript();
  addAll(transcript, events);
  return transcript;
}

function addAll(transcript: Transcript, events: [JobEvent["type"], object][]): void {
  for (const [type, data] of events) {
    const position = transcript.position() + 1;
    transcript.add({ position, type, data: { ...data }, createdAt: "2026-01-01T00:00:00.000Z" });
  }
}

const call = (toolCallId: string, toolName = "read_file", input: object = { path: "index.mdx" }) => ({
  type: "tool-call",
  toolCallId,
  toolName,
  input,
});
const answer = (...content: object[]): [JobEvent["type"], object] => ["answer", { content, finishReason: "stop" }];
const result = (toolCallId: string, output: object): [JobEvent["type"], object] => [
  "tool-result",
  { toolCallId, toolName: "read_file", output },
];

test("a message is shown once, with who sent it, also after a worker took it", () => {
  const transcript = transcriptOf(
    ["message", { id: "m", prompt: "fix it", author: { type: "user", name: "Ada" } }],
    ["prompt", { text: "fix it", messageId: "m" }],
    ["message", { id: "n", prompt: "and this", origin: { type: "comment", url: "https://x", author: "bob" } }],
  );
  expect(transcript.items()).toMatchObject([
    { kind: "message", text: "fix it", author: { type: "user", name: "Ada" }, url: null },
    { kind: "message", text: "and this", author: { type: "comment", name: "bob" }, url: "https://x" },
  ]);
});

test("an answer becomes its texts, thoughts and calls, and results find their calls", () => {
  const transcript = transcriptOf(
    answer({ type: "reasoning", text: "hm" }, { type: "text", text: "I look." }, call("a"), call("b")),
    result("b", { type: "error-text", value: "No such file." }),
  );
  const before = transcript.items();
  addAll(transcript, [result("a", { type: "text", value: "1→Hello" })]);
  expect(transcript.items()).toMatchObject([
    { kind: "reasoning", text: "hm" },
    { kind: "text", text: "I look." },
    { kind: "tool-call", name: "read_file", state: "done", output: "1→Hello" },
    { kind: "tool-call", state: "failed", output: "No such file." },
  ]);
  expect(before[2]).toMatchObject({ state: "waiting", output: null });
  // What did not change is the same object, so that it is not drawn again.
  expect(transcript.items()[3]).toBe(before[3]);
});

test("calls that a message, a note or the turn's end overtook did not run", () => {
  for (const overtaking of [
    ["prompt", { text: "stop" }],
    ["note", { text: "Mend this." }],
    ["turn-end", { failed: "given up" }],
    ["status", { status: "archived" }],
  ] satisfies [JobEvent["type"], object][]) {
    const transcript = transcriptOf(answer(call("a")), overtaking);
    expect(transcript.items()[0]).toMatchObject({ state: "skipped" });
  }
});

test("the same call id in a later answer is another call", () => {
  const transcript = transcriptOf(
    answer(call("call_0")),
    result("call_0", { type: "text", value: "one" }),
    answer(call("call_0")),
    result("call_0", { type: "text", value: "two" }),
  );
  expect(transcript.items()).toMatchObject([{ output: "one" }, { output: "two" }]);
});

test("what the model is writing goes on, begins anew, and gives way to the answer", () => {
  const transcript = transcriptOf(["prompt", { text: "go" }]);
  const write = (offset: number, text: string): void => transcript.add({ type: "delta", data: { offset, text } });
  write(0, "Hel");
  write(3, "lo");
  expect(transcript.items()).toMatchObject([{ kind: "writing", text: "Hello", isWhole: true }]);
  write(9, "later");
  expect(transcript.items()).toMatchObject([{ kind: "writing", text: "later", isWhole: false }]);
  write(0, "Anew");
  expect(transcript.items()).toMatchObject([{ kind: "writing", text: "Anew", isWhole: true }]);
  addAll(transcript, [["message", { prompt: "wait" }]]);
  expect(transcript.items().map(({ kind }) => kind)).toEqual(["message", "writing"]);
  addAll(transcript, [answer({ type: "text", text: "Anew and whole" })]);
  expect(transcript.items().map(({ kind }) => kind)).toEqual(["message", "text"]);
});

test("events that come again, and those of a newer service, change nothing", () => {
  const transcript = createTranscript();
  const event: JobEvent = { position: 1, type: "note", data: { text: "Hello" }, createdAt: "2026-01-01T00:00:00Z" };
  transcript.add(event);
  transcript.add(event);
  transcript.add({ ...event, position: 2, type: "weather" as JobEvent["type"] });
  expect(transcript.items()).toHaveLength(1);
  expect(transcript.position()).toBe(2);
});

test("a turn ends with a pull request, without one, or badly", () => {
  const transcript = transcriptOf(
    ["turn-end", { completed: { number: 3, url: "https://x/3", branch: "b", state: "open" }, prLink: "https://x/3" }],
    ["turn-end", { completed: null, prLink: null }],
    ["turn-end", { failed: "It could not be done.", prLink: null }],
  );
  expect(transcript.items()).toMatchObject([
    { kind: "turn-end", failure: null, pullRequest: { number: 3, url: "https://x/3" } },
    { kind: "turn-end", failure: null, pullRequest: null },
    { kind: "turn-end", failure: "It could not be done.", pullRequest: null },
  ]);
});
