import type { FastifyPluginAsync } from "fastify";
import type { Kysely } from "kysely";
import type { Authorization } from "./access/authorization.ts";
import type { Limits } from "./access/limits.ts";
import type { CodeHosts } from "./codehost/codehosts.ts";
import type { Config } from "./config.ts";
import type { Notifications } from "./database/notifications.ts";
import type { Schema } from "./database/schema.ts";
import { createWebhookAdministrationRoutes } from "./http/webhook-deliveries.ts";
import { createIncomingWebhookRoutes } from "./http/webhooks-in.ts";
import type { Log } from "./log.ts";
import type { Network } from "./network/network.ts";
import type { ProjectCredentials } from "./projects/credentials.ts";
import { connectCodeHostWebhook } from "./webhooks/in/code-host-secret.ts";
import { createIncomingWebhooks } from "./webhooks/in/incoming.ts";
import { createDeliverer } from "./webhooks/out/deliverer.ts";
import { createDeliveries } from "./webhooks/out/deliveries.ts";
import { createReceiverRule } from "./webhooks/out/receiver.ts";
import { createSigningSecrets } from "./webhooks/out/signing-secrets.ts";

/** How often deliveries and receipts that are a month old are looked for. */
const FORGET_MS = 3_600_000;

interface WebhookParts {
  database: Kysely<Schema>;
  credentials: ProjectCredentials;
  clock: () => Date;
}

/** Starts to deliver what happens to jobs; every process may. */
export function startWebhooks(
  {
    database,
    credentials,
    clock,
    network,
    notifications,
  }: WebhookParts & {
    network: Network;
    notifications: Notifications;
  },
  config: Pick<Config, "webhooksPrivate">,
  { releases, log }: { releases: (() => Promise<void>)[]; log: Log },
): void {
  const deliverer = createDeliverer({
    database,
    notifications,
    secrets: createSigningSecrets({ database, credentials, clock }),
    request: network.checked(createReceiverRule(config.webhooksPrivate)),
    privateReceivers: config.webhooksPrivate,
    clock,
    log,
  });
  const deliveries = createDeliveries({ database, clock });
  const forget = setInterval(() => {
    deliveries.forget().catch((error: unknown) => log.warn({ err: error }, "old webhooks were not forgotten"));
  }, FORGET_MS);
  releases.push(async () => clearInterval(forget));
  releases.push(() => deliverer.stop());
  deliverer.start();
}

/** The routes of webhooks, those that come in and those that go out. */
export function createWebhookRoutes(
  parts: WebhookParts & { codeHosts: CodeHosts; limits: Limits; authorization: Authorization },
  { messagesPerHour, mentions, publicUrl }: Pick<Config, "messagesPerHour" | "mentions"> & { publicUrl: string },
): FastifyPluginAsync[] {
  const { database, credentials, clock, authorization } = parts;
  return [
    createIncomingWebhookRoutes({ webhooks: createIncomingWebhooks({ ...parts, messagesPerHour, handles: mentions }) }),
    createWebhookAdministrationRoutes({
      deliveries: createDeliveries({ database, clock }),
      secrets: createSigningSecrets({ database, credentials, clock }),
      connectCodeHost: (projectId, actor) =>
        connectCodeHostWebhook({ database, credentials, publicUrl }, projectId, actor),
      authorization,
    }),
  ];
}
