import type { FastifyInstance } from "fastify";
import { ApiError } from "../errors.ts";

/**
 * Watches the routes of an instance from here on. The function it returns, called after the last of them, makes each
 * path answer OPTIONS with its methods, and those it does not have with 405.
 */
export function answerOtherMethods(app: FastifyInstance): () => void {
  const methodsByPath = new Map<string, Set<string>>();
  let watching = true;

  app.addHook("onRoute", (route) => {
    if (!watching) return;
    const methods = methodsByPath.get(route.url) ?? new Set();
    for (const method of [route.method].flat()) methods.add(method);
    methodsByPath.set(route.url, methods);
  });

  return () => {
    watching = false;
    for (const [url, methods] of methodsByPath) {
      if (methods.has("OPTIONS")) continue;
      const allow = [...methods, "OPTIONS"].toSorted().join(", ");
      app.route({
        method: app.supportedMethods.filter((method) => !methods.has(method)),
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
