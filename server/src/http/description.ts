import { createAnalyticsRoutes } from "./analytics.ts";
import { createCollectRoutes } from "./collect.ts";
import { createHttpServer } from "./http.ts";
import { createImportRoutes } from "./imports.ts";
import { createPullRequestRoutes } from "./pull-requests.ts";
import { createVisitRoutes } from "./visits.ts";
import { createWebhookAdministrationRoutes } from "./webhook-deliveries.ts";
import { createIncomingWebhookRoutes } from "./webhooks-in.ts";

/** Stands for the parts that only handlers work with: nothing is served here and no handler runs. */
const unused = Object.create(null);

/** The OpenAPI description of the HTTP API, read off the routes. */
export async function describeApi(): Promise<object> {
  const app = await createHttpServer({
    jobs: unused,
    projects: unused,
    credentials: unused,
    keys: unused,
    people: unused,
    publicUrl: "http://docent.test",
    authorization: unused,
    limits: unused,
    createsPerHour: 0,
    messagesPerHour: 0,
    trustedProxies: [],
    clock: unused,
    log: unused,
    health: unused,
    plugins: [
      createPullRequestRoutes({ builtinHost: unused, projects: unused, authorize: unused }),
      createCollectRoutes({ collect: unused, settings: unused, authorization: unused }),
      createImportRoutes({ imports: unused, authorization: unused }),
      createAnalyticsRoutes({ reports: unused, describeAgent: unused, authorization: unused, clock: unused }),
      createVisitRoutes({ analytics: unused, salts: unused, projects: unused, authorization: unused, log: unused }),
      createIncomingWebhookRoutes({ webhooks: unused }),
      createWebhookAdministrationRoutes({
        deliveries: unused,
        secrets: unused,
        connectCodeHost: unused,
        authorization: unused,
      }),
    ],
  });
  await app.ready();
  const description = app.swagger();
  await app.close();
  return description;
}
