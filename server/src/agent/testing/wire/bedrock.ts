import { crc32 } from "node:zlib";
import { WIRE_RETRY_AFTER, type Wire } from "./wire.ts";

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html */
export const bedrockWire: Wire = {
  provider: "bedrock",
  model: "bedrock:eu.anthropic.claude-sonnet-5-5",
  contentType: "application/vnd.amazon.eventstream",
  path: "/model/eu.anthropic.claude-sonnet-5-5/converse-stream",
  credential: (key) => ({ header: "authorization", value: `Bearer ${key}` }),
  begin({ text = [], toolCalls = [] }) {
    const first = text.length === 0 ? 0 : 1;
    return [
      event("messageStart", { role: "assistant" }),
      ...text.map((piece) => event("contentBlockDelta", { contentBlockIndex: 0, delta: { text: piece } })),
      ...(text.length === 0 ? [] : [event("contentBlockStop", { contentBlockIndex: 0 })]),
      ...toolCalls.flatMap(({ id, name, arguments: json }, position) => {
        const at = { contentBlockIndex: first + position };
        return [
          event("contentBlockStart", { ...at, start: { toolUse: { toolUseId: id, name } } }),
          event("contentBlockDelta", { ...at, delta: { toolUse: { input: json } } }),
          event("contentBlockStop", at),
        ];
      }),
    ];
  },
  complete({ finish = "stop" }, { inputTokens, cachedInputTokens, outputTokens }) {
    const reasons = { stop: "end_turn", "tool-calls": "tool_use", "content-filter": "content_filtered" };
    const usage = {
      inputTokens: inputTokens - cachedInputTokens,
      outputTokens,
      totalTokens: inputTokens + outputTokens,
      cacheReadInputTokens: cachedInputTokens,
      cacheWriteInputTokens: 0,
    };
    return [
      event("messageStop", { stopReason: reasons[finish] }),
      event("metadata", { usage, metrics: { latencyMs: 5 } }),
    ];
  },
  overloaded: () => exception("serviceUnavailableException", { message: "Bedrock is unable to process your request." }),
  errors: {
    overloaded: {
      status: 503,
      headers: { "x-amzn-errortype": "ServiceUnavailableException" },
      body: { message: "Bedrock is unable to process your request." },
    },
    limited: {
      status: 429,
      headers: { "x-amzn-errortype": "ThrottlingException", "retry-after": String(WIRE_RETRY_AFTER) },
      body: { message: "Too many tokens per day, please wait before trying again." },
    },
    context: {
      status: 400,
      headers: { "x-amzn-errortype": "ValidationException" },
      body: { message: "The model returned the following errors: Input is too long for requested model." },
    },
    key: {
      status: 403,
      headers: { "x-amzn-errortype": "UnrecognizedClientException" },
      body: { message: "The security token included in the request is invalid." },
    },
    model: {
      status: 400,
      headers: { "x-amzn-errortype": "ValidationException" },
      body: { message: "The provided model identifier is invalid." },
    },
  },
  sendsArgumentsAsText: true,
};

function event(type: string, data: object): Uint8Array {
  return frame({ ":message-type": "event", ":event-type": type, ":content-type": "application/json" }, data);
}

function exception(type: string, data: object): Uint8Array {
  return frame({ ":message-type": "exception", ":exception-type": type, ":content-type": "application/json" }, data);
}

const TYPE_STRING = 7;

/** A message of https://smithy.io/2.0/aws/amazon-eventstream.html: lengths, headers and payload, with their checksums. */
function frame(headers: Record<string, string>, data: object): Uint8Array {
  const head = Buffer.concat(
    Object.entries(headers).map(([name, value]) => {
      const lengths = Buffer.from([TYPE_STRING, value.length >> 8, value.length & 0xff]);
      return Buffer.concat([Buffer.from([name.length]), Buffer.from(name), lengths, Buffer.from(value)]);
    }),
  );
  const payload = Buffer.from(JSON.stringify(data));
  const lengths = numbers(head.length + payload.length + 16, head.length);
  const prelude = Buffer.concat([lengths, numbers(crc32(lengths))]);
  const message = Buffer.concat([prelude, head, payload]);
  return Buffer.concat([message, numbers(crc32(message))]);
}

function numbers(...values: number[]): Buffer {
  const buffer = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) buffer.writeUInt32BE(value, index * 4);
  return buffer;
}
