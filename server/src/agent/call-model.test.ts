import { JSONParseError, TypeValidationError } from "@ai-sdk/provider";
import { afterEach, describe, expect, it } from "vitest";
import { ModelCallError } from "./agent.ts";
import { readModelFailure } from "./model-failure.ts";
import { createModels } from "./models/models.ts";
import { createScriptedModel, type ModelScript, type ScriptedModel } from "./testing/scripted-model.ts";
import { createTestAgent, runTurn, type TestAgent } from "./testing/run-turn.ts";
import { createTestWorkspace } from "./testing/test-workspace.ts";
import type { TranscriptEntry } from "./transcript.ts";

const PROMPT: TranscriptEntry = { type: "prompt", text: "Say hello" };
const FINISH = { name: "finish", arguments: { title: "T", summary: "S" } };

const opened: ScriptedModel[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((server) => server.close()));
});

async function scripted(script: ModelScript): Promise<{ server: ScriptedModel; agent: TestAgent; waits: number[] }> {
  const server = await createScriptedModel(script);
  opened.push(server);
  const models = createModels({ providers: { "openai-compatible": { baseUrl: server.url, key: "secret-key" } } });
  const model = await models.resolve("openai-compatible:tiny");
  const waits: number[] = [];
  const onWait = (ms: number): void => void waits.push(ms);
  return { server, agent: createTestAgent({ model, instructions: "Be brief.", onWait }), waits };
}

describe("callModel over HTTP", () => {
  it("sends instructions, words, tools and key; reads text, reasoning and usage", async () => {
    const { server, agent } = await scripted(() => ({
      text: "Hello",
      reasoning: "Hm.",
      usage: { inputTokens: 7, outputTokens: 3 },
    }));
    const answer = await agent.callModel([PROMPT, { type: "note", text: "Mind the gap." }]);
    expect(answer).toEqual({
      content: [
        { type: "reasoning", text: "Hm." },
        { type: "text", text: "Hello" },
      ],
      finishReason: "stop",
      usage: { inputTokens: 7, outputTokens: 3, costNanoUsd: null },
    });
    expect(server.requests[0]).toMatchObject({
      model: "tiny",
      authorization: "Bearer secret-key",
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: expect.stringMatching(/^Say hello\n\n<note-from-docent>\nMind the gap\./) },
      ],
    });
    expect(server.requests[0]?.tools).toContain("edit_file");
  });

  it("works through parallel calls, unknown tools, broken and wrong arguments to the end", async () => {
    const { server, agent } = await scripted(({ index }) => {
      if (index === 0) {
        return {
          toolCalls: [
            { id: "same", name: "read_file", arguments: { path: "index.mdx" } },
            { id: "same", name: "read_file", arguments: '{"path": "index' },
            { id: "", name: "format_disk", arguments: {} },
            { name: "search", arguments: { pattern: 3 } },
          ],
        };
      }
      if (index === 1) {
        return {
          toolCalls: [
            { id: "same", name: "edit_file", arguments: { path: "index.mdx", edits: [{ old: "Hello", new: "Hi" }] } },
          ],
        };
      }
      return { toolCalls: [FINISH] };
    });
    const { workspace, text, close } = await createTestWorkspace({ "docs.json": "{}\n", "index.mdx": "Hello\n" });
    const transcript: TranscriptEntry[] = [PROMPT];
    expect(await runTurn(agent, workspace, transcript)).toEqual({ type: "finish", title: "T", summary: "S" });
    expect(await text("index.mdx")).toBe("Hi\n");
    await close();
    const results = transcript.flatMap((entry) => (entry.type === "tool-result" ? [entry] : []));
    expect(results.map(({ output }) => output.type)).toEqual([
      "text",
      "error-text",
      "error-text",
      "error-text",
      "text",
      "text",
    ]);
    expect(results[0]?.output.value).toBe("1→Hello");
    expect(results[1]?.output.value).toMatch(/not valid JSON.*index/);
    expect(results[2]?.output.value).toMatch(/no tool called "format_disk".*list_files/);
    expect(results[3]?.output.value).toMatch(/`pattern` must be string/);
    expect(new Set(results.map(({ toolCallId }) => toolCallId)).size).toBe(6);
    const last = server.requests.at(-1)?.messages ?? [];
    const asked = last.flatMap((message) => message.tool_calls?.map(({ id }) => id) ?? []);
    expect(last.flatMap((message) => message.tool_call_id ?? [])).toEqual(asked);
  });

  it("replaces what PostgreSQL refuses in all that a model says", async () => {
    const { agent } = await scripted(() => ({
      text: "a\0b\uD800c",
      toolCalls: [{ name: "search", arguments: '{"pattern":"x\\u0000\\uDC00y"}' }],
    }));
    const { content } = await agent.callModel([PROMPT]);
    expect(content).toMatchObject([
      { type: "text", text: "ab\uFFFDc" },
      { type: "tool-call", input: { pattern: "x\uFFFDy" } },
    ]);
  });

  it("tries again after 429, 500 and a cut connection", async () => {
    const faults = [{ status: 429, retryAfterMs: 5 }, { cut: true }, { text: "At last" }];
    const { server, agent, waits } = await scripted(({ index }) => faults[index] ?? {});
    expect((await agent.callModel([PROMPT])).content).toMatchObject([{ text: "At last" }]);
    expect(server.requests).toHaveLength(3);
    expect(waits).toEqual([5, 1500]);
  });

  it("leaves a wait that is longer than a worker is held to the job", async () => {
    const { server, agent, waits } = await scripted(() => ({ status: 429, retryAfterMs: 60_000 }));
    await expect(agent.callModel([PROMPT])).rejects.toMatchObject({ failure: { retryAfterMs: 60_000 } });
    expect(server.requests).toHaveLength(1);
    expect(waits).toEqual([]);
  });

  it.each([
    [{ status: 401 }, /refused the key \(401\): scripted 401\. Check DOCENT_MODEL_API_KEY/, "key", false],
    [{ status: 404 }, /does not know this model or address \(404\)/, "model", false],
    [{ status: 400 }, /refused the call \(400\): scripted 400/, "refused", false],
    [{ status: 429, retryAfterMs: 1 }, /limits how often/, "limited", true],
    [{ status: 500, retryAfterMs: 1 }, /error \(500\)/, "overloaded", true],
    [{ cut: true }, /could not be reached|broke in the middle/, expect.stringMatching(/unreachable|cut/), true],
  ])("says what failed: %j", async (scriptedAnswer, reason, kind, isRetryable) => {
    const { agent } = await scripted(() => scriptedAnswer);
    const error: unknown = await agent.callModel([PROMPT]).catch((thrown: unknown) => thrown);
    if (!(error instanceof ModelCallError)) throw error;
    expect(error.failure).toMatchObject({ reason: expect.stringMatching(reason), kind, isRetryable });
    expect(JSON.stringify([error, error.message, error.stack])).not.toMatch(/secret-key|Say hello/);
  });

  it("ends with the abort's own reason, at once", async () => {
    const { agent } = await scripted(() => new Promise(() => {}));
    const controller = new AbortController();
    const call = agent.callModel([PROMPT], { signal: controller.signal });
    controller.abort(new Error("archived"));
    await expect(call).rejects.toThrow("archived");
  });

  it("takes arguments that are nested without end, and any number of tokens", async () => {
    const deep = `{"path":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
    const { agent } = await scripted(() => ({
      toolCalls: [{ name: "read_file", arguments: deep }],
      usage: { inputTokens: 1e300, outputTokens: -1 },
    }));
    const answer = await agent.callModel([PROMPT]);
    expect(answer.content).toEqual([
      { type: "tool-call", toolCallId: expect.any(String), toolName: "read_file", input: expect.any(String) },
    ]);
    expect(answer.usage).toEqual({ inputTokens: 1_000_000_000, outputTokens: 0, costNanoUsd: null });
  });

  it("gives reasoning metadata back to the provider and answers every call of a turn that was cut short", async () => {
    const { server, agent } = await scripted(() => ({ text: "ok" }));
    await agent.callModel([
      PROMPT,
      {
        type: "answer",
        content: [
          { type: "reasoning", text: "Thinking.", providerMetadata: { anthropic: { signature: "s" } } },
          { type: "tool-call", toolCallId: "a", toolName: "search", input: "{broken" },
        ],
        finishReason: "tool-calls",
        usage: { inputTokens: 1, outputTokens: 1 },
      },
      { type: "prompt", text: "Go on" },
    ]);
    expect(server.requests[0]?.messages.slice(2)).toEqual([
      {
        role: "assistant",
        content: null,
        reasoning_content: "Thinking.",
        tool_calls: [{ id: "a", type: "function", function: { name: "search", arguments: "{}" } }],
      },
      { role: "tool", tool_call_id: "a", content: expect.stringContaining("Interrupted") },
      { role: "user", content: "Go on" },
    ]);
  });
});

describe("what is told of a model", () => {
  it("holds nothing of an answer that cannot be read", () => {
    const text = '{"choices": "the secret handbook says';
    const errors = [
      new JSONParseError({ text, cause: new SyntaxError("Unexpected end of JSON input") }),
      new TypeValidationError({ value: { text }, cause: new Error("choices: expected an array") }),
    ];
    for (const error of errors) {
      const { kind, reason, isRetryable } = readModelFailure(error, "openai");
      expect({ kind, isRetryable }).toEqual({ kind: "unreadable", isRetryable: true });
      expect(reason).toMatch(/could not be read: \S/);
      expect(reason).not.toContain("handbook");
    }
  });

  it("counts summaries that are empty", async () => {
    const usage = { inputTokens: 100, outputTokens: 3 };
    const { agent, server } = await scripted(() => ({ text: " ", usage }));
    const summary = await agent.summarize([PROMPT]);
    expect(server.requests).toHaveLength(2);
    expect(summary).toMatchObject({ stage: "summary", usage: { inputTokens: 200, outputTokens: 6 } });
  });
});
