import { createAccountRoutes } from "./account.ts";
import { createAnalyticsRoutes } from "./analytics.ts";
import { createAuditLogRoutes } from "./audit-log.ts";
import { createCollectRoutes } from "./collect.ts";
import { createHttpServer } from "./http.ts";
import { createImportRoutes } from "./imports.ts";
import { createInvitationLinkRoutes } from "./invitation-links.ts";
import { createInvitationRoutes } from "./invitations.ts";
import { createMemberRoutes } from "./members.ts";
import { createOidcRoutes } from "./oidc.ts";
import { createPullRequestRoutes } from "./pull-requests.ts";
import { createSessionRoutes } from "./session.ts";
import { createVisitRoutes } from "./visits.ts";
import { createWebhookAdministrationRoutes } from "./webhook-deliveries.ts";
import { createIncomingWebhookRoutes } from "./webhooks-in.ts";

/** Stands for the parts that only handlers work with: nothing is served here and no handler runs. */
const unused = Object.create(null);
const PUBLIC_URL = "http://docent.test";

/** The OpenAPI description of the HTTP API, read off the routes. */
export async function describeApi(): Promise<object> {
  const app = await createHttpServer({
    jobs: unused,
    projects: unused,
    credentials: unused,
    keys: unused,
    authorization: unused,
    limits: unused,
    createsPerHour: 0,
    messagesPerHour: 0,
    trustedProxies: [],
    clock: unused,
    log: unused,
    health: unused,
    plugins: [
      createSessionRoutes({ people: unused, signInLimits: unused, ways: unused, publicUrl: PUBLIC_URL }),
      createInvitationLinkRoutes({
        invitations: unused,
        people: unused,
        limits: unused,
        ways: unused,
        publicUrl: PUBLIC_URL,
      }),
      createInvitationRoutes({ invitations: unused, authorization: unused, passwordSignIn: true }),
      createMemberRoutes({ members: unused, authorization: unused }),
      createAccountRoutes({ accounts: unused, people: unused, limits: unused, authorization: unused }),
      createOidcRoutes({ oidc: unused, people: unused, limits: unused, publicUrl: PUBLIC_URL }),
      createAuditLogRoutes({ listAuditLog: unused, authorization: unused }),
      createPullRequestRoutes({
        builtinHost: unused,
        projects: unused,
        jobs: unused,
        comments: unused,
        limits: unused,
        messagesPerHour: 0,
        authorize: unused,
        callerOf: unused,
      }),
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
