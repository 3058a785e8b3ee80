import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import type { Authorization } from "../access/authorization.ts";
import { createBrowserLimit } from "../analytics/collect/browser-limit.ts";
import { normaliseAddress } from "../analytics/collect/address.ts";
import type { Collect, Collected } from "../analytics/collect/collect.ts";
import type { Browser } from "../analytics/collect/event.ts";
import type { CollectSettings } from "../analytics/collect/settings.ts";
import { VisitsBusyError } from "../analytics/store/visits.ts";
import type { AnalyticsSettings } from "../database/schema.ts";
import { ApiError } from "../errors.ts";
import { acceptJsonBody } from "./body.ts";
import { collectEventSchema, collectResultSchema } from "./collect-schema.ts";
import { errorResponses } from "./error-answers.ts";
import { reference } from "./schema.ts";

export const EVENTS_MAX = 1_000;
const PATH = "/v1/collect/:projectId";

export interface CollectRoutesDependencies {
  collect: Collect;
  settings: CollectSettings;
  authorization: Pick<Authorization, "requireScope">;
}

export interface CollectRoutesOptions {
  /** How many views an address may send a minute without a key. Default 600. */
  browserViewsPerMinute?: number;
}

interface CollectRoute {
  Params: { projectId: string };
}

const parametersSchema = Type.Object({ projectId: Type.String({ description: "The project's id." }) });

const eventsSchema = Type.Array(reference(collectEventSchema), { maxItems: EVENTS_MAX });
const bodySchema = Type.Union([reference(collectEventSchema), eventsSchema, Type.Object({ events: eventsSchema })], {
  description: `One event, an array of events, or an object with them; at most ${EVENTS_MAX}.`,
});

/**
 * Takes page views, from servers with a key and from the browsers of a project's own sites without one. Refusals come in the
 * order 401, 403, the body (413, 415, 400), 429, 503.
 */
export function createCollectRoutes(
  { collect, settings, authorization }: CollectRoutesDependencies,
  { browserViewsPerMinute = 600 }: CollectRoutesOptions = {},
): FastifyPluginAsync {
  const limit = createBrowserLimit({ perMinute: browserViewsPerMinute, now: () => performance.now() });

  /** Without a key, a browser that names an allowed origin; with one, or from no origin, whoever holds a key. */
  async function authorize(request: FastifyRequest<CollectRoute>, reply: FastifyReply): Promise<void> {
    const { projectId } = request.params;
    const origin = browserOrigin(request);
    if (origin === undefined) return await authorization.requireScope(request, projectId, "collect");
    const allowed = (await settings.find(projectId))?.origins ?? [];
    void reply.header("vary", "Origin");
    if (!allowed.includes(origin)) {
      // The same for projects that do not exist.
      throw new ApiError("forbidden", {
        message: `Pages of ${origin.slice(0, 300)} may not send views here: it is not among the project's settings.analytics.origins.`,
      });
    }
    allowOrigin(reply, origin);
  }

  function readLimitedBrowser(request: FastifyRequest<CollectRoute>, views: number): Browser {
    const browser = readBrowser(request);
    if (views > browserViewsPerMinute) {
      throw new ApiError("body_too_large", {
        message: `Without a key send at most ${browserViewsPerMinute} views at a time and a minute; these are ${views}.`,
      });
    }
    const retryAfterSeconds = limit.take(browser.address, views);
    if (retryAfterSeconds === 0) return browser;
    throw new ApiError("rate_limited", {
      message: `Without a key an address may send ${browserViewsPerMinute} views a minute; try again in ${retryAfterSeconds} s.`,
      headers: { "retry-after": String(retryAfterSeconds) },
    });
  }

  async function store(request: FastifyRequest<CollectRoute>, its: AnalyticsSettings): Promise<Collected> {
    const events = readEvents(request.body);
    const browser = browserOrigin(request) === undefined ? undefined : readLimitedBrowser(request, events.length);
    try {
      return await collect(request.params.projectId, events, { settings: its, browser });
    } catch (error) {
      if (!(error instanceof VisitsBusyError)) throw error;
      throw new ApiError("unavailable", {
        message: error.message,
        headers: { "retry-after": String(error.retryAfterSeconds) },
      });
    }
  }

  return async (app: FastifyInstance) => {
    // `sendBeacon` sends text, which needs no question to the server beforehand.
    acceptJsonBody(app, ["application/json", "text/plain"]);

    app.post<CollectRoute>(
      PATH,
      {
        schema: {
          tags: ["Analytics"],
          security: [{ apiKey: ["collect"] }, {}],
          operationId: "collect",
          summary: "Report page views",
          description:
            "Answers when the views are stored for good, and counts them from then on. Servers send a key of the scope `collect`. Browsers send none: they must come from one of the project's origins (`settings.analytics.origins`), and are known by their own address and user agent. JSON may also be sent as `text/plain`.",
          params: parametersSchema,
          body: bodySchema,
          response: {
            202: reference(collectResultSchema, "The accepted views are stored."),
            ...errorResponses(400, 401, 403, 413, 415, 429, 503),
          },
        },
        // Each event is judged by itself: a bad one does not keep the others out.
        validatorCompiler: () => () => true,
        onRequest: authorize,
      },
      async (request, reply) => {
        const its = await settings.find(request.params.projectId);
        // Deleted a moment ago.
        if (its === undefined) throw new ApiError("forbidden", { message: "This key belongs to another project." });
        return await reply.code(202).send(await store(request, its));
      },
    );

    app.options<CollectRoute>(PATH, { schema: { hide: true } }, async (request, reply) => {
      const origin = browserOrigin(request);
      const its = origin === undefined ? undefined : await settings.find(request.params.projectId);
      void reply.header("vary", "Origin");
      if (origin !== undefined && its?.origins?.includes(origin) === true) {
        allowOrigin(reply, origin);
        void reply.headers({
          "access-control-allow-methods": "POST",
          "access-control-allow-headers": "content-type",
          "access-control-max-age": "86400",
        });
      }
      return await reply.code(204).header("allow", "OPTIONS, POST").send();
    });
  };
}

/** The origin of a page whose browser sent this without a key; undefined for servers. */
function browserOrigin({ headers }: FastifyRequest<CollectRoute>): string | undefined {
  return headers.authorization === undefined ? headers.origin : undefined;
}

/** `sendBeacon` sends along the cookies of this host, which nothing here reads; the browser wants that to be allowed. */
function allowOrigin(reply: FastifyReply, origin: string): void {
  void reply.headers({ "access-control-allow-origin": origin, "access-control-allow-credentials": "true" });
}

function readBrowser(request: FastifyRequest<CollectRoute>): Browser {
  const { headers } = request;
  return {
    address: normaliseAddress(request.ip) ?? request.ip,
    userAgent: (headers["user-agent"] ?? "").slice(0, 1_000),
    hasGlobalPrivacyControl: headers["sec-gpc"] === "1",
    isPrefetch: String(headers["sec-purpose"] ?? "").includes("prefetch"),
  };
}

function readEvents(body: unknown): readonly unknown[] {
  if (typeof body !== "object" || body === null) {
    throw invalid("The body must be an event, an array of events, or an object with events");
  }
  const events = Array.isArray(body) ? body : "events" in body ? body.events : [body];
  if (!Array.isArray(events)) throw invalid("events must be an array");
  if (events.length > EVENTS_MAX) {
    throw new ApiError("body_too_large", {
      message: `Send at most ${EVENTS_MAX} events at a time; these are ${events.length}.`,
    });
  }
  return events;
}

function invalid(message: string): ApiError {
  return new ApiError("invalid_request", { message: `${message}.`, details: [{ message }] });
}
