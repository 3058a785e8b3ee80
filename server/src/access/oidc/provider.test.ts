import { importJWK, SignJWT, generateKeyPair, type JWTPayload } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createOidcProvider, type OidcProvider, type OidcProviderOptions } from "./provider.ts";
import { CLIENT_ID, CLIENT_SECRET, startTestProvider, type TestProvider } from "./testing/provider.ts";

const REDIRECT_URI = "http://127.0.0.1:4000/v1/sign-in/oidc/callback";

let real: TestProvider;
beforeAll(async () => {
  real = await startTestProvider(REDIRECT_URI);
});
afterAll(() => real.close());
beforeEach(() => {
  real.person.sub = "ada";
  real.person.claims = { email: "ada@acme.example", email_verified: true };
});

/** Changes the JSON of one of the provider's answers on its way. */
type Tamper = (
  url: string,
  body: Record<string, unknown>,
) => Record<string, unknown> | Promise<Record<string, unknown>>;

function open(tamper: Tamper = (_url, body) => body, options: Partial<OidcProviderOptions> = {}): OidcProvider {
  const fetchTampered = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const response = await fetch(input, init);
    const body = (await response.json()) as Record<string, unknown>;
    const url = input instanceof Request ? input.url : String(input);
    return Response.json(await tamper(url, body), { status: response.status });
  };
  return createOidcProvider(
    {
      issuer: real.issuer,
      clientId: CLIENT_ID,
      clientSecret: CLIENT_SECRET,
      scopes: "email",
      redirectUri: REDIRECT_URI,
      ...options,
    },
    { fetch: fetchTampered, clock: () => new Date() },
  );
}

async function signIn(provider: OidcProvider, changeAnswer: (answer: URLSearchParams) => void = () => {}) {
  const { url, sent } = await provider.sendAway();
  const answer = new URL(await real.visit(url)).searchParams;
  expect(answer.get("state")).toBe(sent.state);
  changeAnswer(answer);
  return await provider.receive(answer, sent);
}

/** Puts an ID token of one's own in place of the provider's, with its claims but for those that are changed. */
function forge(change: Record<string, unknown>, sign = signAsProvider): Tamper {
  return async (_url, body) => {
    if (typeof body["id_token"] !== "string") return body;
    const payload = JSON.parse(Buffer.from(body["id_token"].split(".")[1] ?? "", "base64url").toString()) as JWTPayload;
    return { ...body, id_token: await sign({ ...payload, ...change }) };
  };
}

async function signAsProvider(payload: JWTPayload): Promise<string> {
  const key = await importJWK(real.privateKey);
  return await new SignJWT(payload).setProtectedHeader({ alg: "ES256", kid: "the-key" }).sign(key);
}

async function signAsStranger(payload: JWTPayload): Promise<string> {
  const { privateKey } = await generateKeyPair("ES256");
  return await new SignJWT(payload).setProtectedHeader({ alg: "ES256", kid: "the-key" }).sign(privateKey);
}

/** The classic confusion of algorithms: a secret that others know, too. */
async function signWithSecret(payload: JWTPayload): Promise<string> {
  const secret = new TextEncoder().encode(CLIENT_SECRET.padEnd(64));
  return await new SignJWT(payload).setProtectedHeader({ alg: "HS256", kid: "the-key" }).sign(secret);
}

async function signNothing(payload: JWTPayload): Promise<string> {
  const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString("base64url");
  return `${encode({ alg: "none" })}.${encode(payload)}.`;
}

test("the provider's own answer is accepted, with its scopes and what its userinfo endpoint adds", async () => {
  const { url } = await open().sendAway();
  const parameters = new URL(url).searchParams;
  expect(parameters.get("scope")).toBe("openid email");
  expect(parameters.get("code_challenge_method")).toBe("S256");
  expect(await signIn(open())).toMatchObject({ sub: "ada", email: "ada@acme.example", email_verified: true });
  // As it is in the tests below, where something is wrong with it.
  expect(await signIn(open(forge({})))).toMatchObject({ sub: "ada" });
});

const past = Math.floor(Date.now() / 1000) - 3_600;

describe("an ID token is refused", () => {
  test.each<[string, Tamper]>([
    ["of another issuer", forge({ iss: "https://evil.example" })],
    ["for another client", forge({ aud: "somebody-else" })],
    ["for several clients, that was given to another", forge({ aud: [CLIENT_ID, "other"], azp: "other" })],
    ["for several clients, that does not say to whom it was given", forge({ aud: [CLIENT_ID, "other"] })],
    ["of another sign-in", forge({ nonce: "another" })],
    ["without a nonce", forge({ nonce: undefined })],
    ["without a subject", forge({ sub: undefined })],
    ["that has expired", forge({ iat: past, exp: past + 60 })],
    ["that never expires", forge({ exp: undefined })],
    ["signed with another key", forge({}, signAsStranger)],
    ["signed with a shared secret", forge({}, signWithSecret)],
    ["that is not signed", forge({}, signNothing)],
    ["that is none", (_url, body) => ("id_token" in body ? { ...body, id_token: "x.y" } : body)],
  ])("%s", async (_what, tamper) => {
    await expect(signIn(open(tamper))).rejects.toMatchObject({ name: "OidcError", reason: "refused" });
  });
});

test("an answer of another issuer, without its issuer, or without a code is refused", async () => {
  const changes: ((answer: URLSearchParams) => void)[] = [
    (answer) => answer.set("iss", "https://evil.example"),
    (answer) => answer.delete("iss"),
    (answer) => answer.delete("code"),
    (answer) => answer.set("code", "made-up"),
  ];
  for (const change of changes) {
    await expect(signIn(open(), change)).rejects.toMatchObject({ name: "OidcError", reason: "refused" });
  }
});

test("a code is of no use without the verifier of the browser that asked for it", async () => {
  const provider = open();
  const { url, sent } = await provider.sendAway();
  const answer = new URL(await real.visit(url)).searchParams;
  const stolen = provider.receive(answer, { ...sent, codeVerifier: "x".repeat(43) });
  await expect(stolen).rejects.toMatchObject({ reason: "refused" });
});

test("what a userinfo endpoint says of somebody else counts for nothing", async () => {
  const tamper: Tamper = (url, body) => (url.endsWith("/me") ? { ...body, sub: "eve", groups: ["admins"] } : body);
  await expect(signIn(open(tamper))).rejects.toMatchObject({ reason: "refused" });
});

test("a provider that calls itself otherwise, lacks something or is away is named", async () => {
  const otherwise: Tamper = (url, body) =>
    url.endsWith("openid-configuration") ? { ...body, issuer: "https://a.example" } : body;
  await expect(open(otherwise).sendAway()).rejects.toMatchObject({
    reason: "unavailable",
    message: `DOCENT_OIDC_ISSUER is ${real.issuer}, and the provider there calls itself https://a.example.`,
  });
  await expect(open(() => ({ issuer: real.issuer })).sendAway()).rejects.toThrow(/lacks one of authorization_endpoint/);
  const away = open(undefined, { issuer: "http://127.0.0.1:1" });
  await expect(away.sendAway()).rejects.toMatchObject({ reason: "unavailable" });
  const wrongSecret = open(undefined, { clientSecret: "wrong" });
  await expect(signIn(wrongSecret)).rejects.toMatchObject({
    reason: "unavailable",
    message: expect.stringContaining("401: invalid_client"),
  });
});
