import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { FastifyReply } from "fastify";
import { markup, type Html } from "./html.ts";

const STYLE = readFileSync(new URL("page.css", import.meta.url), "utf8");
// Built outside of the template, where a formatter could add white space that its hash would not have.
const STYLE_ELEMENT: Html = { markup: `<style>${STYLE}</style>` };
const STYLE_HASH = createHash("sha256").update(STYLE).digest("base64");

/** Nothing runs, nothing is loaded from elsewhere, nobody frames it. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${STYLE_HASH}'`,
  "img-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

const HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": CONTENT_SECURITY_POLICY,
  "x-content-type-options": "nosniff",
  // Not `no-referrer`: browsers would then hide the Origin of our own forms.
  "referrer-policy": "same-origin",
  "cache-control": "no-store",
  vary: "Cookie",
} as const;

/** Answers a whole page. */
export function sendPage(reply: FastifyReply, status: number, title: string, body: Html): FastifyReply {
  const page = markup`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <link rel="icon" href="data:," />
        ${STYLE_ELEMENT}
      </head>
      <body>
        ${body}
      </body>
    </html>`;
  return reply.code(status).headers(HEADERS).send(page.markup);
}

/** A page that says one thing. */
export function sendMessagePage(reply: FastifyReply, status: number, title: string, message: string): FastifyReply {
  const body = markup`<main class="wrap">
    <section class="card sign-in">
      <h1>${title}</h1>
      <p>${message}</p>
    </section>
  </main>`;
  return sendPage(reply, status, `${title} · Docent`, body);
}

/** Asks for an API key, to go on to `next`, a path of this project. */
export function sendSignInPage(
  reply: FastifyReply,
  { projectId, next, problem }: { projectId: string; next: string; problem?: string },
): FastifyReply {
  const body = markup`<main class="wrap">
    <section class="card sign-in">
      <h1>Sign in to read this</h1>
      <p class="muted">
        Pull requests are for the project's team. Enter an API key of the project; this browser stays signed in for 12
        hours. A key with the scope read shows pull requests, write also merges and closes them.
      </p>
      ${problem === undefined ? null : markup`<p class="notice card" role="alert">${problem}</p>`}
      <form method="post" action="/projects/${projectId}/sign-in">
        <input type="hidden" name="next" value="${next}" />
        <label for="key">API key</label>
        <input id="key" name="key" type="password" autocomplete="off" required autofocus placeholder="docent_…" />
        <button class="primary">Sign in</button>
      </form>
    </section>
  </main>`;
  return sendPage(reply, 401, "Sign in · Docent", body);
}
