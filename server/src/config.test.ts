import fc from "fast-check";
import { expect, test } from "vitest";
import type { Variable } from "./config/variable.ts";
import { VARIABLES } from "./config/variables.ts";
import { describeConfig, localUrl, parseConfig, type ConfigOverrides } from "./config.ts";
import { StartError } from "./start-error.ts";

const SECRET = "0123456789abcdef0123456789abcdef";

function refusal(env: Record<string, string>, overrides: ConfigOverrides = {}): string {
  try {
    parseConfig(env, overrides);
  } catch (error) {
    if (error instanceof StartError) return error.message;
    throw error;
  }
  return "";
}

test("an empty environment starts with the defaults", () => {
  const withoutDefault = Object.entries<Variable<unknown>>(VARIABLES).filter(
    ([, variable]) => variable.default === null,
  );
  expect(parseConfig({})).toMatchObject({
    ...Object.fromEntries(withoutDefault.map(([key]) => [key, null])),
    process: "serve",
    host: "127.0.0.1",
    port: 4000,
    data: ".docent",
    model: "docent:offline",
    modelStartSecondsMax: 300,
    modelPauseSecondsMax: 300,
    modelAnswerSecondsMax: 1200,
    traceContent: "0",
    githubUrl: "https://github.com",
    gitlabUrl: "https://gitlab.com",
    trustedProxies: [],
    jobsConcurrency: 100,
    jobsConcurrencyPerProject: 25,
    createsPerHour: 100,
    messagesPerHour: 100,
    jobStepsMax: 200,
    jobTokensMax: 5_000_000,
    jobMinutesMax: 60,
    logLevel: "info",
    webhooksPrivate: "refuse",
    passwordSignIn: "on",
    oidcName: "single sign-on",
    oidcScopes: "openid profile email",
    oidcGroupsClaim: "groups",
    modelKeysSeen: [],
    unknownVariables: [],
  });
});

test("an empty variable counts as absent, and white space around a value does not count", () => {
  expect(parseConfig({ DOCENT_PORT: "", DOCENT_HOST: " ::1 ", DATABASE_URL: "  " })).toMatchObject({
    port: 4000,
    host: "::1",
    databaseUrl: null,
  });
});

test("the proxies' names count in small letters, too, and in capital letters first", () => {
  expect(parseConfig({ https_proxy: "http://a:1", HTTPS_PROXY: " ", no_proxy: "x" })).toMatchObject({
    httpsProxy: "http://a:1",
    noProxy: "x",
  });
  expect(parseConfig({ http_proxy: "http://a:1", HTTP_PROXY: "http://b:2" })).toMatchObject({
    httpProxy: "http://b:2",
    httpsProxy: null,
  });
  const message = refusal({ https_proxy: "proxy.example:3128 hunter2" });
  expect(message).toContain("HTTPS_PROXY must be a URL that begins with http:// or https://");
  expect(message).not.toContain("hunter2");
});

test("where webhooks may go, and what Docent listens to", () => {
  expect(
    parseConfig({ DOCENT_WEBHOOKS_PRIVATE: "10.0.0.0/8, ::1", DOCENT_MENTIONS: "@docent, acme-docs" }),
  ).toMatchObject({
    webhooksPrivate: ["10.0.0.0/8", "::1"],
    mentions: ["docent", "acme-docs"],
  });
  expect(parseConfig({ DOCENT_WEBHOOKS_PRIVATE: "allow" })).toMatchObject({ webhooksPrivate: "allow" });
  const message = refusal({ DOCENT_WEBHOOKS_PRIVATE: "yes", DOCENT_MENTIONS: "a.b" });
  expect(message).toContain("DOCENT_WEBHOOKS_PRIVATE must be refuse, allow, or IP addresses or CIDR ranges");
  expect(message).toContain("DOCENT_MENTIONS must be names of letters");
});

test("everything that is wrong is told at once, by name", () => {
  const message = refusal({
    DOCENT_PORT: "70000",
    DOCENT_JOB_STEPS_MAX: "many",
    DOCENT_LOG_LEVEL: "loud",
    DOCENT_TRUSTED_PROXIES: "10.0.0.0/8, 10.0.0.0/33",
    DOCENT_PUBLIC_URL: "docs.example.com",
    DOCENT_MODEL: "gpt",
  });
  expect(message).toContain('DOCENT_PORT must be a whole number from 0 to 65535, not "70000".');
  expect(message).toContain("DOCENT_JOB_STEPS_MAX must be a whole number from 1");
  expect(message).toContain("DOCENT_LOG_LEVEL must be one of trace, debug,");
  expect(message).toContain('"10.0.0.0/33" is neither');
  expect(message).toContain("DOCENT_PUBLIC_URL must be an http:// or https:// URL");
  expect(message).toContain("DOCENT_MODEL must be docent:offline or provider:model");
});

test("a secret's value never appears in a message", () => {
  const message = refusal({ DOCENT_SECRET: "hunter2", DATABASE_URL: "mysql://root:hunter2@db/docent" });
  expect(message).toContain("DOCENT_SECRET must be at least 32 visible ASCII characters");
  expect(message).toContain("DATABASE_URL must be a URL that begins with postgres:// or postgresql://");
  expect(message).not.toContain("hunter2");
});

test("the command line wins over the environment and is named when it is wrong", () => {
  const env = { DOCENT_PORT: "1", DOCENT_DATA: "/elsewhere" };
  expect(parseConfig(env, { port: 8080, data: "here", host: undefined })).toMatchObject({ port: 8080, data: "here" });
  expect(refusal({}, { port: "http" })).toContain('--port must be a whole number from 0 to 65535, not "http".');
});

test.each([
  [{ process: "worker" }, {}, ["DATABASE_URL", "DOCENT_SECRET", "DOCENT_PUBLIC_URL"]],
  [{ process: "serve-no-worker" }, {}, ["DATABASE_URL", "DOCENT_SECRET"]],
  [{ process: "serve-no-worker" }, { DATABASE_URL: "postgres://db/docent" }, ["DOCENT_SECRET"]],
  [{}, { DOCENT_MODEL: "openai-compatible:qwen" }, ["DOCENT_MODEL_BASE_URL"]],
  [{}, { DOCENT_MODEL_FALLBACK: "openai-compatible:qwen" }, ["DOCENT_MODEL_BASE_URL"]],
  [{}, { DOCENT_MODEL: "bedrock:amazon.nova-pro-v1:0" }, ["AWS_REGION"]],
  [{}, { DOCENT_PASSWORD_SIGN_IN: "off" }, ["DOCENT_OIDC_ISSUER"]],
  [{}, { DOCENT_OIDC_ISSUER: "https://login.example.com/" }, ["DOCENT_OIDC_CLIENT_ID", "DOCENT_OIDC_ROLES"]],
  [{}, { DOCENT_OIDC_ROLES: "*=viewer" }, ["DOCENT_OIDC_ISSUER"]],
] as const)("a mix that cannot work is refused with what is missing: %j %j", (overrides, env, missing) => {
  const message = refusal(env, overrides);
  for (const name of missing) expect(message).toContain(name);
});

test("mixes that work are accepted", () => {
  const shared = { DATABASE_URL: "postgresql://docent@/docent?host=/run/postgresql", DOCENT_SECRET: SECRET };
  expect(parseConfig(shared, { process: "serve-no-worker" }).databaseUrl).toBe(shared.DATABASE_URL);
  expect(
    parseConfig({ ...shared, DOCENT_PUBLIC_URL: "https://docs.example.com/agent/" }, { process: "worker" }).publicUrl,
  ).toBe("https://docs.example.com/agent");
  expect(parseConfig({ DATABASE_URL: "postgres://db/docent" }).process).toBe("serve");
});

test("providers' keys and misspelt variables are noticed by name", () => {
  const config = parseConfig({ OPENAI_API_KEY: "sk-1", DOCENT_JOB_STEP_MAX: "3", DOCENT_URL: "http://localhost:4000" });
  expect(config.modelKeysSeen).toEqual(["OPENAI_API_KEY"]);
  expect(config.unknownVariables).toEqual(["DOCENT_JOB_STEP_MAX"]);
});

test("prices of models are read as they are documented, and refused by name", () => {
  const prices = { "openai-compatible:qwen": { input: 0.2, output: 0.8, cachedInput: 0.02, contextTokens: 131_072 } };
  expect(parseConfig({ DOCENT_MODEL_PRICES: JSON.stringify(prices) }).modelPrices).toEqual(prices);
  for (const wrong of ["3", "[]", "{", '{"a:b":{"input":1}}', '{"a:b":{"input":1,"output":-1}}', '{"a:b":3}']) {
    expect(refusal({ DOCENT_MODEL_PRICES: wrong })).toContain("DOCENT_MODEL_PRICES must be a JSON object");
  }
});

test("groups give roles, whatever characters their names have", () => {
  const oidc = { DOCENT_OIDC_ISSUER: "https://login.example.com/", DOCENT_OIDC_CLIENT_ID: "docent" };
  const read = (roles: string) => parseConfig({ ...oidc, DOCENT_OIDC_ROLES: roles });
  expect(read("docs-admins=owner, cn=docs,ou=groups = editor,*=viewer")).toMatchObject({
    // With its slash: an issuer is compared letter by letter.
    oidcIssuer: "https://login.example.com/",
    oidcRoles: [
      { group: "docs-admins", role: "owner" },
      { group: "cn=docs,ou=groups", role: "editor" },
      { group: "*", role: "viewer" },
    ],
  });
  for (const wrong of ["docs", "docs=admin", "=owner", "docs=owner,x"]) {
    expect(refusal({ ...oidc, DOCENT_OIDC_ROLES: wrong })).toContain("DOCENT_OIDC_ROLES must be group=role");
  }
});

test("whatever the environment holds, the answer is a configuration or a StartError", () => {
  const names = Object.values(VARIABLES).map((variable) => variable.name);
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...names), fc.string({ unit: "binary" })), (env) => {
      refusal(env);
    }),
  );
});

test("every default and example is one that is accepted", () => {
  for (const variable of Object.values<Variable<unknown>>(VARIABLES)) {
    if (variable.default !== null) expect(variable.parse(variable.default), variable.name).toHaveProperty("value");
    if (!variable.example.includes(" ") || variable.name === "DOCENT_TRUSTED_PROXIES") {
      const example = variable.example.replaceAll("…", "xxxx");
      expect(variable.parse(example), variable.name).toHaveProperty("value");
    }
  }
});

test("the documentation names every variable and every refused mix", () => {
  const documentation = describeConfig();
  for (const variable of Object.values(VARIABLES)) expect(documentation).toContain(`\`${variable.name}\``);
  expect(documentation).toContain("- `docent worker` needs DATABASE_URL");
});

test.each([
  ["127.0.0.1", "http://127.0.0.1:4000"],
  ["0.0.0.0", "http://127.0.0.1:4000"],
  ["::", "http://[::1]:4000"],
  ["fd00::1", "http://[fd00::1]:4000"],
  ["docs.internal", "http://docs.internal:4000"],
])("the local URL of %s", (host, url) => {
  expect(localUrl(host, 4000)).toBe(url);
});
