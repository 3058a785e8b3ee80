import type { Source } from "../view.ts";

/** Days in UTC, `YYYY-MM-DD`: from `from` on, up to and without `to`. Null: without a limit on that side. */
export interface DayRange {
  from: string | null;
  to: string | null;
}

/** Which rows, and in which order: by `total` descending when nothing is said. Equal ones are by path, in the order of its UTF-8 bytes. */
export interface RowChoice {
  /** Of the path, in any case. */
  search?: string | undefined;
  sort?: "total" | "human" | "ai" | "path" | undefined;
  /** Descending when absent; by path, ascending. */
  order?: "asc" | "desc" | undefined;
}

export interface Page extends RowChoice {
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

export interface PathReport {
  /** Of all paths, whichever are searched for. */
  totals: Counts;
  paths: PathCounts[];
  hasMore: boolean;
}

export interface AgentCounts {
  agent: string;
  visitors: number;
  views: number;
}

export interface BotCounts {
  bot: string;
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
  /** Other bots, in the same way. They are counted nowhere else. */
  bots(projectId: string, range: DayRange): Promise<Report<{ bots: BotCounts[] }>>;
  /** The days on which somebody came, ascending. */
  timeseries(projectId: string, range: DayRange): Promise<Report<{ days: DayCounts[] }>>;
}
