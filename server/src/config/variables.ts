import * as parse from "./parsers.ts";
import type { Parser } from "./parsers.ts";

/** One environment variable: what it is for, how it is read, and what holds without it. */
export interface Variable<T> {
  name: string;
  meaning: string;
  example: string;
  parse: Parser<T>;
  /** In the variable's own syntax; null when there is none, and the value is then null. */
  default: string | null;
  /** What holds without it, in words, where `default` does not say it. */
  otherwise?: string;
  /** Its value never appears in a message. */
  secret?: true;
  /** The command line's option for it. */
  flag?: string;
}

function required<T>(variable: Variable<T> & { default: string }): Variable<T> & { default: string } {
  return variable;
}

function optional<T>(variable: Omit<Variable<T>, "default">): Variable<T> & { default: null } {
  return { ...variable, default: null };
}

/** Every variable that the service reads. Their values make `Config`; their words make its documentation and its errors. */
export const VARIABLES = {
  host: required({
    name: "DOCENT_HOST",
    flag: "--host",
    meaning: "The address to listen on. `0.0.0.0` or `::` is every address of the machine.",
    parse: parse.host,
    default: "127.0.0.1",
    example: "0.0.0.0",
  }),
  port: required({
    name: "DOCENT_PORT",
    flag: "--port",
    meaning: "The TCP port to listen on; 0 takes a free one.",
    parse: parse.integer({ min: 0, max: 65_535 }),
    default: "4000",
    example: "8080",
  }),
  data: required({
    name: "DOCENT_DATA",
    flag: "--data",
    meaning: "The directory for everything the service keeps: repositories, the embedded database, its tokens.",
    parse: parse.text,
    default: ".docent",
    example: "/var/lib/docent",
  }),
  publicUrl: optional({
    name: "DOCENT_PUBLIC_URL",
    meaning: "Where people and workers reach the service. Links are built on it, `prLink` among them.",
    parse: parse.baseUrl,
    otherwise: "made from host and port",
    example: "https://docs-agent.example.com",
  }),
  databaseUrl: optional({
    name: "DATABASE_URL",
    meaning:
      "A PostgreSQL (14 or newer) for the control data. Docent keeps sessions open (locks, LISTEN), so no transaction-pooling proxy in between.",
    parse: parse.serviceUrl("postgres:", "postgresql:"),
    otherwise: "an embedded PostgreSQL under the data directory",
    example: "postgresql://docent:…@db.example.com/docent",
    secret: true,
  }),
  clickhouseUrl: optional({
    name: "CLICKHOUSE_URL",
    meaning:
      "A ClickHouse for the visits. The path, when there is one, is the database's name; `docent` otherwise. Give each PostgreSQL a database of its own.",
    parse: parse.serviceUrl("http:", "https:"),
    otherwise: "chDB, which is ClickHouse in this process, under the data directory",
    example: "https://docent:…@clickhouse.example.com:8443/docent",
    secret: true,
  }),
  clickhouseCluster: optional({
    name: "CLICKHOUSE_CLUSTER",
    meaning:
      "The name of a cluster of that ClickHouse: tables are then replicated on its nodes and distributed over its shards.",
    parse: parse.text,
    otherwise: "a server that stands alone",
    example: "docs",
  }),
  secret: optional({
    name: "DOCENT_SECRET",
    meaning:
      "The key that stored credentials are encrypted with and that sign-ins and git tokens are signed with. The same for every process.",
    parse: parse.credential(32),
    otherwise: "made once, in `<data>/secret`",
    example: "the output of openssl rand -hex 32",
    secret: true,
  }),
  adminToken: optional({
    name: "DOCENT_ADMIN_TOKEN",
    meaning: "The token that manages projects and keys.",
    parse: parse.credential(32),
    otherwise: "made once, in `<data>/admin.token`",
    example: "the output of openssl rand -hex 32",
    secret: true,
  }),
  model: required({
    name: "DOCENT_MODEL",
    meaning:
      "The model that does the work, as `provider:model`. `docent:offline` follows a fixed set of instructions and needs no key and no network.",
    parse: parse.model,
    default: "docent:offline",
    example: "openai-compatible:qwen3-coder",
  }),
  modelBaseUrl: optional({
    name: "DOCENT_MODEL_BASE_URL",
    meaning: "The address of an API that speaks OpenAI's format, for `openai-compatible:` models.",
    parse: parse.baseUrl,
    otherwise: "none",
    example: "http://localhost:11434/v1",
  }),
  modelApiKey: optional({
    name: "DOCENT_MODEL_API_KEY",
    meaning: "The key for that API, where it wants one.",
    parse: parse.credential(1),
    otherwise: "none",
    example: "sk-…",
    secret: true,
  }),
  githubUrl: required({
    name: "DOCENT_GITHUB_URL",
    meaning:
      "The GitHub that `DOCENT_GITHUB_TOKEN` or the app's key is for: github.com, or a GitHub Enterprise Server.",
    parse: parse.baseUrl,
    default: "https://github.com",
    example: "https://github.example.com",
  }),
  githubToken: optional({
    name: "DOCENT_GITHUB_TOKEN",
    meaning: "A token for projects on that GitHub that have none of their own.",
    parse: parse.credential(1),
    otherwise: "each project needs its own",
    example: "github_pat_…",
    secret: true,
  }),
  githubAppId: optional({
    name: "DOCENT_GITHUB_APP_ID",
    meaning: "The id of a GitHub App that acts for projects on that GitHub, instead of a token.",
    parse: parse.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
    otherwise: "none",
    example: "123456",
  }),
  githubAppPrivateKey: optional({
    name: "DOCENT_GITHUB_APP_PRIVATE_KEY",
    meaning: "The app's private key: PEM, with real line breaks or with `\\n`.",
    parse: parse.privateKey,
    otherwise: "none",
    example: "-----BEGIN RSA PRIVATE KEY-----\\n…",
    secret: true,
  }),
  gitlabUrl: required({
    name: "DOCENT_GITLAB_URL",
    meaning: "The GitLab that `DOCENT_GITLAB_TOKEN` is for.",
    parse: parse.baseUrl,
    default: "https://gitlab.com",
    example: "https://gitlab.example.com",
  }),
  gitlabToken: optional({
    name: "DOCENT_GITLAB_TOKEN",
    meaning: "A token for projects on that GitLab that have none of their own.",
    parse: parse.credential(1),
    otherwise: "each project needs its own",
    example: "glpat-…",
    secret: true,
  }),
  giteaUrl: optional({
    name: "DOCENT_GITEA_URL",
    meaning: "The Gitea or Forgejo that `DOCENT_GITEA_TOKEN` is for.",
    parse: parse.baseUrl,
    otherwise: "none",
    example: "https://codeberg.org",
  }),
  giteaToken: optional({
    name: "DOCENT_GITEA_TOKEN",
    meaning: "A token for projects there that have none of their own.",
    parse: parse.credential(1),
    otherwise: "each project needs its own",
    example: "the token from Settings, Applications",
    secret: true,
  }),
  httpsProxy: optional({
    name: "HTTPS_PROXY",
    meaning: "The proxy for requests that Docent makes to https:// addresses: models, code hosts, git, webhooks.",
    parse: parse.serviceUrl("http:", "https:"),
    otherwise: "none",
    example: "http://proxy.example.com:3128",
    secret: true,
  }),
  httpProxy: optional({
    name: "HTTP_PROXY",
    meaning: "The same for http:// addresses.",
    parse: parse.serviceUrl("http:", "https:"),
    otherwise: "none",
    example: "http://proxy.example.com:3128",
    secret: true,
  }),
  noProxy: optional({
    name: "NO_PROXY",
    meaning: "Hosts that are reached without a proxy, separated by commas.",
    parse: parse.text,
    otherwise: "none",
    example: "localhost,.internal.example.com",
  }),
  caFile: optional({
    name: "DOCENT_CA_FILE",
    meaning: "A PEM file of certificate authorities to trust beside the usual ones, for all of these requests.",
    parse: parse.text,
    otherwise: "the usual ones alone",
    example: "/etc/ssl/company-ca.pem",
  }),
  trustedProxies: required({
    name: "DOCENT_TRUSTED_PROXIES",
    meaning: "The proxies whose `X-Forwarded-For` is believed, as addresses or CIDR ranges separated by commas.",
    parse: parse.cidrs,
    default: "",
    otherwise: "none: the caller is whoever connects",
    example: "10.0.0.0/8, ::1",
  }),
  jobsConcurrency: required({
    name: "DOCENT_JOBS_CONCURRENCY",
    meaning: "How many jobs one worker process runs at once.",
    parse: parse.integer({ min: 1, max: 10_000 }),
    default: "100",
    example: "20",
  }),
  jobsConcurrencyPerProject: required({
    name: "DOCENT_JOBS_CONCURRENCY_PER_PROJECT",
    meaning: "How many of them may belong to one project, so that its burst leaves room for the others.",
    parse: parse.integer({ min: 1, max: 10_000 }),
    default: "25",
    example: "5",
  }),
  createsPerHour: required({
    name: "DOCENT_CREATES_PER_HOUR",
    meaning: "How many jobs a project may create in an hour; 0 is no limit.",
    parse: parse.integer({ min: 0, max: 1_000_000_000 }),
    default: "100",
    example: "1000",
  }),
  messagesPerHour: required({
    name: "DOCENT_MESSAGES_PER_HOUR",
    meaning: "How many follow-up messages a project may send in an hour; 0 is no limit.",
    parse: parse.integer({ min: 0, max: 1_000_000_000 }),
    default: "100",
    example: "1000",
  }),
  jobStepsMax: required({
    name: "DOCENT_JOB_STEPS_MAX",
    meaning: "How many model calls a job may make, follow-ups included; beyond them it fails.",
    parse: parse.integer({ min: 1, max: 1_000_000 }),
    default: "200",
    example: "50",
  }),
  jobTokensMax: required({
    name: "DOCENT_JOB_TOKENS_MAX",
    meaning: "How many tokens a job may use, read and written, follow-ups included; beyond them it fails.",
    parse: parse.integer({ min: 1, max: 1_000_000_000_000 }),
    default: "5000000",
    example: "500000",
  }),
  jobMinutesMax: required({
    name: "DOCENT_JOB_MINUTES_MAX",
    meaning: "How many minutes the work on one message may take; beyond them the job fails.",
    parse: parse.integer({ min: 1, max: 10_080 }),
    default: "60",
    example: "15",
  }),
  logLevel: required({
    name: "DOCENT_LOG_LEVEL",
    meaning:
      "The least important lines that the log shows: `trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`.",
    parse: parse.oneOf(["trace", "debug", "info", "warn", "error", "fatal", "silent"]),
    default: "info",
    example: "warn",
  }),
} as const;

/** Variables of the command line; named here so that they are not taken for misspelt ones. */
export const COMMAND_LINE_VARIABLES: readonly string[] = ["DOCENT_URL", "DOCENT_API_KEY", "DOCENT_PROJECT"];

/** Keys of model providers that are noticed and not used, since a stray key must not spend money. */
export const MODEL_KEY_VARIABLES: readonly string[] = [
  "ANTHROPIC_API_KEY",
  "OPENAI_API_KEY",
  "GOOGLE_GENERATIVE_AI_API_KEY",
  "GEMINI_API_KEY",
  "AWS_BEARER_TOKEN_BEDROCK",
  "AZURE_API_KEY",
  "MISTRAL_API_KEY",
  "GROQ_API_KEY",
  "XAI_API_KEY",
  "DEEPSEEK_API_KEY",
  "OPENROUTER_API_KEY",
];
