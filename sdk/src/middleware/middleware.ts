import { afterResponse, nodeHeader, nodePath, type NodeRequest, type NodeResponse } from "./node.ts";
import { isPageRequest, isPageView, type SeenRequest } from "./page-view.ts";
import { pause, type Pause } from "./pause.ts";
import { createPostViews, type PostOptions, type SentView } from "./post-views.ts";
import { createProblemLog } from "./problem-log.ts";
import { createSender, type ViewCounts } from "./sender.ts";
import { readView, type RecorderOptions, type SeenView } from "./view.ts";

export type { NodeRequest, NodeResponse } from "./node.ts";
export type { ViewCounts } from "./sender.ts";

export interface ViewMiddlewareOptions extends PostOptions, RecorderOptions {
  /** So many views are sent at once, 100 unless given; at most 250, which always fit into one request. */
  batchSize?: number | undefined;
  /** A view waits for others at most so long, 2,000 unless given. */
  batchDelayMs?: number | undefined;
  /** So many views are kept while Docent cannot be reached, 10,000 unless given; more are dropped, and counted. */
  queueSize?: number | undefined;
  /** A request to Docent without an answer is given up after that, 10,000 unless given. */
  requestTimeoutMs?: number | undefined;
  /** Takes what an operator should know, each kind once a minute at most. A warning on the console, unless given. */
  onProblem?: ((problem: string) => void) | undefined;
  /** Milliseconds since 1970; used instead of `Date.now`. */
  clock?: (() => number) | undefined;
  /** Used instead of `setTimeout` between batches and tries. */
  pause?: Pause | undefined;
}

/** What is used of a `Request` of the Fetch API. */
export interface WebRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: { get(name: string): string | null };
}

/** What is used of a `Response` of the Fetch API. */
export interface WebResponse {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
}

export interface ViewContext {
  /** On edges, where nothing runs after the answer by itself: the view is sent at once, within this. */
  waitUntil?(promise: Promise<unknown>): void;
  /** The client's address, where the runtime tells it; not needed with `addressHeader`. */
  address?: string | undefined;
}

export interface ViewMiddleware {
  /** For Express, Connect, Fastify and `node:http`: calls `next` at once, and records the view after the response. */
  node(request: NodeRequest, response: NodeResponse, next?: () => void): void;
  /** For servers and edges of the Fetch API: records the view that a response is, if it is one. */
  recordResponse(request: WebRequest, response: WebResponse, context?: ViewContext): void;
  /** The same where the response cannot be seen: what looks like a page's request counts, whatever it is answered. */
  recordRequest(request: WebRequest, context?: ViewContext): void;
  /** Sends what waits, without waiting for more of it; resolves when each was tried once. */
  flush(): Promise<void>;
  /**
   * Sends what waits, tries again while it fails, and gives the rest up. Call it when the server stops; later views are dropped.
   * @param deadlineMs It never takes longer; 5,000 unless given.
   */
  close(options?: { deadlineMs?: number }): Promise<void>;
  /** What became of the views since the start. */
  counts(): ViewCounts;
}

/**
 * Records who reads the documentation that a server delivers, people and AI agents, and tells a Docent service. It never delays a
 * response, and none of its methods throws or rejects.
 *
 *     const views = createViewMiddleware({ baseUrl: "https://docent.example.com", projectId: "prj_…", apiKey });
 *     app.use(views.node);
 */
export function createViewMiddleware(options: ViewMiddlewareOptions): ViewMiddleware {
  const clock = options.clock ?? Date.now;
  const report = createProblemLog(
    options.onProblem ?? ((problem) => console.warn(`Docent page views: ${problem}`)),
    clock,
  );
  const sender = createSender(
    { post: createPostViews(options), pause: options.pause ?? pause, report },
    {
      batchSize: Math.min(options.batchSize ?? 100, 250),
      batchDelayMs: options.batchDelayMs ?? 2000,
      queueSize: options.queueSize ?? 10_000,
      requestTimeoutMs: options.requestTimeoutMs ?? 10_000,
    },
  );
  const seenResponses = new WeakSet<NodeResponse>();

  function guarded(task: () => void): void {
    try {
      task();
    } catch (error) {
      report("failure", `A view could not be recorded: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  function toSend(seen: SeenView): SentView | undefined {
    const view = readView(options, seen);
    if (view === "nameless") {
      const place = options.addressHeader === undefined ? "connection" : `header ${options.addressHeader}`;
      const advice = "Set addressHeader to the header in which your proxy does.";
      report("nameless", `A view was not recorded, because its ${place} names no address. ${advice}`);
    }
    return typeof view === "string" ? undefined : view;
  }

  function record(seen: SeenView, context: ViewContext): void {
    const view = toSend(seen);
    if (view === undefined) return;
    if (context.waitUntil === undefined) sender.add(view);
    else context.waitUntil(sender.sendNow(view));
  }

  return {
    node(request, response, next) {
      guarded(() => {
        if (seenResponses.has(response)) return;
        seenResponses.add(response);
        const time = clock();
        const seen: SeenRequest = {
          method: request.method ?? "",
          path: nodePath(request),
          header: (name) => nodeHeader(request, name),
        };
        // Gone when the connection is.
        const connection = request.socket?.remoteAddress;
        afterResponse(response, (answer) =>
          guarded(() => {
            if (isPageView(seen, answer)) record({ request: seen, connection, status: answer.status, time }, {});
          }),
        );
      });
      next?.();
    },
    recordResponse(request, response, context = {}) {
      guarded(() => {
        const seen = seenWebRequest(request);
        const answer = { status: response.status, contentType: response.headers.get("content-type") ?? undefined };
        if (!isPageView(seen, answer)) return;
        record({ request: seen, connection: context.address, status: answer.status, time: clock() }, context);
      });
    },
    recordRequest(request, context = {}) {
      guarded(() => {
        const seen = seenWebRequest(request);
        if (!isPageRequest(seen)) return;
        record({ request: seen, connection: context.address, status: undefined, time: clock() }, context);
      });
    },
    flush: () => sender.flush(),
    close: ({ deadlineMs = 5000 } = {}) => sender.close(deadlineMs),
    counts: () => sender.counts(),
  };
}

function seenWebRequest(request: WebRequest): SeenRequest {
  const { pathname, host } = new URL(request.url);
  return {
    method: request.method,
    path: pathname,
    // Not every runtime shows the header.
    header: (name) => request.headers.get(name) ?? (name === "host" ? host : undefined),
  };
}
