import { channel } from "node:diagnostics_channel";
import { afterEach, describe, expect, it } from "vitest";
import { createTestAgent } from "../testing/run-turn.ts";
import { anthropicWire } from "../testing/wire/anthropic.ts";
import { bedrockWire } from "../testing/wire/bedrock.ts";
import { createWireServer, type WireRequest, type WireServer } from "../testing/wire/server.ts";
import type { Wire } from "../testing/wire/wire.ts";
import { WIRES } from "../testing/wire/wires.ts";
import type { Answer, TranscriptEntry } from "../transcript.ts";
import { createModels, ModelNameError, type ModelsOptions } from "./models.ts";

const opened: WireServer[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((server) => server.close()));
});

async function serve(wire: Wire): Promise<WireServer> {
  const server = await createWireServer(wire, [{ text: ["Hello"] }]);
  opened.push(server);
  return server;
}

const NO_REQUEST: WireRequest = { url: "", headers: {}, body: "" };
const PROMPT: TranscriptEntry = { type: "prompt", text: "Say hello to the canary" };

/** One answer over this wire. */
async function ask(wire: Wire, server: WireServer, options: ModelsOptions, projectId?: string): Promise<Answer> {
  const [entry = {}] = Object.values(options.providers ?? {});
  const models = createModels({ ...options, providers: { [wire.provider]: { baseUrl: server.url, ...entry } } });
  const model = await models.resolve(wire.model, projectId === undefined ? {} : { projectId });
  return createTestAgent({ model, instructions: "Be brief." }).callModel([PROMPT]);
}

describe("names of models", () => {
  it("are known, or refused with what is known", async () => {
    const models = createModels({ providers: { "openai-compatible": { baseUrl: "http://127.0.0.1:1/v1" } } });
    expect(await models.resolve("docent:offline")).toMatchObject({ name: "docent:offline", provider: "docent" });
    expect((await models.resolve("openai-compatible:a:b")).model.modelId).toBe("a:b");
    for (const name of ["acme:x", "__proto__:x", "openai", "openai:", "docent:online"]) {
      expect(() => models.check(name), name).toThrow(ModelNameError);
      expect(() => models.check(name), name).toThrow(/Known are, for example: docent:offline, anthropic:/);
    }
  });

  it("need what their provider needs", async () => {
    const models = createModels({});
    expect(() => models.check("openai-compatible:x")).toThrow(/DOCENT_MODEL_BASE_URL/);
    expect(() => models.check("bedrock:x")).toThrow(/AWS_REGION/);
    expect(models.missingKey("anthropic:x")).toBe("ANTHROPIC_API_KEY");
    expect(models.missingKey("docent:offline")).toBeUndefined();
    await expect(models.resolve("openai:x")).rejects.toThrow(
      /needs a key of OpenAI: the project's own, or OPENAI_API_KEY/,
    );
  });
});

describe("keys", () => {
  it.each(WIRES.map((wire): [string, Wire] => [wire.provider, wire]))(
    "of %s: a project's own wins",
    async (_, wire) => {
      const server = await serve(wire);
      const options: ModelsOptions = {
        providers: { [wire.provider]: { key: "server-key", region: "eu-west-1" } },
        readKey: async (projectId) => (projectId === "prj_own" ? "own-key" : undefined),
      };
      await ask(wire, server, options, "prj_own");
      await ask(wire, server, options, "prj_other");
      await ask(wire, server, options);
      const sent = server.requests.map(({ headers }) => headers[wire.credential("").header]);
      expect(sent).toEqual(["own-key", "server-key", "server-key"].map((key) => wire.credential(key).value));
    },
  );

  it("are never taken from the environment behind the configuration's back", async () => {
    const before = { ...process.env };
    Object.assign(process.env, { AWS_BEARER_TOKEN_BEDROCK: "stray-key", ANTHROPIC_BASE_URL: "http://127.0.0.1:1" });
    try {
      const server = await serve(bedrockWire);
      const key = JSON.stringify({
        accessKeyId: "AKIACANARY",
        secretAccessKey: "very-secret",
        sessionToken: "temporary",
      });
      await ask(
        bedrockWire,
        server,
        { providers: { bedrock: { region: "eu-west-1" } }, readKey: async () => key },
        "prj_1",
      );
      const [{ headers, body } = NO_REQUEST] = server.requests;
      expect(headers.authorization).toMatch(/^AWS4-HMAC-SHA256 Credential=AKIACANARY\/\d{8}\/eu-west-1\/bedrock\//);
      expect(headers["x-amz-security-token"]).toBe("temporary");
      expect(JSON.stringify([headers, body])).not.toMatch(/very-secret|stray-key/);
      await ask(anthropicWire, await serve(anthropicWire), { providers: { anthropic: { key: "k" } } });
    } finally {
      process.env = before;
    }
  });
});

describe("what is sent", () => {
  it.each([
    [anthropicWire, /"cache_control":\{"type":"ephemeral"\}/g],
    [bedrockWire, /"cachePoint":\{"type":"default"\}/g],
  ])("marks what the provider is to keep, at most four times: %#", async (wire, mark) => {
    const server = await serve(wire);
    const models = createModels({
      providers: { [wire.provider]: { baseUrl: server.url, key: "k", region: "eu-west-1" } },
    });
    const agent = createTestAgent({ model: await models.resolve(wire.model), instructions: "Be brief." });
    const transcript: TranscriptEntry[] = [PROMPT];
    for (const id of ["a", "b", "c"]) {
      const content: Answer["content"] = [
        { type: "tool-call", toolCallId: id, toolName: "search", input: { pattern: id } },
      ];
      transcript.push({
        type: "answer",
        content,
        finishReason: "tool-calls",
        usage: { inputTokens: 1, outputTokens: 1 },
      });
      transcript.push({ type: "tool-result", toolCallId: id, toolName: "search", output: { type: "text", value: id } });
    }
    await agent.callModel(transcript.slice(0, 1));
    await agent.callModel(transcript);
    const [first = "", later = ""] = server.requests.map(({ body }) => body);
    expect(first.match(mark)).toHaveLength(2);
    expect(later.match(mark)).toHaveLength(3);
    // One at the very end, and one in the message that was the end before it.
    expect(later.slice(later.lastIndexOf('"role"'))).toMatch(mark);
  });

  it("is not in traces, unless somebody wants that", async () => {
    const traced: string[] = [];
    const subscribers = ["start", "end", "asyncStart", "asyncEnd", "error"].map((event) => {
      const tracing = channel(`tracing:ai:telemetry:${event}`);
      const listener = (message: unknown): void => void traced.push(JSON.stringify(message, cycleFree()));
      tracing.subscribe(listener);
      return () => tracing.unsubscribe(listener);
    });
    const server = await serve(anthropicWire);
    const models = createModels({ providers: { anthropic: { baseUrl: server.url, key: "sk-secret-canary" } } });
    const model = await models.resolve(anthropicWire.model);
    await createTestAgent({ model, instructions: "Be brief." }).callModel([PROMPT]);
    expect(traced.length).toBeGreaterThan(0);
    expect(traced.join("\n")).not.toMatch(/canary|Hello|Be brief/);
    await createTestAgent({ model, instructions: "Be brief.", traceContent: true }).callModel([PROMPT]);
    expect(traced.join("\n")).toMatch(/Say hello to the canary/);
    for (const stop of subscribers) stop();
  });
});

function cycleFree(): (key: string, value: unknown) => unknown {
  const seen = new Set<unknown>();
  return (_key, value) => {
    if (typeof value !== "object" || value === null) return value;
    if (seen.has(value)) return undefined;
    seen.add(value);
    return value;
  };
}

describe("what is known of models", () => {
  const facts = async (name: string, options: ModelsOptions = {}) => {
    const key = { key: "k" };
    const providers = {
      anthropic: key,
      openai: key,
      google: key,
      bedrock: { ...key, region: "eu-west-1" },
      ...options.providers,
    };
    return (await createModels({ ...options, providers }).resolve(name)).facts;
  };

  it("comes from a catalogue that knows the models of today", async () => {
    for (const { model } of WIRES.filter(({ provider }) => provider !== "openai-compatible")) {
      const { contextTokens, costNanoUsd } = await facts(model);
      expect(contextTokens, model).toBeGreaterThanOrEqual(200_000);
      expect(costNanoUsd({ inputTokens: 1_000, outputTokens: 1_000 }), model).toBeGreaterThan(100_000);
    }
  });

  it("counts cached tokens at their own price", async () => {
    // $3 and $15 a million, $0.30 from the cache, $3.75 into it: https://claude.com/pricing
    const { contextTokens, costNanoUsd } = await facts("anthropic:claude-sonnet-4-5");
    expect(contextTokens).toBe(200_000);
    expect(costNanoUsd({ inputTokens: 1_000, outputTokens: 100 })).toBe(4_500_000);
    const cached = { inputTokens: 1_000, cachedInputTokens: 800, cacheWriteTokens: 100, outputTokens: 100 };
    expect(costNanoUsd(cached)).toBe(300_000 + 240_000 + 375_000 + 1_500_000);
  });

  it("is what the administrator says, first of all", async () => {
    const prices = {
      "openai-compatible:qwen3-coder": { input: 1, output: 2, cachedInput: 0.5, contextTokens: 32_768 },
    };
    const providers = { "openai-compatible": { baseUrl: "http://127.0.0.1:1/v1" } };
    const { contextTokens, costNanoUsd } = await facts("openai-compatible:qwen3-coder", { prices, providers });
    expect(contextTokens).toBe(32_768);
    expect(costNanoUsd({ inputTokens: 1_000, cachedInputTokens: 400, outputTokens: 10 })).toBe(
      600_000 + 200_000 + 20_000,
    );
  });

  it("is nothing for a server of one's own, and all of a router that is known", async () => {
    const at = (baseUrl: string) =>
      facts("openai-compatible:qwen/qwen3-coder", { providers: { "openai-compatible": { baseUrl } } });
    const usage = { inputTokens: 1_000, outputTokens: 1_000 };
    expect((await at("http://127.0.0.1:11434/v1")).costNanoUsd(usage)).toBeNull();
    expect((await at("https://openrouter.ai/api/v1")).costNanoUsd(usage)).toBeGreaterThan(0);
    expect((await facts("docent:offline")).costNanoUsd(usage)).toBe(0);
  });
});
