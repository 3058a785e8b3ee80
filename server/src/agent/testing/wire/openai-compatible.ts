import { sse, WIRE_RETRY_AFTER, type Wire } from "./wire.ts";

const chunk = (choices: object[], more: object = {}): string =>
  sse({ id: "chat_1", object: "chat.completion.chunk", created: 1, model: "qwen3-coder", choices, ...more });

const delta = (content: object): string => chunk([{ index: 0, delta: content, finish_reason: null }]);

const error = (message: string, code: number | string): object => ({ error: { message, type: "error", code } });

/**
 * https://platform.openai.com/docs/api-reference/chat-streaming, as vLLM, Ollama and OpenRouter speak it.
 * Errors: https://openrouter.ai/docs/api-reference/errors, and vLLM's words for a context that is too long.
 */
export const openaiCompatibleWire: Wire = {
  provider: "openai-compatible",
  model: "openai-compatible:qwen3-coder",
  contentType: "text/event-stream",
  path: "/chat/completions",
  credential: (key) => ({ header: "authorization", value: `Bearer ${key}` }),
  begin: ({ text = [], toolCalls = [] }) => [
    ": OPENROUTER PROCESSING\n\n",
    delta({ role: "assistant", content: "" }),
    ...text.map((content) => delta({ content })),
    ...toolCalls.flatMap(({ id, name, arguments: json }, index) => [
      delta({ tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] }),
      delta({ tool_calls: [{ index, function: { arguments: json } }] }),
    ]),
  ],
  complete({ finish = "stop" }, { inputTokens, cachedInputTokens, outputTokens }) {
    const reasons = { stop: "stop", "tool-calls": "tool_calls", "content-filter": "content_filter" };
    const usage = {
      prompt_tokens: inputTokens,
      completion_tokens: outputTokens,
      total_tokens: inputTokens + outputTokens,
      prompt_tokens_details: { cached_tokens: cachedInputTokens },
    };
    return [chunk([{ index: 0, delta: {}, finish_reason: reasons[finish] }]), chunk([], { usage }), sse("[DONE]")];
  },
  overloaded: () => sse(error("Provider returned error: overloaded", 502)),
  errors: {
    overloaded: { status: 503, body: error("No available model provider that meets your routing requirements", 503) },
    limited: {
      status: 429,
      headers: { "retry-after": String(WIRE_RETRY_AFTER) },
      body: error("Rate limit exceeded", 429),
    },
    context: {
      status: 400,
      body: error("This model's maximum context length is 32768 tokens. However, you requested 40960 tokens.", 400),
    },
    key: { status: 401, body: error("No auth credentials found", 401) },
    model: { status: 404, body: error('model "qwen3-coder" not found, try pulling it first', "not_found") },
  },
  sendsArgumentsAsText: true,
};
