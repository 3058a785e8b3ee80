import type { FastifyPluginAsync } from "fastify";
import type { Kysely } from "kysely";
import { createAccounts } from "./access/accounts.ts";
import { listAuditLog } from "./access/audit-log.ts";
import type { Authorization } from "./access/authorization.ts";
import type { Invitations } from "./access/invitations.ts";
import type { Limits } from "./access/limits.ts";
import { createMembers } from "./access/members.ts";
import type { People } from "./access/people.ts";
import type { Secret } from "./access/secret.ts";
import { createSignInLimits } from "./access/sign-in-limits.ts";
import type { Schema } from "./database/schema.ts";
import { createAccountRoutes } from "./http/account.ts";
import { createAuditLogRoutes } from "./http/audit-log.ts";
import { createInvitationLinkRoutes } from "./http/invitation-links.ts";
import { createInvitationRoutes } from "./http/invitations.ts";
import { createMemberRoutes } from "./http/members.ts";
import type { SignInWays } from "./http/people-schema.ts";
import { createSessionRoutes } from "./http/session.ts";

/** Who may sign in, and how they do. */
export function createPeopleRoutes({
  database,
  people,
  invitations,
  authorization,
  limits,
  secret,
  ways,
  publicUrl,
  clock,
}: {
  database: Kysely<Schema>;
  people: People;
  invitations: Invitations;
  authorization: Authorization;
  limits: Limits;
  secret: Secret;
  ways: SignInWays;
  publicUrl: string;
  clock: () => Date;
}): FastifyPluginAsync[] {
  const signInLimits = createSignInLimits({ limits, secret, clock });
  const members = createMembers({ database, clock });
  const accounts = createAccounts({ database, clock });
  return [
    createSessionRoutes({ people, signInLimits, ways, publicUrl }),
    createInvitationLinkRoutes({ invitations, people, limits, ways, publicUrl }),
    createInvitationRoutes({ invitations, authorization, passwordSignIn: ways.passwordSignIn }),
    createMemberRoutes({ members, authorization }),
    createAccountRoutes({ accounts, people, limits, authorization }),
    createAuditLogRoutes({ listAuditLog: (query) => listAuditLog(database, query), authorization }),
  ];
}
