import { DocentError } from "./error.ts";
import { parseEventStream } from "./event-stream.ts";
import type { EraseVisitorBody, ProgressEvent } from "./generated.ts";
import { path, type Requester, type RequestOptions } from "./request.ts";

/** A visitor by the id that the site itself gave, or else by address and user agent. */
export type Visitor = { visitorId: string } | { ip: string; userAgent: string };

export interface WorkOptions extends RequestOptions {
  onProgress?: ((done: number, total: number) => void) | undefined;
}

/** The administration of what is stored of a project's readers. Both operations take minutes where there are many views. */
export interface Visits {
  /**
   * Counts a project's visits anew from the stored views. Aborting leaves, and does not stop it.
   * @throws DocentError `work_failed` with the reason.
   */
  rebuild(projectId: string, options?: WorkOptions): Promise<void>;
  /**
   * Deletes all views of one visitor and counts anew.
   * @throws DocentError `work_failed` with the reason.
   */
  erase(projectId: string, visitor: Visitor, options?: WorkOptions): Promise<void>;
}

export function createVisits(requester: Requester): Visits {
  async function follow(target: string, body: EraseVisitorBody | undefined, options?: WorkOptions): Promise<void> {
    const response = await requester.open("POST", target, {
      credential: "admin",
      signal: options?.signal,
      headers: { Accept: "text/event-stream" },
      ...(body === undefined ? {} : { body }),
    });
    if (response.body !== null) {
      for await (const { data } of parseEventStream(response.body)) {
        const event: ProgressEvent = JSON.parse(data);
        if (event.type === "done") return;
        if (event.type === "failed") throw failure(event.error ?? "It failed.");
        options?.onProgress?.(event.done ?? 0, event.total ?? 0);
      }
    }
    throw failure("The connection ended early; the service goes on by itself.");
  }

  return {
    rebuild: (projectId, options) => follow(path`/v1/projects/${projectId}/visits/rebuild`, undefined, options),
    erase: (projectId, visitor, options) => follow(path`/v1/projects/${projectId}/visits/erase`, visitor, options),
  };
}

function failure(message: string): DocentError {
  return new DocentError(message, { status: 200, code: "work_failed" });
}
