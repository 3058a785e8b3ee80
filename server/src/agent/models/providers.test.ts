import { afterEach, describe, expect, it } from "vitest";
import { ModelCallError, nextAction, type ModelFailure } from "../agent.ts";
import { createTestAgent, type TestAgent } from "../testing/run-turn.ts";
import { createWireServer, type WireServer } from "../testing/wire/server.ts";
import { WIRE_RETRY_AFTER, WIRE_USAGE, type Wire, type WireAnswer, type WireRefusal } from "../testing/wire/wire.ts";
import { WIRES } from "../testing/wire/wires.ts";
import type { TranscriptEntry } from "../transcript.ts";
import { createModels } from "./models.ts";

const KEY = "sk-canary-0123456789-key";
const PROMPT: TranscriptEntry = { type: "prompt", text: "Say hello to the canary of documents" };
const SAID: WireAnswer = { text: ["Hel", "lo"] };
const READ = { id: "call_a", name: "read_file", arguments: '{"path":"index.md"}' };
const SEARCH = { id: "call_b", name: "search", arguments: '{"pattern":"x"}' };

const opened: WireServer[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((server) => server.close()));
});

interface Called {
  server: WireServer;
  agent: TestAgent;
  waits: number[];
}

async function open(
  wire: Wire,
  script: (WireAnswer | WireRefusal)[],
  times: { startMs?: number; pauseMs?: number } = {},
): Promise<Called> {
  const server = await createWireServer(wire, script);
  opened.push(server);
  const models = createModels({
    providers: { [wire.provider]: { baseUrl: server.url, key: KEY, region: "eu-west-1" } },
  });
  const model = await models.resolve(wire.model);
  const waits: number[] = [];
  const agent = createTestAgent({ model, instructions: "Be brief.", times, onWait: (ms) => void waits.push(ms) });
  return { server, agent, waits };
}

async function failureOf({ agent }: Called): Promise<ModelFailure> {
  const error: unknown = await agent.callModel([PROMPT]).catch((thrown: unknown) => thrown);
  if (!(error instanceof ModelCallError)) throw error;
  expect(JSON.stringify([error, error.message, error.stack])).not.toMatch(/canary/);
  return error.failure;
}

describe.each(WIRES.map((wire): [string, Wire] => [wire.provider, wire]))("%s", (_, wire) => {
  it("streams text and parallel tool calls, counts tokens, and sends the key in its header alone", async () => {
    const called = await open(wire, [{ ...SAID, toolCalls: [READ, SEARCH], finish: "tool-calls" }]);
    const heard: string[] = [];
    const answer = await called.agent.callModel([PROMPT], { onText: (text) => void heard.push(text ?? "restart") });
    expect(heard.join("")).toBe("Hello");
    expect(heard.length).toBeGreaterThan(1);
    expect(answer).toMatchObject({
      content: [
        { type: "text", text: "Hello" },
        { type: "tool-call", toolCallId: READ.id, toolName: "read_file", input: { path: "index.md" } },
        { type: "tool-call", toolCallId: SEARCH.id, toolName: "search", input: { pattern: "x" } },
      ],
      finishReason: "tool-calls",
      usage: WIRE_USAGE,
    });
    const [{ url, headers, body } = { url: "", headers: {}, body: "" }] = called.server.requests;
    const { header, value } = wire.credential(KEY);
    expect(decodeURIComponent(url)).toBe(wire.path);
    expect(headers[header]).toBe(value);
    const elsewhere = { ...headers, [header]: undefined };
    expect(JSON.stringify([url, elsewhere, body])).not.toContain(KEY);
    expect(body).toContain("edit_file");
  });

  it("takes its own words and the results of tools back", async () => {
    const called = await open(wire, [{ ...SAID, toolCalls: [READ, SEARCH], finish: "tool-calls" }, SAID]);
    const transcript: TranscriptEntry[] = [PROMPT, { type: "answer", ...(await called.agent.callModel([PROMPT])) }];
    for (const { id, name } of [READ, SEARCH]) {
      const output = { type: "text", value: `result of ${name}` } as const;
      transcript.push({ type: "tool-result", toolCallId: id, toolName: name, output });
    }
    expect(await called.agent.callModel(transcript)).toMatchObject({
      content: [{ text: "Hello" }],
      finishReason: "stop",
    });
    const sent = called.server.requests[1]?.body ?? "";
    for (const word of ["Hello", "result of read_file", "result of search"]) expect(sent).toContain(word);
  });

  it.runIf(wire.sendsArgumentsAsText)("keeps arguments that are not JSON as text", async () => {
    const { agent } = await open(wire, [
      { toolCalls: [{ ...READ, arguments: '{"path": "ind' }], finish: "tool-calls" },
    ]);
    const answer = await agent.callModel([PROMPT]);
    expect(answer.content).toMatchObject([{ type: "tool-call", toolName: "read_file", input: '{"path": "ind' }]);
    expect(nextAction([PROMPT, { type: "answer", ...answer }], {})).toMatchObject({ type: "run-tool" });
  });

  it("ends the turn with a reason when the content filter steps in", async () => {
    const { agent } = await open(wire, [{ ...SAID, finish: "content-filter" }]);
    const answer = await agent.callModel([PROMPT]);
    expect(nextAction([PROMPT, { type: "answer", ...answer }], {})).toMatchObject({
      type: "give-up",
      reason: expect.stringContaining("content filter"),
    });
  });

  it.each<[string, WireAnswer | WireRefusal]>([
    ["is overloaded", "overloaded"],
    ["says in the middle that it is overloaded", { text: ["Go"], after: "overloaded" }],
    ["breaks the connection", { text: ["Go"], after: "break" }],
    ["ends in the middle", { text: ["Go"], after: "end" }],
    ["ends before it began", { after: "end" }],
  ])("goes on when it %s, and says so when it does not stop", async (_what, fault) => {
    const recovering = await open(wire, [fault, SAID]);
    const heard: string[] = [];
    const answer = await recovering.agent.callModel([PROMPT], { onText: (text) => void heard.push(text ?? "restart") });
    expect(answer.content).toMatchObject([{ type: "text", text: "Hello" }]);
    expect(heard.join("")).toMatch(/^(Gorestart)?Hello$/);
    expect(recovering.waits).toEqual([500]);
    const broken = await open(wire, [fault]);
    expect(await failureOf(broken)).toMatchObject({ isRetryable: true, kind: expect.stringMatching(/overloaded|cut/) });
    expect(broken.server.requests).toHaveLength(3);
  });

  it("leaves a wait that it is asked for to the job", async () => {
    const called = await open(wire, ["limited"]);
    expect(await failureOf(called)).toMatchObject({
      kind: "limited",
      isRetryable: true,
      retryAfterMs: WIRE_RETRY_AFTER * 1000,
    });
    expect(called.server.requests).toHaveLength(1);
  });

  it.each<[string, WireAnswer | WireRefusal, RegExp]>([
    ["in the middle", { text: ["Go"], after: "stall" }, /fell silent in the middle of its answer for 0\.06 seconds/],
    ["from the beginning", "silence", /did not begin its answer within 0\.06 seconds/],
  ])("is given up when it is silent %s", async (_where, fault, reason) => {
    const times = fault === "silence" ? { startMs: 60 } : { pauseMs: 60 };
    const called = await open(wire, [fault], times);
    expect(await failureOf(called)).toMatchObject({
      kind: "silent",
      isRetryable: true,
      reason: expect.stringMatching(reason),
    });
    expect(called.server.requests).toHaveLength(2);
  });

  it.each(["context", "key", "model"] as const)("is not asked again after a refusal: %s", async (refusal) => {
    const called = await open(wire, [refusal]);
    expect(await failureOf(called)).toMatchObject({ kind: refusal, isRetryable: false });
    expect(called.server.requests).toHaveLength(1);
  });
});
