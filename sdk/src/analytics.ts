import type {
  AgentsReport,
  BotsReport,
  NotFoundReport,
  PathCounts,
  TimeseriesReport,
  ViewsReport,
  VisitorsReport,
} from "./generated.ts";
import { path, type Requester, type RequestOptions } from "./request.ts";

/**
 * The days of a report: `YYYY-MM-DD`, or ISO 8601 timestamps, which stand for the UTC day that they fall on. `dateFrom` is
 * included (absent: since the first visit), `dateTo` is not (absent: up to and including today).
 */
export interface ReportDays {
  dateFrom?: string | undefined;
  dateTo?: string | undefined;
}

/** Which rows of a report of paths, and in which order. */
export interface ReportRows extends ReportDays {
  /** Of the path, in upper or lower case. */
  search?: string | undefined;
  /** By `total` when absent; equal rows are by path. */
  sort?: "total" | "human" | "ai" | "path" | undefined;
  /** `desc` when absent; by path, `asc`. */
  order?: "asc" | "desc" | undefined;
}

export interface ReportPage extends ReportRows {
  /** 1 to 250; 50 when absent. */
  limit?: number | undefined;
  offset?: number | undefined;
}

/** What a report's figures stand on. */
export interface ReportBasis {
  /** Who sent views on these days: `tracker`, `middleware`, `log`, `api`. */
  sources: string[];
  /** Which AI agents count as `ai`: all, or assistants and Markdown readers alone. */
  ai: "all" | "assistants";
  /** The first day that the project's retention keeps; null when nothing was removed. */
  retainedFrom: string | null;
}

export type Based<Report> = Report & { basis: ReportBasis };

export type PathReportName = "visitors" | "views" | "not-found";
export type ReportName = PathReportName | "agents" | "bots" | "timeseries";

/** Who reads the documentation, human and AI. Takes a key of the scope `read`. */
export interface Analytics {
  /** Unique visitors: of the site, and one page of the documentation's pages. */
  visitors(projectId: string, page?: ReportPage, options?: RequestOptions): Promise<Based<VisitorsReport>>;
  /** Page views. */
  views(projectId: string, page?: ReportPage, options?: RequestOptions): Promise<Based<ViewsReport>>;
  /** Unique visitors of paths that were not there. */
  notFound(projectId: string, page?: ReportPage, options?: RequestOptions): Promise<Based<NotFoundReport>>;
  agents(projectId: string, days?: ReportDays, options?: RequestOptions): Promise<Based<AgentsReport>>;
  /** Programs that are neither people nor AI agents. */
  bots(projectId: string, days?: ReportDays, options?: RequestOptions): Promise<Based<BotsReport>>;
  timeseries(projectId: string, days?: ReportDays, options?: RequestOptions): Promise<Based<TimeseriesReport>>;
  /**
   * All rows of a report of paths; pages are fetched as they are needed. Each row comes once as long as nobody visits
   * meanwhile, which for days before today is always.
   */
  all(
    projectId: string,
    report: PathReportName,
    rows?: ReportRows,
    options?: RequestOptions,
  ): AsyncGenerator<PathCounts, void, void>;
  /**
   * A report as CSV, in parts that make one text: the names of the columns stand in the first one alone.
   * @param page.limit Rows at most, any number of them; all when absent.
   */
  csv(
    projectId: string,
    report: ReportName,
    page?: ReportPage,
    options?: RequestOptions,
  ): AsyncGenerator<string, void, void>;
}

const LIMIT_MAX = 250;

type AnyPathReport = Partial<VisitorsReport & ViewsReport & NotFoundReport> & { hasMore: boolean };

export function createAnalytics(requester: Requester): Analytics {
  const target = (projectId: string, report: ReportName): string => path`/v1/analytics/${projectId}/${report}`;
  const request = (query?: ReportPage, options?: RequestOptions) => ({
    credential: "api-key" as const,
    signal: options?.signal,
    query: { ...query },
  });

  async function ask<Report>(projectId: string, report: ReportName, query?: ReportPage, options?: RequestOptions) {
    const { body, headers } = await requester.jsonWithHeaders<Report>(
      "GET",
      target(projectId, report),
      request(query, options),
    );
    return { ...body, basis: readBasis(headers) };
  }

  return {
    visitors: (projectId, page, options) => ask<VisitorsReport>(projectId, "visitors", page, options),
    views: (projectId, page, options) => ask<ViewsReport>(projectId, "views", page, options),
    notFound: (projectId, page, options) => ask<NotFoundReport>(projectId, "not-found", page, options),
    agents: (projectId, days, options) => ask<AgentsReport>(projectId, "agents", days, options),
    bots: (projectId, days, options) => ask<BotsReport>(projectId, "bots", days, options),
    timeseries: (projectId, days, options) => ask<TimeseriesReport>(projectId, "timeseries", days, options),

    async *all(projectId, report, { dateFrom, dateTo, search, sort, order } = {}, options) {
      let hasMore = true;
      for (let offset = 0; hasMore; offset += LIMIT_MAX) {
        const page = { dateFrom, dateTo, search, sort, order, limit: LIMIT_MAX, offset };
        const answer = await ask<AnyPathReport>(projectId, report, page, options);
        yield* answer.visitors ?? answer.views ?? answer.paths ?? [];
        ({ hasMore } = answer);
      }
    },

    async *csv(projectId, report, { limit = Infinity, offset = 0, ...rows } = {}, options) {
      const isPaged = report === "visitors" || report === "views" || report === "not-found";
      let hasMore = true;
      for (let read = 0; hasMore && read < limit; read += LIMIT_MAX) {
        const page = isPaged ? { limit: Math.min(LIMIT_MAX, limit - read), offset: offset + read } : {};
        const { text, headers } = await requester.textWithHeaders("GET", target(projectId, report), {
          ...request({ ...rows, ...page }, options),
          headers: { Accept: "text/csv" },
        });
        yield read === 0 ? text : text.slice(text.indexOf("\r\n") + 2);
        hasMore = headers.get("link")?.includes('rel="next"') === true;
      }
    },
  };
}

function readBasis(headers: Headers): ReportBasis {
  const sources = headers.get("docent-sources");
  return {
    sources: sources === null ? [] : sources.split(", "),
    ai: headers.get("docent-ai-definition") === "assistants" ? "assistants" : "all",
    retainedFrom: headers.get("docent-retained-from"),
  };
}
