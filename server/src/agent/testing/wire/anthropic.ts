import { sse, WIRE_RETRY_AFTER, type Wire } from "./wire.ts";

const event = (data: { type: string } & Record<string, unknown>): string => sse(data, data.type);

const error = (type: string, message: string): object => ({
  type: "error",
  error: { type, message },
  request_id: "req_1",
});

/** https://platform.claude.com/docs/en/build-with-claude/streaming and https://platform.claude.com/docs/en/api/errors */
export const anthropicWire: Wire = {
  provider: "anthropic",
  model: "anthropic:claude-sonnet-5-5",
  contentType: "text/event-stream",
  path: "/messages",
  credential: (key) => ({ header: "x-api-key", value: key }),
  begin({ text = [], toolCalls = [] }) {
    const usage = { input_tokens: 20, cache_read_input_tokens: 100, cache_creation_input_tokens: 0, output_tokens: 1 };
    const message = {
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: "claude-sonnet-5-5",
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage,
    };
    const blocks = [
      ...(text.length === 0
        ? []
        : [{ start: { type: "text", text: "" }, deltas: text.map((piece) => ({ type: "text_delta", text: piece })) }]),
      ...toolCalls.map(({ id, name, arguments: json }) => ({
        start: { type: "tool_use", id, name, input: {} },
        deltas: [json.slice(0, 3), json.slice(3)].map((piece) => ({ type: "input_json_delta", partial_json: piece })),
      })),
    ];
    return [
      event({ type: "message_start", message }),
      event({ type: "ping" }),
      ...blocks.flatMap(({ start, deltas }, index) => [
        event({ type: "content_block_start", index, content_block: start }),
        ...deltas.map((delta) => event({ type: "content_block_delta", index, delta })),
        event({ type: "content_block_stop", index }),
      ]),
    ];
  },
  complete({ finish = "stop" }, { outputTokens }) {
    const reasons = { stop: "end_turn", "tool-calls": "tool_use", "content-filter": "refusal" };
    const delta = { stop_reason: reasons[finish], stop_sequence: null };
    return [
      event({ type: "message_delta", delta, usage: { output_tokens: outputTokens } }),
      event({ type: "message_stop" }),
    ];
  },
  overloaded: () => sse(error("overloaded_error", "Overloaded"), "error"),
  errors: {
    overloaded: { status: 529, body: error("overloaded_error", "Overloaded") },
    limited: {
      status: 429,
      headers: { "retry-after": String(WIRE_RETRY_AFTER) },
      body: error("rate_limit_error", "This request would exceed your organization's rate limit."),
    },
    context: {
      status: 400,
      body: error("invalid_request_error", "prompt is too long: 208310 tokens > 200000 maximum"),
    },
    key: { status: 401, body: error("authentication_error", "invalid x-api-key") },
    model: { status: 404, body: error("not_found_error", "model: claude-sonnet-5-5") },
  },
  sendsArgumentsAsText: true,
};
