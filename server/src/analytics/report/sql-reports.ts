import type { Kysely } from "kysely";
import type { Schema } from "../../database/schema.ts";
import { FIRST_DAY, policyParameters } from "../count/segments.ts";
import { readState, type CountsState } from "../count/state.ts";
import type { Engine, Parameters } from "../store/engine.ts";
import type { RecentVisitors } from "../store/recent-visitors.ts";
import { loadSql } from "../store/sql.ts";
import type { Source } from "../view.ts";
import { sumOf, type Figures } from "./figures.ts";
import type { Counts, DayRange, Page, PathReport, Report, ReportBasis, Reports } from "./reports.ts";
import { createSegmentSums, type What } from "./segment-sums.ts";
import { readTail, type Tail, type TailOptions } from "./tail.ts";

const DAYS = {
  folded: loadSql(import.meta.url, "./days.sql", { tail: "" }),
  withTail: loadSql(import.meta.url, "./days.sql", {
    tail: loadSql(import.meta.url, "./days-tail.sql", {
      places: loadSql(import.meta.url, "../count/places.sql"),
      visitors: loadSql(import.meta.url, "./tail-visitors.sql"),
    }),
  }),
};

/** The last that ClickHouse's `Date` can hold: 2149. No view can be as late, since those of the future are not taken. */
const LAST_DAY = "2149-06-06";

interface DayFigures {
  day: string;
  human: string;
  ai: string;
  total: string;
  human_views: string;
  ai_views: string;
  total_views: string;
}

/** One moment of a project's counts over a range of days. */
interface Reading {
  visitors: Figures[];
  views: Figures[];
  basis: ReportBasis;
}

/** Reports from the folded counts and, where there is one, the unfolded tail. */
export function createReports(
  { engine, database, recentVisitors }: { engine: Engine; database: Kysely<Schema>; recentVisitors?: RecentVisitors },
  options: TailOptions = {},
): Reports {
  const sums = createSegmentSums({ engine });

  async function read(projectId: string, range: DayRange, whats: readonly What[]): Promise<Reading> {
    return await readAt(await readState(database, projectId), projectId, range, whats);
  }

  async function readAt(
    state: CountsState,
    projectId: string,
    range: DayRange,
    whats: readonly What[],
  ): Promise<Reading> {
    const days = daysOf(state, range);
    const folded = async (what: What): Promise<Figures[]> =>
      whats.includes(what) ? await sums.read(what, state.segments, days) : [];
    const unfolded = async (): Promise<Tail | undefined> => {
      if (state.unfolded.length === 0) return undefined;
      const known = recentVisitors?.find(state.unfolded.map(({ batch }) => batch));
      return await readTail(engine, state.policy, stateParameters(projectId, state, range), { ...options, known });
    };
    const [foldedVisitors, foldedViews, tail] = await Promise.all([folded("visitors"), folded("views"), unfolded()]);
    const visitors = tail === undefined ? foldedVisitors : [...foldedVisitors, tail.visitors];
    const views = tail === undefined ? foldedViews : [...foldedViews, tail.views];
    return { visitors, views, basis: basisOf(state, whats.includes("visitors") ? visitors : views) };
  }

  async function reportPaths(
    projectId: string,
    range: DayRange,
    { limit, offset, ...choice }: Page,
    { what, paths, site }: { what: What; paths: string; site: string },
  ): Promise<Report<PathReport>> {
    const { [what]: figures, basis } = await read(projectId, range, [what]);
    const rows = sumOf(figures, paths, choice);
    return {
      totals: sumOf(figures, site)[0]?.counts ?? { human: 0, ai: 0, total: 0 },
      paths: rows.slice(offset, offset + limit).map(({ key, counts }) => ({ path: key, ...counts })),
      hasMore: rows.length > offset + limit,
      basis,
    };
  }

  async function reportPrograms(
    projectId: string,
    range: DayRange,
    scope: "agent" | "bot",
  ): Promise<Report<{ rows: { name: string; visitors: number; views: number }[] }>> {
    const { visitors, views, basis } = await read(projectId, range, ["visitors", "views"]);
    const viewsOf = new Map(sumOf(views, scope).map(({ key, counts }) => [key, counts.total]));
    const rows = sumOf(visitors, scope).map(({ key, counts }) => ({
      name: key,
      visitors: counts.total,
      views: viewsOf.get(key) ?? 0,
    }));
    return { rows, basis };
  }

  return {
    visitors: (projectId, range, page) =>
      reportPaths(projectId, range, page, { what: "visitors", paths: "page", site: "site" }),
    views: (projectId, range, page) =>
      reportPaths(projectId, range, page, { what: "views", paths: "page", site: "site" }),
    missing: (projectId, range, page) =>
      reportPaths(projectId, range, page, { what: "visitors", paths: "missing page", site: "missing site" }),

    async agents(projectId, range) {
      const { rows, basis } = await reportPrograms(projectId, range, "agent");
      return { agents: rows.map(({ name, ...counts }) => ({ agent: name, ...counts })), basis };
    },

    async bots(projectId, range) {
      const { rows, basis } = await reportPrograms(projectId, range, "bot");
      return { bots: rows.map(({ name, ...counts }) => ({ bot: name, ...counts })), basis };
    },

    async timeseries(projectId, range) {
      const state = await readState(database, projectId);
      const parameters = stateParameters(projectId, state, range);
      const [rows, { basis }] = await Promise.all([
        engine.query<DayFigures>(state.unfolded.length === 0 ? DAYS.folded : DAYS.withTail, parameters),
        readAt(state, projectId, range, ["views"]),
      ]);
      return { days: rows.map(toDay), basis };
    },
  };
}

/** The days to look at: none of them but those that are kept. */
function daysOf({ retainedFrom }: CountsState, range: DayRange): { from: string; to: string } {
  const first = retainedFrom ?? FIRST_DAY;
  return {
    // Texts of the same form have the order of their days.
    from: range.from === null || range.from < first ? first : noLater(range.from),
    to: range.to === null ? LAST_DAY : range.to < FIRST_DAY ? FIRST_DAY : noLater(range.to),
  };
}

function noLater(day: string): string {
  return day > LAST_DAY ? LAST_DAY : day;
}

function stateParameters(projectId: string, state: CountsState, range: DayRange): Parameters {
  const tail = state.unfolded.map(({ batch }) => batch);
  return {
    project: projectId,
    segments: state.segments,
    mark: state.mark,
    tail,
    unfolded: [...tail, ...state.hidden],
    ...policyParameters(state.policy),
    ...daysOf(state, range),
  };
}

function basisOf({ policy, retainedFrom }: CountsState, figures: readonly Figures[]): ReportBasis {
  const sources = sumOf(figures, "source").map(({ key }) => key as Source);
  return { ai: policy.ai, sources: sources.toSorted(), retainedFrom };
}

function toDay(row: DayFigures): { day: string; visitors: Counts; views: Counts } {
  return {
    day: row.day,
    visitors: { human: Number(row.human), ai: Number(row.ai), total: Number(row.total) },
    views: { human: Number(row.human_views), ai: Number(row.ai_views), total: Number(row.total_views) },
  };
}
