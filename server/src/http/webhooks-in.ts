import type { FastifyPluginAsyncTypebox, TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import { Type } from "typebox";
import { ApiError } from "../errors.ts";
import type { IncomingWebhooks } from "../webhooks/in/incoming.ts";
import { errorResponses } from "./error-answers.ts";
import { projectParametersSchema } from "./job-schema.ts";
import { applyLimit } from "./rate-limit.ts";
import { oneOf, reference } from "./schema.ts";
import { webhookResultSchema } from "./webhook-schema.ts";

/** GitHub sends no more: https://docs.github.com/en/webhooks/webhook-events-and-payloads#payload-cap */
const WEBHOOK_BYTES_MAX = 25 * 1024 * 1024;
const RETRY_SECONDS_DEFAULT = 60;
const HOSTS = ["github", "gitlab", "gitea"] as const;

/** What code hosts tell. The signature is the key; whatever is wrong with it, the answer is the same 401. */
export function createIncomingWebhookRoutes({ webhooks }: { webhooks: IncomingWebhooks }): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.removeAllContentTypeParsers();
    // Signatures are over the bytes; nothing is parsed before they hold.
    app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
    app.withTypeProvider<TypeBoxTypeProvider>().post(
      "/v1/webhooks/:projectId/:host",
      {
        bodyLimit: WEBHOOK_BYTES_MAX,
        schema: {
          operationId: "receiveWebhook",
          tags: ["Webhooks"],
          summary: "Receive a code host's webhook",
          description:
            "For the code host, which signs with the project's secret instead of sending a key: `X-Hub-Signature-256` (GitHub), `webhook-signature` or `X-Gitlab-Token` (GitLab), `X-Gitea-Signature` or `X-Forgejo-Signature`. What was acted on before is ignored.",
          security: [],
          params: Type.Object({
            ...projectParametersSchema.properties,
            host: oneOf(HOSTS, { description: "`gitea` also stands for Forgejo." }),
          }),
          response: {
            200: reference(webhookResultSchema, "What followed from it."),
            ...errorResponses(401, 413, 429, 503),
          },
        },
        // Before the body is read, which can be large.
        onRequest: async (request) => {
          const { projectId, host } = request.params;
          const isId = /^[a-z]{1,10}_[0-9A-Za-z]{1,64}$/.test(projectId);
          // The schema is held against the path only later.
          const isHost = (HOSTS as readonly string[]).includes(host);
          if (!isId || !isHost || !(await webhooks.expects(projectId, host))) throw unauthorized();
        },
      },
      async (request, reply) => {
        const { projectId, host } = request.params;
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        const answer = await webhooks.receive(projectId, host, { headers: singleHeaders(request.headers), body });
        if ("outcomes" in answer) return { outcomes: answer.outcomes };
        switch (answer.refused) {
          case "unauthorized":
            throw unauthorized();
          case "rate_limited":
            applyLimit(reply, answer.limit);
            throw new ApiError("rate_limited");
          case "unavailable": {
            const seconds = Math.ceil((answer.retryAfterMs ?? RETRY_SECONDS_DEFAULT * 1000) / 1000);
            throw new ApiError("unavailable", {
              message: `The code host could not be asked who the author is: ${answer.message}`,
              headers: { "retry-after": String(seconds) },
            });
          }
        }
      },
    );
  };
}

/** Says nothing of what is wrong: a wrong signature, no secret, no such project. */
function unauthorized(): ApiError {
  return new ApiError("unauthorized", { message: "The signature is missing or wrong." });
}

function singleHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : value]),
  );
}
