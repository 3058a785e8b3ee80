import { EventEmitter, once } from "node:events";
import { sendJson, startTestServer } from "../../testing/http-server.ts";
import type { SentView } from "../post-views.ts";

/** `hang` never answers, `reset` breaks the connection off. */
export type Behaviour =
  | "store"
  | "hang"
  | "reset"
  | { status: number; headers?: Record<string, string>; body?: unknown };

export interface Collector {
  url: string;
  behaviour: Behaviour;
  /** The views of each request, whatever it was answered. */
  batches: SentView[][];
  /** The views that were stored. */
  stored: SentView[];
  /** What all requests had in common. */
  paths: Set<string>;
  authorizations: Set<string>;
  /** Waits for as many requests since the start. */
  requested(count: number): Promise<void>;
  /** Waits for as many stored views since the start. */
  storedUpTo(count: number): Promise<SentView[]>;
  close(): Promise<void>;
}

/** A collect endpoint that does what the test says, over real HTTP. */
export async function startCollector(behaviour: Behaviour = "store"): Promise<Collector> {
  const events = new EventEmitter();
  const server = await startTestServer((request, response) => {
    const { events: views }: { events: SentView[] } = JSON.parse(request.body);
    collector.batches.push(views);
    collector.paths.add(request.path);
    collector.authorizations.add(request.headers.authorization ?? "");
    const now = collector.behaviour;
    if (now === "store") {
      collector.stored.push(...views);
      sendJson(response, 202, { accepted: views.length, rejected: [] });
    } else if (now === "reset") {
      response.destroy();
    } else if (now !== "hang") {
      sendJson(response, now.status, now.body ?? { error: "Not now.", code: "unavailable" }, now.headers);
    }
    events.emit("request");
  });
  const collector: Collector = {
    url: server.url,
    behaviour,
    batches: [],
    stored: [],
    paths: new Set(),
    authorizations: new Set(),
    async requested(count) {
      while (collector.batches.length < count) await once(events, "request");
    },
    async storedUpTo(count) {
      while (collector.stored.length < count) await once(events, "request");
      return collector.stored;
    },
    close: () => server.close(),
  };
  return collector;
}
