import type { Source } from "../view.ts";

/** Days in UTC, `YYYY-MM-DD`: from `from` on, up to and without `to`. Null: without a limit on that side. */
export interface DayRange {
  from: string | null;
  to: string | null;
}

export interface Page {
  /** Rows at most, 1 to 250. */
  limit: number;
  /** Rows to skip. */
  offset: number;
}

/** Of visitors or of views, as the report says. `total` counts a visitor of both classes once. */
export interface Counts {
  human: number;
  ai: number;
  total: number;
}

export interface PathCounts extends Counts {
  path: string;
}

/** By `total` descending, then by `path` in the order of its UTF-8 bytes. */
export interface PathReport {
  totals: Counts;
  paths: PathCounts[];
  hasMore: boolean;
}

export interface AgentCounts {
  agent: string;
  visitors: number;
  views: number;
}

export interface DayCounts {
  day: string;
  visitors: Counts;
  views: Counts;
}

/** What a report's figures stand on. */
export interface ReportBasis {
  /** The definition of `ai` that the figures were counted with. */
  ai: "all" | "assistants";
  /** The sources that sent views on those days, whether or not the project counts them. */
  sources: Source[];
  /** Views before this day are gone by the project's retention; null when none are. */
  retainedFrom: string | null;
}

export type Report<T> = T & { basis: ReportBasis };

/** Every figure is exact for everything that is stored when it is asked for. An unknown project has seen nobody. */
export interface Reports {
  /** Unique visitors for the site (`totals`) and for each page. */
  visitors(projectId: string, range: DayRange, page: Page): Promise<Report<PathReport>>;
  /** Page views, of the site and of each page. */
  views(projectId: string, range: DayRange, page: Page): Promise<Report<PathReport>>;
  /** Unique visitors of each missing path, and of all of them. */
  missing(projectId: string, range: DayRange, page: Page): Promise<Report<PathReport>>;
  /** AI agents by visitors, descending, then by name. Each visitor counts once for each agent. Other bots are not among them. */
  agents(projectId: string, range: DayRange): Promise<Report<{ agents: AgentCounts[] }>>;
  /** The days on which somebody came, ascending. */
  timeseries(projectId: string, range: DayRange): Promise<Report<{ days: DayCounts[] }>>;
}
