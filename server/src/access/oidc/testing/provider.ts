import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, type JWK } from "jose";
import { Provider } from "oidc-provider";
import { openPage, type TestPage } from "../../../testing/page.ts";

export interface TestProvider {
  issuer: string;
  /** The key that it signs with. */
  privateKey: JWK;
  /** Who signs in next, and what the provider says of them. */
  person: { sub: string; claims: Record<string, unknown> };
  /** A browser goes to a page of the provider and on from there, until it is sent to somewhere else. */
  visit(url: string, page?: TestPage): Promise<string>;
  close(): Promise<void>;
}

export const CLIENT_ID = "docent of the tests";
export const CLIENT_SECRET = "a secret: with % and + of the tests";

/** A real OpenID Connect provider, at which everybody signs in at once as `person`. */
export async function startTestProvider(redirectUri: string): Promise<TestProvider> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { privateKey: key } = await generateKeyPair("ES256", { extractable: true });
  const privateKey = { ...(await exportJWK(key)), kid: "the-key", alg: "ES256", use: "sig" };
  const person: TestProvider["person"] = { sub: "ada", claims: {} };

  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        redirect_uris: [redirectUri],
        id_token_signed_response_alg: "ES256",
      },
    ],
    jwks: { keys: [privateKey] },
    claims: { openid: ["sub"], profile: ["name"], email: ["email", "email_verified"], groups: ["groups"] },
    cookies: { keys: ["a key of the tests"] },
    ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ ...person.claims, sub }) }),
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({ clientId: CLIENT_ID, accountId: oidc.session?.accountId ?? "" });
      grant.addOIDCScope("openid profile email groups");
      await grant.save();
      return grant;
    },
  });
  const answer = provider.callback();
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    if (request.url?.startsWith("/interaction/") !== true) return void answer(request, response);
    void provider.interactionFinished(request, response, { login: { accountId: person.sub, remember: false } });
  });

  return {
    issuer,
    privateKey,
    person,
    async visit(url, page = openPage(issuer)) {
      let next = url;
      while (next.startsWith(issuer)) {
        const { headers, status, body } = await page.request("GET", next.slice(issuer.length));
        const location = headers.get("location");
        if (location === null) throw new Error(`${next} answered ${status}: ${String(body)}`);
        next = new URL(location, issuer).href;
      }
      return next;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
