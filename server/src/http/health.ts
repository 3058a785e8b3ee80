import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { Type } from "typebox";
import { oneOf } from "./schema.ts";
import { errorResponses } from "./error-answers.ts";

/** `/healthz` says that the process runs; `/readyz` that it can serve, and fails while `health` throws. */
export function createHealthRoutes(health: () => Promise<void>): FastifyPluginAsyncTypebox {
  return async (app) => {
    const okSchema = Type.Object({ status: oneOf(["ok"]) }, { description: "Yes." });

    app.get(
      "/healthz",
      { schema: { operationId: "isAlive", tags: ["Service"], summary: "Is it running?", response: { 200: okSchema } } },
      async () => ({ status: "ok" as const }),
    );

    app.get(
      "/readyz",
      {
        schema: {
          operationId: "isReady",
          tags: ["Service"],
          summary: "Can it serve?",
          response: { 200: okSchema, ...errorResponses(503) },
        },
      },
      async () => {
        await health();
        return { status: "ok" as const };
      },
    );
  };
}
