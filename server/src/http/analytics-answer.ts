import type { FastifyReply, FastifyRequest } from "fastify";
import type { Page, ReportBasis } from "../analytics/report/reports.ts";
import { CSV_TYPE, formatCsv, prefersCsv, type CsvRow } from "./analytics-csv.ts";

/** A report in both of its forms. */
export interface ReportAnswer {
  json: object;
  columns: readonly string[];
  rows: readonly CsvRow[];
  basis: ReportBasis;
}

/** Answers a report in the form that the client prefers, with what its figures stand on in the headers. */
export function sendReport(
  request: FastifyRequest,
  reply: FastifyReply,
  { json, columns, rows, basis }: ReportAnswer,
): FastifyReply {
  void reply.headers({
    vary: "Accept",
    "docent-ai-definition": basis.ai,
    ...(basis.sources.length === 0 ? {} : { "docent-sources": basis.sources.join(", ") }),
    ...(basis.retainedFrom === null ? {} : { "docent-retained-from": basis.retainedFrom }),
  });
  if (prefersCsv(request.headers.accept)) return reply.type(CSV_TYPE).send(formatCsv(columns, rows));
  return reply.send(json);
}

/** Where the rows behind a page are, for its Link header (RFC 8288). */
export function linkNextPage(request: FastifyRequest, { limit, offset }: Page): string {
  const given = request.query as Record<string, string | undefined>;
  const kept = ["dateFrom", "dateTo", "search", "sort", "order"].flatMap((name): [string, string][] =>
    given[name] === undefined ? [] : [[name, given[name]]],
  );
  const query = new URLSearchParams({
    ...Object.fromEntries(kept),
    limit: String(limit),
    offset: String(offset + limit),
  });
  const [path = ""] = request.url.split("?");
  return `<${path}?${query.toString()}>; rel="next"`;
}
