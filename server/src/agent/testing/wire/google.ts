import { sse, WIRE_RETRY_AFTER, type Wire } from "./wire.ts";

const error = (code: number, status: string, message: string, details: object[] = []): object => ({
  error: { code, message, status, details },
});

const RETRY = { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: `${WIRE_RETRY_AFTER}s` };

/** https://ai.google.dev/api/generate-content and https://ai.google.dev/gemini-api/docs/troubleshooting */
export const googleWire: Wire = {
  provider: "google",
  model: "google:gemini-3.8-flash",
  contentType: "text/event-stream",
  path: "/models/gemini-3.8-flash:streamGenerateContent?alt=sse",
  credential: (key) => ({ header: "x-goog-api-key", value: key }),
  begin({ text = [], toolCalls = [] }) {
    const calls = toolCalls.map(({ id, name, arguments: json }) => ({
      functionCall: { id, name, args: JSON.parse(json) },
    }));
    return [...text.map((piece) => ({ text: piece })), ...calls].map((part) =>
      sse({
        candidates: [{ content: { role: "model", parts: [part] }, index: 0 }],
        modelVersion: "gemini-3.8-flash",
        responseId: "r1",
      }),
    );
  },
  complete({ finish = "stop" }, { inputTokens, cachedInputTokens, outputTokens }) {
    const finishReason = finish === "content-filter" ? "SAFETY" : "STOP";
    const usageMetadata = {
      promptTokenCount: inputTokens,
      cachedContentTokenCount: cachedInputTokens,
      candidatesTokenCount: outputTokens,
      totalTokenCount: inputTokens + outputTokens,
    };
    return [sse({ candidates: [{ content: { role: "model", parts: [] }, finishReason, index: 0 }], usageMetadata })];
  },
  overloaded: () => sse(error(503, "UNAVAILABLE", "The model is overloaded. Please try again later.")),
  errors: {
    overloaded: { status: 503, body: error(503, "UNAVAILABLE", "The model is overloaded. Please try again later.") },
    limited: {
      status: 429,
      body: error(
        429,
        "RESOURCE_EXHAUSTED",
        "You exceeded your current quota, please check your plan and billing details.",
        [RETRY],
      ),
    },
    context: {
      status: 400,
      body: error(
        400,
        "INVALID_ARGUMENT",
        "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
      ),
    },
    key: { status: 400, body: error(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.") },
    model: {
      status: 404,
      body: error(404, "NOT_FOUND", "models/gemini-3.8-flash is not found for API version v1beta."),
    },
  },
  sendsArgumentsAsText: false,
};
