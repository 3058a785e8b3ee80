import { Type } from "typebox";
import { nullable, oneOf, reference, timestamp } from "./schema.ts";

const STATES = ["waiting", "delivered", "failed"] as const;

export const webhookDeliverySchema = Type.Object(
  {
    id: Type.String({ description: "The `webhook-id` that the receiver sees, the same at every attempt." }),
    jobId: Type.String(),
    type: oneOf(["job.active", "job.completed", "job.failed", "job.archived"]),
    state: oneOf(STATES, { description: "`failed`: given up." }),
    attempts: Type.Integer({ description: "One that is under way included." }),
    nextAttemptAt: nullable(timestamp("When it is tried next; null unless it waits.")),
    responseStatus: nullable(Type.Integer({ description: "Of the last attempt; null when no answer came." })),
    error: nullable(Type.String({ description: "What was wrong with the last attempt." })),
    createdAt: timestamp("When the status changed."),
    endedAt: nullable(timestamp("When it was delivered or given up; null while it waits.")),
    payload: Type.Unsafe<object>({
      type: "object",
      additionalProperties: true,
      description: "What is sent: `type`, `timestamp` and `data`, the job as it was.",
    }),
  },
  { $id: "WebhookDelivery", description: "A change of a job's status on its way to the project's `webhookUrl`." },
);

export const webhookDeliveryListSchema = Type.Object(
  {
    deliveries: Type.Array(reference(webhookDeliverySchema)),
    nextCursor: nullable(Type.String({ description: "The `cursor` of the next page; null on the last." })),
  },
  { $id: "WebhookDeliveryList" },
);

export const webhookDeliveryQuerySchema = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20, description: "Deliveries on a page." })),
  cursor: Type.Optional(Type.String({ format: "cursor", description: "`nextCursor` of the page before." })),
  state: Type.Optional(oneOf(STATES)),
});

export const webhookSecretSchema = Type.Object(
  {
    secret: Type.String({ description: "`whsec_…`, as Standard Webhooks' libraries take it. It is shown this once." }),
    previousUntil: nullable(
      timestamp("Until when deliveries are signed with the secret before, too; null when there was none."),
    ),
  },
  { $id: "WebhookSecret" },
);

export const codeHostWebhookSchema = Type.Object(
  {
    url: Type.String({ description: "Where the code host sends to." }),
    secret: Type.String({
      description:
        "GitHub, Gitea and Forgejo: the secret. GitLab: the signing token, or the secret token where there is none. It is shown this once.",
    }),
  },
  { $id: "CodeHostWebhook" },
);

export const webhookResultSchema = Type.Object(
  {
    outcomes: Type.Array(
      Type.Object({
        type: oneOf(["message", "pull-request", "ignored"], {
          description: "A message to the job, the state of its pull request, or nothing.",
        }),
        jobId: Type.Optional(Type.String()),
        reason: Type.Optional(Type.String({ description: "Why nothing followed." })),
      }),
    ),
  },
  { $id: "WebhookResult" },
);
