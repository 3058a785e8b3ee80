import { Readable } from "node:stream";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { Type } from "typebox";
import type { Authorization } from "../access/authorization.ts";
import { ApiError } from "../errors.ts";
import type { JobDelta } from "../jobs/deltas.ts";
import type { JobEvent, Jobs } from "../jobs/job.ts";
import { errorResponses } from "./error-answers.ts";
import { EVENT_STREAM_HEADERS } from "./event-stream.ts";
import { jobParametersSchema } from "./job-schema.ts";
import { requireId } from "./path-id.ts";

const RETRY_MS = 1_000;

/** Described as what each event carries, sent as the stream itself. */
const streamSchema = Type.Unsafe<Readable>({ $ref: "JobEvent#" });

/** A job's event log as server-sent events: https://html.spec.whatwg.org/multipage/server-sent-events.html */
export function createJobEventRoutes(
  { jobs, authorization }: { jobs: Jobs; authorization: Authorization },
  { heartbeatMs = 15_000 }: { heartbeatMs?: number } = {},
): FastifyPluginAsyncTypebox {
  return async (app) => {
    const shutdown = new AbortController();
    // Open streams would keep the server from closing.
    app.addHook("preClose", async () => shutdown.abort());

    app.get(
      "/v2/agent/:projectId/job/:id/events",
      {
        exposeHeadRoute: false,
        schema: {
          operationId: "followJob",
          tags: ["Jobs"],
          summary: "Follow a job",
          description:
            'Server-sent events: everything so far, then each step as it is stored. The event\'s `event` is its `type`, its `id` the `position`, its `data` the JSON of a JobEvent. Between them, while a model writes an answer, come events of the type `delta` without an `id`: JSON like `{"type":"delta","data":{"offset":120,"text":" and then"}}`, about four a second. `offset` counts the UTF-16 units of the answer before this text; 0 begins anew, also when an attempt has broken off. They are stored nowhere and may be missed: the `answer` that follows has all of the text. Comments keep the connection alive. The stream ends once the job is archived; any other end is a reason to reconnect with `Last-Event-ID`.',
          security: [{ apiKey: ["read"] }, { session: [] }],
          params: jobParametersSchema,
          headers: Type.Object({
            "last-event-id": Type.Optional(
              Type.String({ description: "The `position` of the last event seen: the stream goes on after it." }),
            ),
          }),
          response: {
            200: {
              description: "The stream.",
              content: { "text/event-stream": { schema: streamSchema } },
            },
            ...errorResponses(400, 401, 403, 404, 503),
          },
        },
        onRequest: (request) => authorization.requireScope(request, request.params.projectId, "read"),
      },
      async (request, reply) => {
        const after = readPosition(request.headers["last-event-id"]);
        const { projectId, id } = request.params;
        const ended = new AbortController();
        reply.raw.once("close", () => ended.abort());
        const signal = AbortSignal.any([shutdown.signal, ended.signal]);
        const events = await jobs.events(projectId, requireId(id), { after, signal });
        if (events === undefined) throw new ApiError("not_found");
        endWhenRefused(() => authorization.requireScope(request, projectId, "read"), ended, heartbeatMs);
        return reply
          .headers(EVENT_STREAM_HEADERS)
          .send(
            Readable.from(eventStream(events, { heartbeatMs, signal }), { objectMode: false, highWaterMark: 65_536 }),
          );
      },
    );
  };
}

/** A stream may outlast what let its reader in: a sign-out, a removal, a revoked key. */
function endWhenRefused(authorize: () => Promise<void>, ended: AbortController, everyMs: number): void {
  const timer = setInterval(() => {
    authorize().catch((error: unknown) => {
      // Whatever else goes wrong, like a database that is away for a moment, refuses nobody.
      if (error instanceof ApiError && [401, 403, 404].includes(error.status)) ended.abort();
    });
  }, everyMs);
  ended.signal.addEventListener("abort", () => clearInterval(timer), { once: true });
}

/** Writes events as they come and a comment whenever none came for a while. The consumer's pace is the producer's. */
async function* eventStream(
  events: AsyncIterable<JobEvent | JobDelta>,
  { heartbeatMs, signal }: { heartbeatMs: number; signal: AbortSignal },
): AsyncGenerator<string> {
  yield `retry: ${RETRY_MS}\n\n`;
  const iterator = events[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = iterator.next();
      while ((await isPending(next, heartbeatMs)) && !signal.aborted) yield ": still here\n\n";
      const { done, value } = await next;
      if (done === true || signal.aborted) return;
      const id = value.type === "delta" ? "" : `id: ${value.position}\n`;
      yield `${id}event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await iterator.return?.();
  }
}

async function isPending(promise: Promise<unknown>, waitMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const waited = new Promise<true>((resolve) => (timer = setTimeout(resolve, waitMs, true)));
  try {
    return await Promise.race([waited, promise.then(() => false)]);
  } finally {
    clearTimeout(timer);
  }
}

function readPosition(header: string | undefined): number {
  if (header === undefined || header === "") return 0;
  if (/^\d{1,9}$/.test(header)) return Number(header);
  const message = "Last-Event-ID must be the id of an event of this stream";
  throw new ApiError("invalid_request", { message: `${message}.`, details: [{ message }] });
}
