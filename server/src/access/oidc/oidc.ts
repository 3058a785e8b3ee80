import { createHash } from "node:crypto";
import type { Kysely } from "kysely";
import type { Schema } from "../../database/schema.ts";
import { createId } from "../../ids.ts";
import type { Log } from "../../log.ts";
import type { User } from "../users.ts";
import { admit, type AdmissionRefusal, type AdmissionRules } from "./admit.ts";
import { createOidcProvider, OidcError, type OidcProviderOptions, type SentAway } from "./provider.ts";

export type OidcRefusal = AdmissionRefusal | "unavailable" | "refused" | "expired";

type Finished = { user: User; next: string } | { refused: OidcRefusal };

/** Signing in at an OpenID Connect provider. */
export interface OidcSignIn {
  /** @returns where the browser is to go, and what it is to keep in a cookie. */
  begin(next: string): Promise<{ url: string; state: string } | { refused: OidcRefusal }>;
  /** @param state what the browser kept: somebody else's answer is of no use to it. */
  finish(answer: URLSearchParams, browser: { state: string | undefined; address: string }): Promise<Finished>;
}

export interface OidcSignInDependencies {
  database: Kysely<Schema>;
  fetch: typeof globalThis.fetch;
  clock: () => Date;
  log: Pick<Log, "warn">;
}

/** For how long somebody may be at the provider. */
export const SIGN_IN_SECONDS_MAX = 600;

/** Signs people in who come back from the provider, each answer once. */
export function createOidcSignIn(
  options: OidcProviderOptions & AdmissionRules,
  { database, fetch, clock, log }: OidcSignInDependencies,
): OidcSignIn {
  const provider = createOidcProvider(options, { fetch, clock });

  async function remember(sent: SentAway, next: string): Promise<void> {
    const now = clock();
    await database.deleteFrom("verifications").where("expires_at", "<", now).execute();
    await database
      .insertInto("verifications")
      .values({
        id: createId("ver", now),
        identifier: identifierOf(sent.state),
        value: JSON.stringify({ sent, next }),
        expires_at: new Date(now.getTime() + SIGN_IN_SECONDS_MAX * 1000),
        created_at: now,
        updated_at: now,
      })
      .execute();
  }

  /** Of two answers to the same sign-in the second finds nothing. */
  async function recall(state: string): Promise<{ sent: SentAway; next: string } | undefined> {
    const row = await database
      .deleteFrom("verifications")
      .where("identifier", "=", identifierOf(state))
      .returning(["value", "expires_at"])
      .executeTakeFirst();
    if (row === undefined || row.expires_at <= clock()) return undefined;
    return JSON.parse(row.value) as { sent: SentAway; next: string };
  }

  async function refusing<Answer>(work: () => Promise<Answer>): Promise<Answer | { refused: OidcRefusal }> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof OidcError)) throw error;
      log.warn({ err: error }, "somebody could not be signed in at the OIDC provider");
      return { refused: error.reason };
    }
  }

  return {
    begin: (next) =>
      refusing(async () => {
        const { url, sent } = await provider.sendAway();
        await remember(sent, next);
        return { url, state: sent.state };
      }),

    finish: (answer, { state, address }) =>
      refusing<Finished>(async () => {
        if (state === undefined || answer.get("state") !== state) return { refused: "expired" };
        const pending = await recall(state);
        if (pending === undefined) return { refused: "expired" };
        const claims = await provider.receive(answer, pending.sent);
        const admitted = await admit(database, options, { claims, address, now: clock() });
        return "refused" in admitted ? admitted : { user: admitted.user, next: pending.next };
      }),
  };
}

function identifierOf(state: string): string {
  return `oidc ${createHash("sha256").update(state).digest("base64url")}`;
}
