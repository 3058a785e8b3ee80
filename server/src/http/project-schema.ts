import { Type } from "typebox";
import { SOURCES } from "../analytics/view.ts";
import { nullable, oneOf, reference, timestamp } from "./schema.ts";

const nameSchema = Type.String({ maxLength: 200, pattern: "\\S", format: "line", description: "For people." });

const refSchema = Type.String({
  minLength: 1,
  maxLength: 255,
  format: "line",
  description: "The branch that jobs start from.",
});

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

export const projectSchema = Type.Object(
  {
    id: Type.String({ description: "`prj_` and a ULID: sorts by creation." }),
    name: Type.String(),
    repository: Type.String({ description: "The repository's full URL on the code host, as it is cloned." }),
    ref: Type.String({ description: "The branch that jobs start from." }),
    state: oneOf(["importing", "ready", "failed"], { description: "Of the repository's import." }),
    importError: nullable(Type.String({ description: "What went wrong and what to do; null unless `failed`." })),
    settings: reference(projectSettingsSchema),
    createdAt: timestamp("When the project was created."),
  },
  { $id: "Project" },
);

export const projectListSchema = Type.Object(
  { projects: Type.Array(reference(projectSchema)) },
  { $id: "ProjectList" },
);

export const projectCreationSchema = Type.Object({
  name: nameSchema,
  repository: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 4_000,
      format: "line",
      description:
        "What to import: an http(s) Git URL, or the absolute path of a repository on the server's machine. The original is never written. Absent: an empty documentation repository.",
    }),
  ),
  ref: Type.Optional(refSchema),
  settings: Type.Optional(reference(projectSettingsSchema)),
});

export const projectUpdateSchema = Type.Object({
  name: Type.Optional(nameSchema),
  ref: Type.Optional(refSchema),
  settings: Type.Optional(reference(projectSettingsSchema, "Replaces the settings as a whole.")),
});

export const projectIdParametersSchema = Type.Object({ id: Type.String({ description: "The project's id." }) });
