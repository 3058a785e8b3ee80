import { Type } from "typebox";
import { SOURCES } from "../analytics/view.ts";
import { oneOf } from "./schema.ts";

const sourcesSchema = (description: string) =>
  Type.Optional(Type.Array(oneOf(SOURCES), { uniqueItems: true, minItems: 1, maxItems: SOURCES.length, description }));

const analyticsSettingsSchema = Type.Object(
  {
    origins: Type.Optional(
      Type.Array(Type.String({ maxLength: 300, format: "origin" }), {
        maxItems: 100,
        description:
          "Origins whose browsers may report page views without a key, like `https://docs.example.com`. None by default.",
      }),
    ),
    ai: Type.Optional(
      oneOf(["all", "assistants"], {
        description:
          "Which AI agents count as `ai`: all of them (the default), or only assistants and readers of Markdown. A change counts everything anew.",
      }),
    ),
    peopleSources: sourcesSchema("The sources that count for people. All by default."),
    agentSources: sourcesSchema("The sources that count for AI agents. All by default."),
    saltRotation: Type.Optional(
      oneOf(["never", "monthly", "daily"], {
        description:
          "How often the secret behind the visitors' ids changes. After each change everybody counts as new. Never by default.",
      }),
    ),
    globalPrivacyControl: Type.Optional(
      oneOf(["count", "drop"], {
        description: "Views of readers who send Global Privacy Control: counted like any (the default), or dropped.",
      }),
    ),
    retentionDays: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 36_500,
        description: "For how many days views are kept, today included. Forever by default.",
      }),
    ),
  },
  { description: "How the project counts its readers." },
);

const line = (maxLength: number, description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength, format: "line", description }));

const lines = (maxItems: number, maxLength: number, description: string) =>
  Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength, format: "line" }), { maxItems, description }));

const pullRequestSettingsSchema = Type.Object(
  {
    draft: Type.Optional(
      Type.Boolean({ description: "Open them as drafts. Off by default; a job may say otherwise." }),
    ),
    labels: lines(20, 100, "Labels that they get."),
    reviewers: lines(15, 100, "Login names of people who are asked to review; on GitHub also `team:slug`."),
  },
  { description: "How pull requests are opened." },
);

const commitSettingsSchema = Type.Object(
  {
    name: line(200, "Author and committer. Docent by default."),
    email: Type.Optional(
      Type.String({ maxLength: 320, format: "mailbox", description: "The address that belongs to the name." }),
    ),
    coAuthors: Type.Optional(
      Type.Array(Type.String({ maxLength: 500, format: "person" }), {
        maxItems: 20,
        description: "Named in `Co-authored-by` trailers, as `Name <email>`.",
      }),
    ),
    signOff: Type.Optional(
      Type.Boolean({ description: "Add `Signed-off-by` (Developer Certificate of Origin). Off by default." }),
    ),
    sign: Type.Optional(
      Type.Boolean({
        description: "Sign with the project's SSH key, which must have been made before. Off by default.",
      }),
    ),
  },
  { description: "Whose name commits bear." },
);

const contextRepositorySchema = Type.Object({
  name: Type.String({
    maxLength: 50,
    pattern: "^[a-z0-9][a-z0-9._-]*$",
    description: "Its files are read under `@name/`.",
  }),
  url: Type.String({
    minLength: 1,
    maxLength: 2_000,
    format: "line",
    description:
      "An http(s) Git URL without user info. On the project's own code host it is read with the project's credential.",
  }),
  ref: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      format: "line",
      description: "A branch; its default branch when absent.",
    }),
  ),
});

export const projectSettingsSchema = Type.Object(
  {
    docsPath: Type.Optional(
      Type.String({
        maxLength: 1_000,
        format: "line",
        description: "The documentation's folder in the repository; found by itself when absent.",
      }),
    ),
    allow: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 1_000, format: "line" }), {
        maxItems: 100,
        description: "More path globs that may be published.",
      }),
    ),
    instructions: Type.Optional(
      Type.String({
        maxLength: 50_000,
        format: "text",
        description: "Instructions for the agent, before those in the repository.",
      }),
    ),
    archiveOnMerge: Type.Optional(
      Type.Boolean({ description: "Archive a job when its pull request is merged. Off by default." }),
    ),
    archiveOnClose: Type.Optional(
      Type.Boolean({ description: "Archive a job when its pull request is closed without a merge. Off by default." }),
    ),
    model: line(300, "The model of new jobs, as `provider:model`. The server's by default."),
    fallbackModel: line(300, "The model that goes on when the job's own cannot answer. The server's by default."),
    models: lines(50, 300, "Other models that a job may name when it is created. None by default."),
    allowedRefs: lines(
      50,
      255,
      "Globs of branches that a job may name as its `ref`, like `release/*`. None by default, beside the project's own branch.",
    ),
    costMaxUsd: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: 1_000_000,
        description:
          "What one job may cost in US dollars, follow-ups included. The server's limit holds as well, where it is lower.",
      }),
    ),
    pullRequests: Type.Optional(pullRequestSettingsSchema),
    commits: Type.Optional(commitSettingsSchema),
    webhookUrl: line(2_000, "Where job status changes are posted."),
    comments: Type.Optional(
      oneOf(["follow", "ignore"], {
        description:
          "Whether reviews of a job's pull request, and comments on it that mention Docent, become messages to the job (the default).",
      }),
    ),
    contextRepositories: Type.Optional(
      Type.Array(contextRepositorySchema, {
        maxItems: 10,
        description: "Repositories that the agent may read beside the documentation, and never writes.",
      }),
    ),
    newMdxCode: Type.Optional(
      oneOf(["list", "refuse"], {
        description:
          "MDX imports from outside the docs, exports and expressions that a job adds: name them in the pull request (the default), or refuse them.",
      }),
    ),
    analytics: Type.Optional(analyticsSettingsSchema),
  },
  { $id: "ProjectSettings" },
);
