import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { FastifyRequest } from "fastify";
import type { TSchema } from "typebox";
import type { Authorization } from "../access/authorization.ts";
import type { Counts, Reports } from "../analytics/report/reports.ts";
import type { Purpose } from "../analytics/view.ts";
import { linkNextPage, sendReport } from "./analytics-answer.ts";
import { readDayRange } from "./analytics-days.ts";
import {
  agentsReportSchema,
  botsReportSchema,
  dayRangeQuerySchema,
  notFoundReportSchema,
  pageQuerySchema,
  reportResponse,
  timeseriesReportSchema,
  viewsReportSchema,
  visitorsReportSchema,
} from "./analytics-schema.ts";
import { ignoreBody } from "./body.ts";
import { errorResponses } from "./error-answers.ts";
import { projectParametersSchema } from "./job-schema.ts";
import { readIntegers } from "./query-integers.ts";
import { refuseRepeated } from "./repeated-parameters.ts";

export interface AnalyticsRoutesDependencies {
  reports: Reports;
  /** Who runs an AI agent (null when nobody knows), and what it reads for. */
  describeAgent(name: string): { operator: string | null; purpose: Exclude<Purpose, "none"> };
  authorization: Pick<Authorization, "requireScope">;
  clock: () => Date;
}

/** A report of paths: what it is called, and the field of its answer that holds the rows. */
interface PathReportRoute {
  name: string;
  operationId: string;
  summary: string;
  description: string;
  rows: "visitors" | "views" | "paths";
  schema: TSchema;
  report: "visitors" | "views" | "missing";
}

const PATH_REPORTS: readonly PathReportRoute[] = [
  {
    name: "visitors",
    operationId: "getVisitors",
    summary: "Unique visitors",
    description:
      "How many different people and AI agents read the documentation, the site and each page: exact over any range of days.",
    rows: "visitors",
    schema: visitorsReportSchema,
    report: "visitors",
  },
  {
    name: "views",
    operationId: "getViews",
    summary: "Page views",
    description: "How often the pages were read.",
    rows: "views",
    schema: viewsReportSchema,
    report: "views",
  },
  {
    name: "not-found",
    operationId: "getNotFound",
    summary: "Missing pages",
    description:
      "The paths that were answered 404 or 410, by their unique visitors: what readers expect and the documentation lacks.",
    rows: "paths",
    schema: notFoundReportSchema,
    report: "missing",
  },
];

const PATH_COLUMNS = ["path", "human", "ai", "total"];
const AGENT_COLUMNS = ["name", "operator", "purpose", "visitors", "views"];
const BOT_COLUMNS = ["name", "visitors", "views"];
const DAY_COLUMNS = ["day", "humanVisitors", "aiVisitors", "totalVisitors", "humanViews", "aiViews", "totalViews"];

/** What is known of a project's readers, as JSON or CSV. Refusals come in the order 401, 403, 400. */
export function createAnalyticsRoutes(dependencies: AnalyticsRoutesDependencies): FastifyPluginAsyncTypebox {
  const { reports, describeAgent, authorization, clock } = dependencies;
  const route = {
    onRequest: (request: FastifyRequest<{ Params: { projectId: string } }>): Promise<void> =>
      authorization.requireScope(request, request.params.projectId, "read"),
    preValidation: [refuseRepeated("dateFrom", "dateTo")],
  };
  const paged = {
    preValidation: [
      ...route.preValidation,
      refuseRepeated("limit", "offset", "search", "sort", "order"),
      readIntegers("limit", "offset"),
    ],
  };
  const described = {
    tags: ["Analytics"],
    security: [{ apiKey: ["read"] }, { session: [] }],
    params: projectParametersSchema,
  };
  const errors = errorResponses(400, 401, 403, 503);

  return async (app) => {
    ignoreBody(app);

    for (const { name, operationId, summary, description, rows, schema, report: ask } of PATH_REPORTS) {
      const path = `/v1/analytics/:projectId/${name}`;
      app.get(
        path,
        {
          ...route,
          ...paged,
          schema: {
            ...described,
            operationId,
            summary,
            description,
            querystring: pageQuerySchema,
            response: { 200: reportResponse(schema, "One page of the report.", { isPaged: true }), ...errors },
          },
        },
        async (request, reply) => {
          const { projectId } = request.params;
          const { limit = 50, offset = 0, search, sort, order } = request.query;
          const page = { limit, offset, search, sort, order };
          const report = await reports[ask](projectId, readDayRange(request.query, clock()), page);
          const { totals, paths, hasMore, basis } = report;
          if (hasMore) void reply.header("link", linkNextPage(request, { limit, offset }));
          const csvRows = paths.map((row) => ({ ...row }));
          const json = { totals, [rows]: paths, hasMore };
          return sendReport(request, reply, { json, columns: PATH_COLUMNS, rows: csvRows, basis });
        },
      );
    }

    app.get(
      "/v1/analytics/:projectId/agents",
      {
        ...route,
        schema: {
          ...described,
          operationId: "getAgents",
          summary: "AI agents",
          description: "Which AI agents read the documentation, who runs them and what they read for.",
          querystring: dayRangeQuerySchema,
          response: { 200: reportResponse(agentsReportSchema, "All agents.", { isPaged: false }), ...errors },
        },
      },
      async (request, reply) => {
        const report = await reports.agents(request.params.projectId, readDayRange(request.query, clock()));
        const agents = report.agents.map(({ agent: name, visitors, views }) => {
          const { operator, purpose } = describeAgent(name);
          return { name, operator, purpose, visitors, views };
        });
        const { basis } = report;
        return sendReport(request, reply, { json: { agents }, columns: AGENT_COLUMNS, rows: agents, basis });
      },
    );

    app.get(
      "/v1/analytics/:projectId/bots",
      {
        ...route,
        schema: {
          ...described,
          operationId: "getBots",
          summary: "Other bots",
          description:
            "Which search engines, monitors, link previews and other programs fetched pages. They count neither as `human` nor as `ai`, in no other report.",
          querystring: dayRangeQuerySchema,
          response: { 200: reportResponse(botsReportSchema, "All bots.", { isPaged: false }), ...errors },
        },
      },
      async (request, reply) => {
        const report = await reports.bots(request.params.projectId, readDayRange(request.query, clock()));
        const bots = report.bots.map(({ bot: name, visitors, views }) => ({ name, visitors, views }));
        const { basis } = report;
        return sendReport(request, reply, { json: { bots }, columns: BOT_COLUMNS, rows: bots, basis });
      },
    );

    app.get(
      "/v1/analytics/:projectId/timeseries",
      {
        ...route,
        schema: {
          ...described,
          operationId: "getTimeseries",
          summary: "Visitors and views by day",
          description: "A visitor of two days is one of each: the days do not add up to the visitors of the range.",
          querystring: dayRangeQuerySchema,
          response: { 200: reportResponse(timeseriesReportSchema, "All days.", { isPaged: false }), ...errors },
        },
      },
      async (request, reply) => {
        const report = await reports.timeseries(request.params.projectId, readDayRange(request.query, clock()));
        const { days, basis } = report;
        const csvRows = days.map(({ day, visitors, views }) => ({
          day,
          ...suffixed(visitors, "Visitors"),
          ...suffixed(views, "Views"),
        }));
        return sendReport(request, reply, { json: { days }, columns: DAY_COLUMNS, rows: csvRows, basis });
      },
    );
  };
}

function suffixed({ human, ai, total }: Counts, suffix: string): Record<string, number> {
  return { [`human${suffix}`]: human, [`ai${suffix}`]: ai, [`total${suffix}`]: total };
}
