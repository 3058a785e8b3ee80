import type { FastifyInstance } from "fastify";
import { ApiError } from "../errors.ts";

/**
 * Watches the routes of an instance from here on. The function it returns, called after the last of them, makes each
 * path answer OPTIONS with its methods, and those it does not have with 405.
 */
export function answerOtherMethods(app: FastifyInstance): () => void {
  const paths = new Set<string>();
  app.addHook("onRoute", (route) => {
    paths.add(route.url);
  });

  return () => {
    for (const url of paths) {
      const missing = app.supportedMethods.filter((method) => !app.hasRoute({ method, url }));
      if (missing.length === 0) continue;
      const present = app.supportedMethods.filter((method) => !missing.includes(method));
      const allow = [...new Set([...present, "OPTIONS"])].toSorted().join(", ");
      app.route({
        method: missing,
        url,
        exposeHeadRoute: false,
        schema: { hide: true },
        // Before the body is read, which is of no interest here.
        onRequest: async (request, reply) => {
          if (request.method !== "OPTIONS") throw new ApiError("method_not_allowed", { headers: { allow } });
          return reply.code(204).header("allow", allow).send();
        },
        handler: async () => undefined,
      });
    }
  };
}
