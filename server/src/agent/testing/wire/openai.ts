import { sse, WIRE_RETRY_AFTER, type Wire } from "./wire.ts";

const event = (data: { type: string } & Record<string, unknown>): string => sse(data, data.type);

const error = (message: string, type: string, code: string | null): object => ({
  error: { message, type, param: null, code },
});

/** https://platform.openai.com/docs/api-reference/responses-streaming and /docs/guides/error-codes */
export const openaiWire: Wire = {
  provider: "openai",
  model: "openai:gpt-5.6-terra",
  contentType: "text/event-stream",
  path: "/responses",
  credential: (key) => ({ header: "authorization", value: `Bearer ${key}` }),
  begin({ text = [], toolCalls = [] }) {
    const response = { id: "resp_1", object: "response", created_at: 1, model: "gpt-5.6-terra", status: "in_progress" };
    const message = { type: "message", id: "msg_1", role: "assistant", status: "in_progress", content: [] };
    const first = text.length === 0 ? 0 : 1;
    return [
      event({ type: "response.created", response }),
      ...(text.length === 0
        ? []
        : [
            event({ type: "response.output_item.added", output_index: 0, item: message }),
            ...text.map((delta) =>
              event({
                type: "response.output_text.delta",
                item_id: "msg_1",
                output_index: 0,
                content_index: 0,
                delta,
                logprobs: [],
              }),
            ),
            event({ type: "response.output_item.done", output_index: 0, item: { ...message, status: "completed" } }),
          ]),
      ...toolCalls.flatMap(({ id, name, arguments: json }, position) => {
        const at = { output_index: first + position };
        const item = { type: "function_call", id: `fc_${position}`, call_id: id, name };
        return [
          event({ type: "response.output_item.added", ...at, item: { ...item, arguments: "", status: "in_progress" } }),
          event({ type: "response.function_call_arguments.delta", item_id: item.id, ...at, delta: json }),
          event({ type: "response.output_item.done", ...at, item: { ...item, arguments: json, status: "completed" } }),
        ];
      }),
    ];
  },
  complete({ finish = "stop" }, { inputTokens, cachedInputTokens, outputTokens }) {
    const usage = {
      input_tokens: inputTokens,
      input_tokens_details: { cached_tokens: cachedInputTokens },
      output_tokens: outputTokens,
      output_tokens_details: { reasoning_tokens: 4 },
    };
    if (finish !== "content-filter") return [event({ type: "response.completed", response: { usage } })];
    const response = { incomplete_details: { reason: "content_filter" }, usage };
    return [event({ type: "response.incomplete", response })];
  },
  overloaded: () =>
    event({
      type: "error",
      sequence_number: 3,
      code: "server_is_overloaded",
      message: "Our servers are currently overloaded. Please try again later.",
      param: null,
    }),
  errors: {
    overloaded: {
      status: 503,
      body: error("The engine is currently overloaded, please try again later", "server_error", null),
    },
    limited: {
      status: 429,
      headers: { "retry-after": String(WIRE_RETRY_AFTER), "retry-after-ms": String(WIRE_RETRY_AFTER * 1000) },
      body: error("Rate limit reached for gpt-5.6-terra on requests per min (RPM).", "requests", "rate_limit_exceeded"),
    },
    context: {
      status: 400,
      body: error(
        "Your input exceeds the context window of this model.",
        "invalid_request_error",
        "context_length_exceeded",
      ),
    },
    key: {
      status: 401,
      body: error("Incorrect API key provided: sk-canar************key.", "invalid_request_error", "invalid_api_key"),
    },
    model: {
      status: 404,
      body: error("The model `gpt-5.6-terra` does not exist.", "invalid_request_error", "model_not_found"),
    },
  },
  sendsArgumentsAsText: true,
};
