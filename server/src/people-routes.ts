import type { FastifyPluginAsync } from "fastify";
import type { Kysely } from "kysely";
import { createAccounts } from "./access/accounts.ts";
import { listAuditLog } from "./access/audit-log.ts";
import type { Authorization } from "./access/authorization.ts";
import type { Invitations } from "./access/invitations.ts";
import type { Limits } from "./access/limits.ts";
import { createMembers } from "./access/members.ts";
import { createOidcSignIn } from "./access/oidc/oidc.ts";
import type { People } from "./access/people.ts";
import type { Secret } from "./access/secret.ts";
import { createSignInLimits } from "./access/sign-in-limits.ts";
import type { Config } from "./config.ts";
import type { Schema } from "./database/schema.ts";
import { createAccountRoutes } from "./http/account.ts";
import { createAuditLogRoutes } from "./http/audit-log.ts";
import { createInvitationLinkRoutes } from "./http/invitation-links.ts";
import { createInvitationRoutes } from "./http/invitations.ts";
import { createMemberRoutes } from "./http/members.ts";
import { createOidcRoutes, oidcRedirectUri } from "./http/oidc.ts";
import { createSessionRoutes } from "./http/session.ts";
import type { Log } from "./log.ts";
import type { Network } from "./network/network.ts";

type SignInConfig = Pick<
  Config,
  | "passwordSignIn"
  | "oidcIssuer"
  | "oidcClientId"
  | "oidcClientSecret"
  | "oidcName"
  | "oidcScopes"
  | "oidcGroupsClaim"
  | "oidcRoles"
>;

/** Who may sign in, and how they do. */
export function createPeopleRoutes(
  {
    database,
    people,
    invitations,
    authorization,
    limits,
    secret,
    network,
    publicUrl,
    clock,
    log,
  }: {
    database: Kysely<Schema>;
    people: People;
    invitations: Invitations;
    authorization: Authorization;
    limits: Limits;
    secret: Secret;
    network: Pick<Network, "fetch">;
    publicUrl: string;
    clock: () => Date;
    log: Log;
  },
  config: SignInConfig,
): FastifyPluginAsync[] {
  const provider = readProvider(config, publicUrl);
  const ways = { passwordSignIn: config.passwordSignIn === "on", oidcSignIn: provider?.name ?? null };
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
    ...(provider === null
      ? []
      : [
          createOidcRoutes({
            oidc: createOidcSignIn(provider, { database, fetch: network.fetch, clock, log }),
            people,
            limits,
            publicUrl,
          }),
        ]),
  ];
}

function readProvider(config: SignInConfig, publicUrl: string) {
  const { oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecret: clientSecret } = config;
  if (issuer === null || clientId === null) return null;
  return {
    issuer,
    clientId,
    clientSecret,
    scopes: config.oidcScopes,
    redirectUri: oidcRedirectUri(publicUrl),
    name: config.oidcName,
    groupsClaim: config.oidcGroupsClaim,
    roles: config.oidcRoles ?? [],
  };
}
