import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyPluginAsync, FastifyReply } from "fastify";

/** The dashboard's own addresses; it decides by itself what to show at each. */
const PAGES = ["/", "/sign-in", "/invitation", "/account", "/members", "/audit-log", "/projects", "/projects/*"];
/** In `index.html`, where the nonce of each answer goes. */
const NONCE = "__NONCE__";
const FRESH_MS = 365 * 24 * 3_600_000;

/** Nothing but our own scripts runs, and nothing is loaded from elsewhere. */
function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/**
 * Serves the built dashboard: its page at each of its addresses, and its files under `/assets/`, whose names change with
 * their content.
 * @param directory what `npm run build` wrote; pages say what to do when it is not there.
 */
export function createDashboardRoutes(directory: string): FastifyPluginAsync {
  return async (app) => {
    const index = join(directory, "index.html");
    const hidden = { schema: { hide: true } };
    if (!existsSync(index)) {
      for (const page of PAGES) {
        app.get(page, hidden, (_request, reply) =>
          reply
            .code(503)
            .type("text/plain; charset=utf-8")
            .send("The dashboard has not been built. Run npm run build, and start the service again.\n"),
        );
      }
      return;
    }
    const html = readFileSync(index, "utf8");

    const sendPage = (reply: FastifyReply): FastifyReply => {
      const nonce = randomBytes(16).toString("base64");
      return reply
        .headers({
          "content-type": "text/html; charset=utf-8",
          "content-security-policy": contentSecurityPolicy(nonce),
          "x-content-type-options": "nosniff",
          "referrer-policy": "same-origin",
          "cross-origin-opener-policy": "same-origin",
          "permissions-policy": "camera=(), geolocation=(), microphone=()",
          "cache-control": "no-store",
        })
        .send(html.replaceAll(NONCE, nonce));
    };
    for (const page of PAGES) app.get(page, hidden, (_request, reply) => sendPage(reply));

    await app.register(fastifyStatic, {
      root: join(directory, "assets"),
      prefix: "/assets/",
      preCompressed: true,
      immutable: true,
      maxAge: FRESH_MS,
      index: false,
      wildcard: false,
      schemaHide: true,
      setHeaders: (reply) => void reply.header("x-content-type-options", "nosniff"),
    });
  };
}
