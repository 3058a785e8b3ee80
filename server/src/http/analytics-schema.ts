import { Type, type TSchema } from "typebox";
import { nullable, oneOf, reference } from "./schema.ts";

const counts = {
  human: Type.Integer({ description: "People." }),
  ai: Type.Integer({ description: "AI agents, by the definition in `Docent-AI-Definition`." }),
  total: Type.Integer({ description: "Both; of visitors, one that was seen as both counts once." }),
};

export const countsSchema = Type.Object(counts, { $id: "Counts" });

export const pathCountsSchema = Type.Object(
  {
    path: Type.String({ description: "Without query, hash, trailing slash or extension; `/` is the root page." }),
    ...counts,
  },
  { $id: "PathCounts" },
);

const hasMore = Type.Boolean({ description: "There are more rows: ask again with `offset` increased by `limit`." });
const rows = (description: string) =>
  Type.Array(reference(pathCountsSchema), {
    description: `${description} In the order of \`sort\` and \`order\`, then by \`path\`.`,
  });

export const visitorsReportSchema = Type.Object(
  {
    totals: reference(countsSchema, "Unique visitors of the whole site."),
    visitors: rows("Unique visitors of each page."),
    hasMore,
  },
  { $id: "VisitorsReport" },
);

export const viewsReportSchema = Type.Object(
  {
    totals: reference(countsSchema, "Page views of the whole site."),
    views: rows("Page views of each page."),
    hasMore,
  },
  { $id: "ViewsReport" },
);

export const notFoundReportSchema = Type.Object(
  {
    totals: reference(countsSchema, "Unique visitors of all missing paths."),
    paths: rows("Unique visitors of each missing path."),
    hasMore,
  },
  { $id: "NotFoundReport" },
);

export const agentsReportSchema = Type.Object(
  {
    agents: Type.Array(
      Type.Object({
        name: Type.String(),
        operator: nullable(Type.String({ description: "Who runs it; null when that is not known." })),
        purpose: oneOf(["assistant", "search", "training", "reader"], {
          description:
            "`assistant`: reads for a person who asks. `search`: for a search index. `training`: for a model. `reader`: an unknown client that fetches Markdown.",
        }),
        visitors: Type.Integer({ description: "Unique visitors. One that was seen as two agents counts for each." }),
        views: Type.Integer({ description: "Page views." }),
      }),
      { description: "By `visitors` descending, then by `name`." },
    ),
  },
  { $id: "AgentsReport" },
);

export const botsReportSchema = Type.Object(
  {
    bots: Type.Array(
      Type.Object({
        name: Type.String(),
        visitors: Type.Integer({ description: "Unique visitors: addresses that it came from." }),
        views: Type.Integer({ description: "Page views, missing pages among them." }),
      }),
      { description: "By `visitors` descending, then by `name`." },
    ),
  },
  { $id: "BotsReport" },
);

export const timeseriesReportSchema = Type.Object(
  {
    days: Type.Array(
      Type.Object({
        day: Type.String({ format: "date", description: "In UTC." }),
        visitors: reference(countsSchema, "Unique visitors of that day."),
        views: reference(countsSchema, "Page views of that day."),
      }),
      { description: "The days on which somebody came, ascending." },
    ),
  },
  { $id: "TimeseriesReport" },
);

const date = (description: string) =>
  Type.String({
    description: `${description} \`YYYY-MM-DD\`, or an ISO 8601 timestamp, which stands for the UTC day that it falls on.`,
  });

export const dayRangeQuerySchema = Type.Object({
  dateFrom: Type.Optional(date("The first day. Absent: since the first visit.")),
  dateTo: Type.Optional(date("The day after the last one: it is not included. Absent: up to and including today.")),
});

export const pageQuerySchema = Type.Object({
  ...dayRangeQuerySchema.properties,
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 250, default: 50, description: "Rows on a page." })),
  offset: Type.Optional(
    Type.Integer({ minimum: 0, default: 0, description: "Rows to skip; (page - 1) * limit for a page." }),
  ),
  search: Type.Optional(
    Type.String({
      maxLength: 1_000,
      description: "Rows whose path holds this text, in upper or lower case. `totals` stay those of all paths.",
    }),
  ),
  sort: Type.Optional(
    oneOf(["total", "human", "ai", "path"], { default: "total", description: "What the rows are ordered by." }),
  ),
  order: Type.Optional(
    oneOf(["asc", "desc"], {
      description: "`desc` when absent; with `sort=path`, `asc`. Equal rows are always by path.",
    }),
  ),
});

const BASIS_HEADERS = {
  "Docent-Sources": {
    type: "string",
    description:
      "The sources that sent views on these days, like `tracker, log`; absent when none did. AI agents run no JavaScript: the tracker alone does not see them.",
  },
  "Docent-AI-Definition": {
    type: "string",
    enum: ["all", "assistants"],
    description: "Which AI agents count as `ai`: `all`, or `assistants` and Markdown readers alone.",
  },
  "Docent-Retained-From": {
    type: "string",
    format: "date",
    description: "The first day that the project's retention keeps; absent when nothing was removed.",
  },
};

const LINK_HEADER = {
  Link: {
    type: "string",
    description: 'The next page, `<…>; rel="next"`; absent on the last. For CSV, which has no `hasMore`.',
  },
};

/** A report's answer, in both of its types. */
export function reportResponse(schema: TSchema, description: string, { isPaged }: { isPaged: boolean }) {
  return {
    description,
    headers: { ...BASIS_HEADERS, ...(isPaged ? LINK_HEADER : {}) },
    content: {
      "application/json": { schema: reference(schema) },
      "text/csv": {
        schema: Type.String({
          description: "RFC 4180, with the columns' names in the first line; formulas get an apostrophe in front.",
        }),
      },
    },
  };
}
