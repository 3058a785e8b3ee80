import { createHash, randomBytes } from "node:crypto";
import { createRemoteJWKSet, customFetch, errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from "jose";

/** What a provider says of somebody. */
export type Claims = JWTPayload & { sub: string };

export interface OidcProviderOptions {
  /** As the provider itself writes it. */
  issuer: string;
  clientId: string;
  /** Null for a public client. */
  clientSecret: string | null;
  scopes: string;
  redirectUri: string;
}

/** What was sent along with somebody, to be compared when they come back. */
export interface SentAway {
  state: string;
  nonce: string;
  codeVerifier: string;
}

export interface OidcProvider {
  /** Where the browser is to go. */
  sendAway(): Promise<{ url: string; sent: SentAway }>;
  /**
   * Who came back.
   * @param answer the query that the browser came back with, whose `state` has been compared.
   * @throws OidcError
   */
  receive(answer: URLSearchParams, sent: SentAway): Promise<Claims>;
}

/** `unavailable`: the provider did not answer as it should; trying again may help. `refused`: it, or its answer, is not accepted. */
export class OidcError extends Error {
  readonly reason: "unavailable" | "refused";
  constructor(reason: "unavailable" | "refused", message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "OidcError";
    this.reason = reason;
  }
}

/** The part of OpenID Connect Discovery 1.0 that we use. */
interface Metadata {
  issuer: string;
  authorization_endpoint: string;
  token_endpoint: string;
  jwks_uri: string;
  userinfo_endpoint?: string;
  token_endpoint_auth_methods_supported?: string[];
  authorization_response_iss_parameter_supported?: boolean;
}

const REQUEST_MS_MAX = 10_000;
const METADATA_MS_MAX = 3_600_000;
const CLOCK_SECONDS_MAX = 60;
/** Public keys alone: with `none` or a shared secret, others than the provider could sign. */
const ALGORITHMS = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
];

/**
 * The authorization code flow of OpenID Connect Core 1.0 with PKCE (RFC 7636), state, nonce and the issuer in the answer
 * (RFC 9207); signatures are checked by `jose`.
 * @param dependencies.fetch goes out through the proxy and with the authorities that the server is set up with.
 */
export function createOidcProvider(
  options: OidcProviderOptions,
  { fetch, clock }: { fetch: typeof globalThis.fetch; clock: () => Date },
): OidcProvider {
  const { issuer, clientId, clientSecret, scopes, redirectUri } = options;
  let known: { metadata: Metadata; keys: JWTVerifyGetKey; readAt: number } | undefined;

  async function request(what: string, url: string, init: RequestInit = {}): Promise<unknown> {
    try {
      const response = await fetch(url, { ...init, redirect: "error", signal: AbortSignal.timeout(REQUEST_MS_MAX) });
      const body: unknown = await response.json();
      if (response.ok) return body;
      const problem = isObject(body) && typeof body["error"] === "string" ? `: ${body["error"]}` : "";
      // A code that is wrong or used is the browser's fault; all else is a matter of how the two are set up.
      const reason = problem === ": invalid_grant" ? "refused" : "unavailable";
      throw new OidcError(reason, `The ${what} of ${issuer} answered ${response.status}${problem}.`);
    } catch (error) {
      if (error instanceof OidcError) throw error;
      throw new OidcError("unavailable", `The ${what} of ${issuer} did not answer as it should.`, { cause: error });
    }
  }

  async function discover(): Promise<{ metadata: Metadata; keys: JWTVerifyGetKey }> {
    const now = clock().getTime();
    if (known !== undefined && now - known.readAt < METADATA_MS_MAX) return known;
    const url = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
    const metadata = readMetadata(await request("configuration", url), issuer);
    const keys = createRemoteJWKSet(new URL(metadata.jwks_uri), {
      [customFetch]: fetch,
      timeoutDuration: REQUEST_MS_MAX,
    });
    known = { metadata, keys, readAt: now };
    return known;
  }

  /** RFC 6749, section 2.3.1: the header's parts are form-encoded first. */
  function authenticate(metadata: Metadata, body: URLSearchParams): Record<string, string> {
    const methods = metadata.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
    if (clientSecret === null || !methods.includes("client_secret_basic")) {
      body.set("client_id", clientId);
      if (clientSecret !== null) body.set("client_secret", clientSecret);
      return {};
    }
    const pair = [clientId, clientSecret].map((part) => new URLSearchParams({ part }).toString().slice("part=".length));
    return { authorization: `Basic ${Buffer.from(pair.join(":")).toString("base64")}` };
  }

  async function verify(idToken: string, keys: JWTVerifyGetKey, nonce: string): Promise<Claims> {
    const { payload } = await jwtVerify(idToken, keys, {
      issuer,
      audience: clientId,
      algorithms: ALGORITHMS,
      requiredClaims: ["sub", "exp", "iat"],
      clockTolerance: CLOCK_SECONDS_MAX,
      currentDate: clock(),
    }).catch((error: unknown) => {
      const isOurs = error instanceof errors.JOSEError && !(error instanceof errors.JWKSTimeout);
      throw new OidcError(isOurs ? "refused" : "unavailable", `The ID token of ${issuer} is not valid.`, {
        cause: error,
      });
    });
    const { sub, azp } = payload;
    const isForUs = azp === undefined ? !Array.isArray(payload.aud) || payload.aud.length === 1 : azp === clientId;
    if (sub === undefined || sub === "" || payload["nonce"] !== nonce || !isForUs) {
      throw new OidcError("refused", `The ID token of ${issuer} is for another sign-in.`);
    }
    return { ...payload, sub };
  }

  return {
    async sendAway() {
      const { metadata } = await discover();
      const sent = { state: random(), nonce: random(), codeVerifier: random() };
      const url = new URL(metadata.authorization_endpoint);
      const parameters = {
        response_type: "code",
        client_id: clientId,
        redirect_uri: redirectUri,
        scope: [...new Set(["openid", ...scopes.split(/\s+/).filter((scope) => scope !== "")])].join(" "),
        state: sent.state,
        nonce: sent.nonce,
        code_challenge: createHash("sha256").update(sent.codeVerifier).digest("base64url"),
        code_challenge_method: "S256",
      };
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
      return { url: url.href, sent };
    },

    async receive(answer, { nonce, codeVerifier }) {
      const { metadata, keys } = await discover();
      const answeredBy = answer.get("iss");
      const mustName = metadata.authorization_response_iss_parameter_supported === true;
      if (answeredBy === null ? mustName : answeredBy !== issuer) {
        throw new OidcError("refused", `The answer did not come from ${issuer}.`);
      }
      const code = answer.get("code");
      if (code === null) {
        throw new OidcError("refused", `${issuer} said ${answer.get("error") ?? "nothing that we know"}.`);
      }
      const body = new URLSearchParams({
        grant_type: "authorization_code",
        code,
        redirect_uri: redirectUri,
        code_verifier: codeVerifier,
      });
      const headers = { accept: "application/json", ...authenticate(metadata, body) };
      const tokens = await request("token endpoint", metadata.token_endpoint, { method: "POST", headers, body });
      if (!isObject(tokens) || typeof tokens["id_token"] !== "string") {
        throw new OidcError("unavailable", `The token endpoint of ${issuer} gave no ID token.`);
      }
      const claims = await verify(tokens["id_token"], keys, nonce);
      const { userinfo_endpoint: userinfo } = metadata;
      if (userinfo === undefined || typeof tokens["access_token"] !== "string") return claims;
      const authorization = `Bearer ${tokens["access_token"]}`;
      const more = await request("userinfo endpoint", userinfo, {
        headers: { accept: "application/json", authorization },
      });
      // OpenID Connect Core 1.0, section 5.3.2: without the same subject, nothing of it may be used.
      if (!isObject(more) || more["sub"] !== claims.sub) {
        throw new OidcError("refused", `The userinfo endpoint of ${issuer} spoke of somebody else.`);
      }
      return { ...more, ...claims };
    },
  };
}

function readMetadata(given: unknown, issuer: string): Metadata {
  const wanted = ["authorization_endpoint", "token_endpoint", "jwks_uri"];
  if (!isObject(given) || wanted.some((name) => !URL.canParse(String(given[name])))) {
    throw new OidcError("unavailable", `The configuration of ${issuer} lacks one of ${wanted.join(", ")}.`);
  }
  if (given["issuer"] !== issuer) {
    const other = String(given["issuer"]).slice(0, 200);
    throw new OidcError(
      "unavailable",
      `DOCENT_OIDC_ISSUER is ${issuer}, and the provider there calls itself ${other}.`,
    );
  }
  return given as unknown as Metadata;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function random(): string {
  return randomBytes(32).toString("base64url");
}
