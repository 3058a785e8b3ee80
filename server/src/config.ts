import { MODEL_KEY_VARIABLES } from "./config/model-variables.ts";
import type { Variable } from "./config/variable.ts";
import { COMMAND_LINE_VARIABLES, VARIABLES } from "./config/variables.ts";
import { StartError } from "./start-error.ts";

export type ProcessKind = "serve" | "serve-no-worker" | "worker";

type Key = keyof typeof VARIABLES;
type ValueOf<V> = V extends Variable<infer T> ? (V extends { default: null } ? T | null : T) : never;

/** The variables' values; what each means is in config/variables.ts. Holds secrets: not for a log. */
export type Config = { [K in Key]: ValueOf<(typeof VARIABLES)[K]> } & {
  process: ProcessKind;
  /** The names of model providers' keys that are set, for the start banner. */
  modelKeysSeen: string[];
  /** `DOCENT_…` variables that nothing reads: misspelt, perhaps. */
  unknownVariables: string[];
};

export interface ConfigOverrides {
  /** Default "serve". */
  process?: ProcessKind;
  /** From the command line; each wins over its variable. */
  host?: string | undefined;
  port?: string | number | undefined;
  data?: string | undefined;
}

interface Rule {
  /** The sentence that refuses and documents it. */
  because: string;
  isBroken(config: Config): boolean;
}

/** Mixes that cannot work. */
const RULES: readonly Rule[] = [
  {
    because:
      "`docent worker` needs DATABASE_URL: the embedded database is for the one machine of `docent serve`, which works on jobs itself.",
    isBroken: (config) => config.process === "worker" && config.databaseUrl === null,
  },
  {
    because:
      "`docent serve --no-worker` needs DATABASE_URL: workers are other processes, and they share the jobs through it.",
    isBroken: (config) => config.process === "serve-no-worker" && config.databaseUrl === null,
  },
  {
    because:
      "`docent worker` and `docent serve --no-worker` need DOCENT_SECRET, the same for all: what one encrypts or signs, the other reads.",
    isBroken: (config) => config.process !== "serve" && config.secret === null,
  },
  {
    because:
      "`docent worker` needs DOCENT_PUBLIC_URL: it reaches the built-in code host there, and its pull request links begin with it.",
    isBroken: (config) => config.process === "worker" && config.publicUrl === null,
  },
  {
    because: "A model of `openai-compatible:` needs DOCENT_MODEL_BASE_URL.",
    isBroken: (config) =>
      [config.model, config.modelFallback ?? ""].some((model) => model.startsWith("openai-compatible:")) &&
      config.modelBaseUrl === null,
  },
  {
    because: "A model of `bedrock:` needs AWS_REGION.",
    isBroken: (config) =>
      [config.model, config.modelFallback ?? ""].some((model) => model.startsWith("bedrock:")) &&
      config.awsRegion === null,
  },
  {
    because: "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY go together.",
    isBroken: (config) =>
      [config.model, config.modelFallback ?? ""].some((model) => model.startsWith("bedrock:")) &&
      (config.awsAccessKeyId === null) !== (config.awsSecretAccessKey === null),
  },
  {
    because: "DOCENT_GITHUB_APP_ID and DOCENT_GITHUB_APP_PRIVATE_KEY go together.",
    isBroken: (config) => (config.githubAppId === null) !== (config.githubAppPrivateKey === null),
  },
  {
    because: "DOCENT_GITHUB_TOKEN and DOCENT_GITHUB_APP_ID are two ways to the same GitHub: give one.",
    isBroken: (config) => config.githubToken !== null && config.githubAppId !== null,
  },
  {
    because: "DOCENT_GITEA_TOKEN needs DOCENT_GITEA_URL: a token is only ever sent to the address it is for.",
    isBroken: (config) => config.giteaToken !== null && config.giteaUrl === null,
  },
  {
    because:
      "DOCENT_OIDC_ISSUER needs DOCENT_OIDC_CLIENT_ID and DOCENT_OIDC_ROLES: without roles nobody could come in.",
    isBroken: (config) =>
      config.oidcIssuer !== null && (config.oidcClientId === null || (config.oidcRoles ?? []).length === 0),
  },
  {
    because: "DOCENT_OIDC_CLIENT_ID, DOCENT_OIDC_CLIENT_SECRET and DOCENT_OIDC_ROLES need DOCENT_OIDC_ISSUER.",
    isBroken: (config) =>
      config.oidcIssuer === null && (config.oidcClientId ?? config.oidcClientSecret ?? config.oidcRoles) !== null,
  },
  {
    because: "DOCENT_PASSWORD_SIGN_IN=off needs DOCENT_OIDC_ISSUER: people must be able to sign in somehow.",
    isBroken: (config) => config.passwordSignIn === "off" && config.oidcIssuer === null,
  },
  {
    because: "CLICKHOUSE_CLUSTER needs CLICKHOUSE_URL: the cluster is one of that server's.",
    isBroken: (config) => config.clickhouseCluster !== null && config.clickhouseUrl === null,
  },
];

/**
 * Reads the configuration from environment variables, of which an empty one counts as absent.
 * @throws StartError that lists everything that is wrong, naming each variable and what it must be, and no secret's value.
 */
export function parseConfig(
  env: Readonly<Record<string, string | undefined>>,
  overrides: ConfigOverrides = {},
): Config {
  const problems: string[] = [];
  const read = <T>(variable: Variable<T>, override?: string | number): T | null => {
    const given = (override === undefined ? readVariable(env, variable) : String(override))?.trim();
    const source = given === undefined || given === "" ? variable.default : given;
    if (source === null) return null;
    const parsed = variable.parse(source);
    if ("value" in parsed) return parsed.value;
    const name = override === undefined ? variable.name : (variable.flag ?? variable.name);
    problems.push(
      `${name} must be ${parsed.mustBe}${variable.secret === true ? "" : `, not "${source.slice(0, 200)}"`}.`,
    );
    return null;
  };
  const values = Object.fromEntries(
    Object.entries<Variable<unknown>>(VARIABLES).map(([key, variable]) => [
      key,
      read(variable, key === "host" || key === "port" || key === "data" ? overrides[key] : undefined),
    ]),
  );
  // The table of variables gives both the values and their types; a value that could not be read is reported below.
  const config = {
    ...values,
    process: overrides.process ?? "serve",
    modelKeysSeen: MODEL_KEY_VARIABLES.filter((name) => (env[name] ?? "") !== ""),
    unknownVariables: findUnknown(env),
  } as Config;
  // A rule over a value that is wrong in itself would only repeat that.
  if (problems.length === 0) {
    problems.push(...RULES.filter((rule) => rule.isBroken(config)).map((rule) => rule.because));
  }
  if (problems.length > 0) throw new StartError(["Docent cannot start like this:", ...problems].join("\n  - "));
  return config;
}

function readVariable(
  env: Readonly<Record<string, string | undefined>>,
  { name, alias = name }: Variable<unknown>,
): string | undefined {
  return env[name]?.trim() ? env[name] : env[alias];
}

function findUnknown(env: Readonly<Record<string, string | undefined>>): string[] {
  const known = new Set([...Object.values(VARIABLES).map((variable) => variable.name), ...COMMAND_LINE_VARIABLES]);
  return Object.keys(env)
    .filter((name) => name.startsWith("DOCENT_") && !known.has(name))
    .toSorted();
}

/** Where the service is reached when `publicUrl` is null: on this machine, at the port that it really listens on. */
export function localUrl(host: string, port: number): string {
  if (host === "0.0.0.0") return `http://127.0.0.1:${port}`;
  if (host === "::") return `http://[::1]:${port}`;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** The reference of all variables and refused mixes, in Markdown. */
export function describeConfig(): string {
  const rows = Object.values<Variable<unknown>>(VARIABLES).map((variable) => {
    const flag = variable.flag === undefined ? "" : ` (\`${variable.flag}\`)`;
    const otherwise = variable.otherwise ?? `\`${variable.default}\``;
    return `| \`${variable.name}\`${flag} | ${variable.meaning} | ${otherwise} | \`${variable.example}\` |`;
  });
  return [
    "| Variable | Meaning | Default | Example |",
    "|---|---|---|---|",
    ...rows,
    "",
    "An empty variable counts as absent. Docent refuses to start, with the reason, when a value is not valid, and in these cases:",
    "",
    ...RULES.map((rule) => `- ${rule.because}`),
    "",
  ].join("\n");
}
