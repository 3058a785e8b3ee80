import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { FastifyPluginAsync } from "fastify";
import { ignoreBody } from "./body.ts";

/** Long enough that most pages of a visit share one request; short enough that a new version is everywhere after a day. */
const FRESH_SECONDS = 24 * 3600;
/** For so long an older copy runs while a new one is fetched. */
const STALE_SECONDS = 7 * 24 * 3600;

/** Serves the browser script at `/tracker.js`, to the pages of any site. */
export const serveTracker: FastifyPluginAsync = async (app) => {
  ignoreBody(app);
  const script = readFileSync(fileURLToPath(import.meta.resolve("@docent/tracker/tracker.js")));
  const headers = {
    "content-type": "text/javascript; charset=utf-8",
    "cache-control": `public, max-age=${FRESH_SECONDS}, stale-while-revalidate=${STALE_SECONDS}`,
    etag: `"${createHash("sha256").update(script).digest("base64url")}"`,
    // Sites that isolate themselves load nothing from elsewhere that does not allow it, nor scripts with a checksum.
    "cross-origin-resource-policy": "cross-origin",
    "access-control-allow-origin": "*",
    "x-content-type-options": "nosniff",
  };

  app.get("/tracker.js", async (request, reply) => {
    reply.headers(headers);
    if (matches(request.headers["if-none-match"], headers.etag)) return reply.code(304).send();
    return reply.send(script);
  });
};

/** RFC 9110, section 13.1.2: a list of entity tags, compared weakly, or `*`. */
function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = ifNoneMatch?.split(",").map((tag) => tag.trim().replace(/^W\//, "")) ?? [];
  return tags.includes(etag) || tags.includes("*");
}
