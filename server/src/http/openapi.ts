import { readFileSync } from "node:fs";
import fastifySwagger from "@fastify/swagger";
import fastifySwaggerUi from "@fastify/swagger-ui";
import type { FastifyInstance } from "fastify";
import { accountSchema, openSessionListSchema, openSessionSchema } from "./account.ts";
import {
  agentsReportSchema,
  botsReportSchema,
  countsSchema,
  notFoundReportSchema,
  pathCountsSchema,
  timeseriesReportSchema,
  viewsReportSchema,
  visitorsReportSchema,
} from "./analytics-schema.ts";
import { changedFileSchema, fileContentsSchema } from "./changed-file-schema.ts";
import { auditEntrySchema, auditLogSchema } from "./audit-log.ts";
import { collectEventSchema, collectResultSchema } from "./collect-schema.ts";
import { errorSchema } from "./error-answers.ts";
import { logChunkResultSchema, logImportListSchema, logImportSchema } from "./import-schema.ts";
import { jobChangesSchema } from "./job-changes.ts";
import {
  invitationListSchema,
  invitationSchema,
  newInvitationSchema,
  offeredInvitationSchema,
} from "./invitation-schema.ts";
import { jobEventSchema, jobListSchema, jobSchema } from "./job-schema.ts";
import { apiKeyListSchema, apiKeySchema, newApiKeySchema } from "./keys.ts";
import { memberListSchema, memberSchema } from "./members.ts";
import { sessionSchema, userSchema } from "./people-schema.ts";
import { progressEventSchema } from "./progress-stream.ts";
import {
  commentAnswerSchema,
  commentSchema,
  listedPullRequestSchema,
  pullRequestListSchema,
  pullRequestSchema,
} from "./pull-request-schema.ts";
import { credentialListSchema, signingKeySchema } from "./project-credentials.ts";
import { projectListSchema, projectSchema } from "./project-schema.ts";
import { projectSettingsSchema } from "./project-settings-schema.ts";
import {
  codeHostWebhookSchema,
  webhookDeliveryListSchema,
  webhookDeliverySchema,
  webhookResultSchema,
  webhookSecretSchema,
} from "./webhook-schema.ts";

const SCHEMAS = [
  errorSchema,
  jobSchema,
  jobListSchema,
  jobEventSchema,
  changedFileSchema,
  fileContentsSchema,
  jobChangesSchema,
  projectSettingsSchema,
  projectSchema,
  projectListSchema,
  credentialListSchema,
  signingKeySchema,
  apiKeySchema,
  newApiKeySchema,
  apiKeyListSchema,
  commentSchema,
  commentAnswerSchema,
  listedPullRequestSchema,
  pullRequestListSchema,
  pullRequestSchema,
  countsSchema,
  pathCountsSchema,
  visitorsReportSchema,
  viewsReportSchema,
  agentsReportSchema,
  botsReportSchema,
  timeseriesReportSchema,
  notFoundReportSchema,
  progressEventSchema,
  logImportSchema,
  logImportListSchema,
  logChunkResultSchema,
  collectEventSchema,
  collectResultSchema,
  webhookDeliverySchema,
  webhookDeliveryListSchema,
  webhookSecretSchema,
  codeHostWebhookSchema,
  webhookResultSchema,
  userSchema,
  sessionSchema,
  invitationSchema,
  newInvitationSchema,
  invitationListSchema,
  offeredInvitationSchema,
  memberSchema,
  memberListSchema,
  accountSchema,
  openSessionSchema,
  openSessionListSchema,
  auditEntrySchema,
  auditLogSchema,
];

/** Names the API's schemas, and from here on collects its routes into `app.swagger()`. */
export async function collectOpenApi(app: FastifyInstance): Promise<void> {
  for (const schema of SCHEMAS) app.addSchema(schema);
  await app.register(fastifySwagger, {
    // Pages and git are no part of the described API.
    hideUntagged: true,
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Docent",
        version: "1",
        description: readFileSync(new URL("openapi.md", import.meta.url), "utf8"),
        license: { name: "Apache-2.0", identifier: "Apache-2.0" },
      },
      servers: [{ url: "/" }],
      tags: [
        { name: "Jobs", description: "From an instruction to a pull request." },
        { name: "Analytics", description: "Who reads the documentation, human and AI." },
        { name: "Projects", description: "What jobs work on." },
        { name: "API keys", description: "What callers of a project's API send." },
        { name: "Pull requests", description: "What jobs made, on the built-in code host." },
        { name: "Webhooks", description: "What projects tell others of their jobs, and what code hosts tell Docent." },
        { name: "People", description: "Who may use the dashboard." },
        { name: "Service" },
      ],
      components: {
        securitySchemes: {
          apiKey: { type: "http", scheme: "bearer", description: "An API key of the project: `docent_…`" },
          adminToken: {
            type: "http",
            scheme: "bearer",
            description: "The text of `admin.token` in the data directory.",
          },
          session: {
            type: "apiKey",
            in: "cookie",
            name: "docent.session_token",
            description:
              "The dashboard's session, of a person whose role allows it. `__Secure-docent.session_token` over HTTPS.",
          },
        },
      },
    },
    refResolver: {
      buildLocalReference: ({ $id }, _base, _fragment, index) => (typeof $id === "string" ? $id : `def-${index}`),
    },
  });
}

/**
 * Serves the description at `/openapi.json` and a page to read and try it at `/reference`, whose assets all come from
 * here. Its policy keeps the browser from loading anything from elsewhere; inline styles are what Swagger UI sets on its own elements.
 */
export async function serveReference(app: FastifyInstance): Promise<void> {
  let description: string | undefined;
  app.get(
    "/openapi.json",
    {
      schema: {
        operationId: "getOpenApi",
        tags: ["Service"],
        summary: "This description",
        response: { 200: { type: "object", additionalProperties: true, description: "OpenAPI 3.1." } },
      },
    },
    async (_request, reply) => {
      description ??= JSON.stringify(app.swagger());
      return reply.type("application/json; charset=utf-8").serializer(String).send(description);
    },
  );
  await app.register(fastifySwaggerUi, {
    routePrefix: "/reference",
    staticCSP: {
      "default-src": "'none'",
      "connect-src": "'self'",
      "img-src": "'self' data:",
      "script-src": "'self'",
      "style-src": "'self' 'unsafe-inline'",
      "font-src": "'self'",
      "base-uri": "'none'",
      "form-action": "'none'",
      "frame-ancestors": "'none'",
    },
    theme: { title: "Docent API" },
    uiConfig: { deepLinking: true, docExpansion: "list", layout: "BaseLayout", persistAuthorization: false },
  });
}
