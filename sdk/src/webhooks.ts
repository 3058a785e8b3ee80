import type {
  CodeHostWebhook,
  ListWebhookDeliveriesQuery,
  WebhookDelivery,
  WebhookDeliveryList,
  WebhookSecret,
} from "./generated.ts";
import { path, type Requester, type RequestOptions } from "./request.ts";

/** What a project tells others of its jobs, and how its code host tells the service. */
export interface Webhooks {
  /** Newest first. */
  deliveries(
    projectId: string,
    page?: ListWebhookDeliveriesQuery,
    options?: RequestOptions,
  ): Promise<WebhookDeliveryList>;
  /** Sends a delivery once more, with the same id. */
  redeliver(projectId: string, deliveryId: string, options?: RequestOptions): Promise<WebhookDelivery>;
  /** Makes the secret that deliveries are signed with; the one before also signs for another day. Shown this once. */
  rotateSecret(projectId: string, options?: RequestOptions): Promise<WebhookSecret>;
  /** Makes the secret that the code host signs with, in place of the one before. Shown this once. */
  connectCodeHost(projectId: string, options?: RequestOptions): Promise<CodeHostWebhook>;
}

const admin = (options?: RequestOptions) => ({ credential: "admin" as const, signal: options?.signal });

export function createWebhooks(requester: Requester): Webhooks {
  return {
    deliveries: (projectId, page = {}, options) =>
      requester.json("GET", path`/v1/projects/${projectId}/webhook-deliveries`, {
        ...admin(options),
        query: { ...page },
      }),
    redeliver: (projectId, deliveryId, options) =>
      requester.json(
        "POST",
        path`/v1/projects/${projectId}/webhook-deliveries/${deliveryId}/redeliver`,
        admin(options),
      ),
    rotateSecret: (projectId, options) =>
      requester.json("POST", path`/v1/projects/${projectId}/webhook-secret`, admin(options)),
    connectCodeHost: (projectId, options) =>
      requester.json("POST", path`/v1/projects/${projectId}/code-host-webhook`, admin(options)),
  };
}
