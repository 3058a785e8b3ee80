import { subscribe } from "node:diagnostics_channel";
import { Agent, type Dispatcher } from "undici";
import type { Passage, Trigger } from "./trigger.ts";

/** Makes every request to the model a point. It is the only thing that a worker sends by itself. */
export function instrumentModelRequests(trigger: Trigger): void {
  const { dispatch } = Agent.prototype;
  let underWay: Passage | undefined;
  // Told once a request was written out: https://undici.nodejs.org/#/docs/api/DiagnosticsChannel
  subscribe("undici:request:bodySent", () => void underWay?.reach("during"));
  Agent.prototype.dispatch = function dispatchPassing(options, handler) {
    const passage = trigger.begin(`model: ${options.method} ${options.path}`, "settles");
    if (passage === undefined) return dispatch.call(this, options, handler);
    const send = (): void => {
      underWay = passage;
      dispatch.call(this, options, passingAtTheEnd(passage, handler));
    };
    const waiting = passage.reach("before");
    if (waiting === undefined) send();
    else void waiting.then(send);
    return true;
  };

  function passingAtTheEnd(passage: Passage, handler: Dispatcher.DispatchHandler): Dispatcher.DispatchHandler {
    return {
      onRequestStart: (controller, context) => handler.onRequestStart?.(controller, context),
      onResponseStart: (controller, status, headers, message) =>
        handler.onResponseStart?.(controller, status, headers, message),
      onResponseData: (controller, chunk) => handler.onResponseData?.(controller, chunk),
      onResponseError: (controller, error) => handler.onResponseError?.(controller, error),
      onResponseEnd(controller, trailers) {
        underWay = undefined;
        const end = (): void => {
          passage.pass();
          handler.onResponseEnd?.(controller, trailers);
        };
        const waiting = passage.reach("after");
        if (waiting === undefined) end();
        else void waiting.then(end);
      },
    };
  }
}
