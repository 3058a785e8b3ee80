import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

/** A message of the conversation, in the OpenAI chat completions wire format. */
export interface WireMessage {
  role: "system" | "user" | "assistant" | "tool";
  content: string | null;
  tool_calls?: { id: string; type: "function"; function: { name: string; arguments: string } }[];
  tool_call_id?: string;
  reasoning_content?: string;
}

interface ScriptedRequest {
  model: string;
  messages: WireMessage[];
  /** Names of the tools that were offered. */
  tools: string[];
  /** How many requests came before this one. */
  index: number;
  authorization: string | undefined;
}

/** What the server does with one request. Everything is optional; `{}` is an empty answer. */
export interface ScriptedAnswer {
  /** Several: one piece after the other, each when it is there. */
  text?: string | (string | Promise<string>)[];
  reasoning?: string;
  /** `arguments` as an object, or as raw text to send what is not JSON. `id` defaults to a new one. */
  toolCalls?: { name: string; arguments: object | string; id?: string }[];
  /** Default `tool_calls` with tool calls, else `stop`. */
  finishReason?: "stop" | "length" | "content_filter" | "tool_calls";
  /** Answers with this error status instead. */
  status?: number;
  /** With `status`: sent as `retry-after-ms`. */
  retryAfterMs?: number;
  /** With `status`: the error's message. */
  message?: string;
  /** Cuts the connection without an answer. */
  cut?: boolean;
  usage?: { inputTokens: number; outputTokens: number };
}

/** Maps the conversation to the next answer. To be slow, return a promise. */
export type ModelScript = (request: ScriptedRequest) => ScriptedAnswer | Promise<ScriptedAnswer>;

export interface ScriptedModel {
  /** For `DOCENT_MODEL_BASE_URL`. */
  url: string;
  /** Every request so far, in order of arrival. */
  requests: ScriptedRequest[];
  close(): Promise<void>;
}

/** A model server that answers by a script, streaming in the OpenAI chat completions format over HTTP on a free port. */
export async function createScriptedModel(script: ModelScript): Promise<ScriptedModel> {
  const requests: ScriptedRequest[] = [];
  const server = createServer((request, response) => {
    answer(request, response, script, requests).catch((error: unknown) => {
      response.writeHead(500).end(JSON.stringify({ error: { message: String(error) } }));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The scripted model has no port.");
  return {
    url: `http://127.0.0.1:${address.port}/v1`,
    requests,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

interface WireRequest {
  model: string;
  messages: WireMessage[];
  tools?: { function: { name: string } }[];
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  script: ModelScript,
  requests: ScriptedRequest[],
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body: WireRequest = JSON.parse(Buffer.concat(chunks).toString("utf8"));
  const scripted: ScriptedRequest = {
    model: body.model,
    messages: body.messages,
    tools: (body.tools ?? []).map((tool) => tool.function.name),
    index: requests.length,
    authorization: request.headers.authorization,
  };
  requests.push(scripted);
  const next = await script(scripted);
  if (next.cut === true) {
    response.destroy();
  } else if (next.status !== undefined) {
    const headers = next.retryAfterMs === undefined ? {} : { "retry-after-ms": String(next.retryAfterMs) };
    response.writeHead(next.status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify({ error: { message: next.message ?? `scripted ${next.status}`, type: "scripted" } }));
  } else {
    await sendStream(response, next, scripted);
  }
}

/** Sends the answer as the chunks of https://platform.openai.com/docs/api-reference/chat-streaming. */
async function sendStream(
  response: ServerResponse,
  next: ScriptedAnswer,
  { index, model }: ScriptedRequest,
): Promise<void> {
  const usage = next.usage ?? { inputTokens: 10, outputTokens: 5 };
  const send = (choices: object[], more: object = {}): void => {
    const chunk = { id: `completion_${index}`, object: "chat.completion.chunk", created: 0, model, choices, ...more };
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  };
  const delta = (content: object): void => send([{ index: 0, delta: content, finish_reason: null }]);
  response.writeHead(200, { "content-type": "text/event-stream" });
  delta({ role: "assistant", content: null });
  if (next.reasoning !== undefined) delta({ reasoning_content: next.reasoning });
  for (const text of typeof next.text === "string" ? [next.text] : (next.text ?? [])) delta({ content: await text });
  for (const [position, call] of (next.toolCalls ?? []).entries()) {
    const json = typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments);
    const id = call.id ?? `call_${index}_${position}`;
    delta({ tool_calls: [{ index: position, id, type: "function", function: { name: call.name, arguments: "" } }] });
    delta({ tool_calls: [{ index: position, function: { arguments: json } }] });
  }
  const reason = next.finishReason ?? ((next.toolCalls ?? []).length > 0 ? "tool_calls" : "stop");
  send([{ index: 0, delta: {}, finish_reason: reason }]);
  send([], {
    usage: {
      prompt_tokens: usage.inputTokens,
      completion_tokens: usage.outputTokens,
      total_tokens: usage.inputTokens + usage.outputTokens,
    },
  });
  response.end("data: [DONE]\n\n");
}
