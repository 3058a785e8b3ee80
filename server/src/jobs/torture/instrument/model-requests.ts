import { subscribe } from "node:diagnostics_channel";
import type { Passage, Trigger } from "./trigger.ts";

/** Makes every request to the model a point. It is the only thing that a worker fetches. */
export function instrumentModelRequests(trigger: Trigger): void {
  const { fetch } = globalThis;
  let underWay: Passage | undefined;
  // Node's own fetch tells here that a request was written out. https://undici.nodejs.org/#/docs/api/DiagnosticsChannel
  subscribe("undici:request:bodySent", () => void underWay?.reach("during"));
  globalThis.fetch = async (input, init) => {
    const passage = trigger.begin(`model: ${init?.method ?? "GET"} ${new URL(urlOf(input)).pathname}`, "settles");
    await passage?.reach("before");
    underWay = passage;
    const response = await fetch(input, init);
    const body = await response.arrayBuffer();
    underWay = undefined;
    await passage?.reach("after");
    passage?.pass();
    return new Response(body, { status: response.status, headers: response.headers });
  };
}

function urlOf(input: string | URL | Request): string {
  return input instanceof Request ? input.url : String(input);
}
