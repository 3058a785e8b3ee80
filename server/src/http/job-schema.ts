import { Type } from "typebox";
import { nullable, oneOf, reference, timestamp } from "./schema.ts";

export const JOB_STATUSES = ["active", "completed", "failed", "archived"] as const;

/** Characters are Unicode code points. */
const PROMPT_CHARACTERS_MAX = 100_000;

const url = (description: string) => Type.String({ description });

const authorSchema = Type.Object(
  {
    type: oneOf(["user", "key", "administrator", "comment"], {
      description: "A person, an API key, the holder of the admin token, or somebody's comment on the code host.",
    }),
    name: Type.String({ description: "The person's name, the key's, or the login name on the code host." }),
  },
  { description: "Who created it; null for a job from before this was kept." },
);

export const jobSchema = Type.Object(
  {
    id: Type.String({ description: "`job_` and a ULID: sorts by creation." }),
    title: Type.String({
      description:
        "What the job is about, in at most 120 characters: the first line of its prompt, and its pull request's title once there is one.",
    }),
    author: nullable(authorSchema),
    status: oneOf(JOB_STATUSES, {
      description:
        "`active` while the agent works on a message; then `completed` or `failed`, until a message makes it `active` again. `archived` is final.",
    }),
    source: Type.Object({
      repository: url("The repository's full URL."),
      ref: Type.String({ description: "The branch the job started from." }),
    }),
    model: Type.String({ description: "The model used for the job." }),
    prLink: nullable(url("The pull request's page. Null while `active` and when no file changed.")),
    createdAt: timestamp("When the job was created."),
    archivedAt: nullable(timestamp("When the job was archived; null until then.")),
    branch: nullable(Type.String({ description: "The job's branch; null until it is pushed." })),
    pullRequest: nullable(
      Type.Object(
        {
          url: url("The pull request's page."),
          number: Type.Integer(),
          state: oneOf(["open", "merged", "closed"]),
        },
        { description: "The job's pull request, also while a follow-up is being worked on; null without one." },
      ),
    ),
    failureReason: nullable(Type.String({ description: "Why the job failed; null unless `failed`." })),
    waiting: nullable(
      Type.Object(
        {
          reason: Type.String({ description: "What did not answer, and how." }),
          until: timestamp("When it is tried again."),
        },
        { description: "While an active job waits for its model or its code host; null while it is worked on." },
      ),
    ),
    usage: Type.Object(
      {
        steps: Type.Integer({ description: "Answers of models." }),
        inputTokens: Type.Integer({ description: "Tokens that models read, cached ones included." }),
        cachedInputTokens: Type.Integer({ description: "Of them, those that the provider had in its cache." }),
        outputTokens: Type.Integer({ description: "Tokens that models wrote, reasoning included." }),
        costUsd: nullable(Type.Number({ description: "In US dollars; null when the price of a model is not known." })),
      },
      { description: "What models used for the whole job, follow-ups included." },
    ),
  },
  { $id: "Job" },
);

export const jobListSchema = Type.Object(
  {
    jobs: Type.Array(reference(jobSchema)),
    nextCursor: nullable(Type.String({ description: "The `cursor` of the next page; null on the last." })),
  },
  { $id: "JobList" },
);

export const jobEventSchema = Type.Object(
  {
    position: Type.Integer({ description: "Grows by one per job; the event's `id` in the stream." }),
    type: oneOf(["message", "prompt", "note", "answer", "tool-result", "compaction", "publish", "turn-end", "status"], {
      description:
        "`message`: somebody sent one, `author` says who. `prompt`, `note`, `answer`, `tool-result`: the conversation between Docent and the model. `compaction`: the conversation was made shorter, to fit the model. `publish`: a commit was pushed. `turn-end`: the agent is done with what it was asked. `status`: the job's status changed.",
    }),
    data: Type.Unsafe<object>({ type: "object", additionalProperties: true }),
    createdAt: timestamp("When it was stored."),
  },
  { $id: "JobEvent", description: "One entry of a job's event log." },
);

export const promptBodySchema = Type.Object({
  prompt: Type.String({
    maxLength: PROMPT_CHARACTERS_MAX,
    pattern: "\\S",
    format: "text",
    description:
      "The instruction. Up to 100,000 characters (Unicode code points), not only white space, without NUL or unpaired surrogates.",
  }),
});

export const jobCreationSchema = Type.Object({
  ...promptBodySchema.properties,
  ref: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      format: "line",
      description:
        "The branch to start from and to open the pull request against: the project's own, or one that its `allowedRefs` name.",
    }),
  ),
  draft: Type.Optional(
    Type.Boolean({ description: "Open the pull request as a draft. The project's setting by default." }),
  ),
  model: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 300,
      format: "line",
      description: "The model, as `provider:model`: the project's own, or one that its `models` name.",
    }),
  ),
});

export const promptHeadersSchema = Type.Object({
  "idempotency-key": Type.Optional(
    Type.String({
      description:
        "1 to 255 printable ASCII characters. For 24 hours the same key with the same prompt gets the first answer again; with another prompt, 409.",
    }),
  ),
});

export const projectParametersSchema = Type.Object({
  projectId: Type.String({ description: "The project's id, from its API keys page." }),
});

export const jobParametersSchema = Type.Object({
  ...projectParametersSchema.properties,
  id: Type.String({ description: "The job's id." }),
});

export const jobListQuerySchema = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20, description: "Jobs on a page." })),
  cursor: Type.Optional(Type.String({ format: "cursor", description: "`nextCursor` of the page before." })),
  status: Type.Optional(oneOf(JOB_STATUSES)),
  search: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      format: "text",
      description: "Only jobs with this text in their title or in a prompt, in whatever case.",
    }),
  ),
});
