import { Type } from "typebox";
import { projectSettingsSchema } from "./project-settings-schema.ts";
import { nullable, oneOf, reference, timestamp } from "./schema.ts";

const nameSchema = Type.String({ maxLength: 200, pattern: "\\S", format: "line", description: "For people." });

const refSchema = Type.String({
  minLength: 1,
  maxLength: 255,
  format: "line",
  description: "The branch that jobs start from.",
});

const CODE_HOSTS = ["builtin", "github", "gitlab", "gitea"] as const;

const secretSchema = (description: string) =>
  Type.String({ minLength: 1, maxLength: 20_000, format: "text", description });

const credentialSchema = Type.Object(
  {
    token: Type.Optional(secretSchema("A token of the code host.")),
    githubApp: Type.Optional(
      Type.Object(
        {
          appId: Type.Integer({ minimum: 1 }),
          installationId: Type.Optional(
            Type.Integer({ minimum: 1, description: "Looked up by the repository when absent." }),
          ),
          privateKey: secretSchema("PEM, as GitHub gives it."),
        },
        { description: "A GitHub App, instead of a token." },
      ),
    ),
  },
  {
    description:
      "What the code host accepts: `token` or `githubApp`. Stored encrypted, never shown. Absent: the server's own for that host.",
  },
);

export const projectSchema = Type.Object(
  {
    id: Type.String({ description: "`prj_` and a ULID: sorts by creation." }),
    name: Type.String(),
    codeHost: oneOf(CODE_HOSTS, { description: "Where the repository lies and pull requests are opened." }),
    repository: Type.String({ description: "The repository's full URL on the code host." }),
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
        "With `builtin`: what to import, an http(s) Git URL or the absolute path of a repository on the server's machine; the original is never written, and without it the project begins with an empty documentation repository. With another code host: the repository to work on, its URL or `owner/name`.",
    }),
  ),
  codeHost: Type.Optional(
    oneOf(CODE_HOSTS, {
      default: "builtin",
      description: "`gitea` is for Forgejo too. With `builtin` the repository is imported into Docent.",
    }),
  ),
  codeHostUrl: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2_000,
      format: "line",
      description:
        "Where people open the code host, when the repository's URL does not say it: for `owner/name`, and for hosts under a path such as `https://example.com/gitlab`.",
    }),
  ),
  credential: Type.Optional(credentialSchema),
  ref: Type.Optional(refSchema),
  settings: Type.Optional(reference(projectSettingsSchema)),
});

export const projectUpdateSchema = Type.Object({
  name: Type.Optional(nameSchema),
  ref: Type.Optional(refSchema),
  credential: Type.Optional(credentialSchema),
  settings: Type.Optional(reference(projectSettingsSchema, "Replaces the settings as a whole.")),
});

export const projectIdParametersSchema = Type.Object({ id: Type.String({ description: "The project's id." }) });
