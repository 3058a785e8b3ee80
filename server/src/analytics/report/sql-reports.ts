import type { Kysely } from "kysely";
import type { Schema } from "../../database/schema.ts";
import { FIRST_DAY, policyParameters } from "../count/segments.ts";
import { readState, type CountsState } from "../count/state.ts";
import type { Engine, Parameters } from "../store/engine.ts";
import { loadSql } from "../store/sql.ts";
import type { Source } from "../view.ts";
import type { Counts, DayRange, Page, PathReport, Report, ReportBasis, Reports } from "./reports.ts";

const places = loadSql(import.meta.url, "../count/places.sql");
const KEYS = loadSql(import.meta.url, "./keys.sql", { tail: "" });
const KEYS_WITH_TAIL = loadSql(import.meta.url, "./keys.sql", {
  tail: loadSql(import.meta.url, "./keys-tail.sql", { places }),
});
const DAYS = loadSql(import.meta.url, "./days.sql", { tail: "" });
const DAYS_WITH_TAIL = loadSql(import.meta.url, "./days.sql", {
  tail: loadSql(import.meta.url, "./days-tail.sql", { places }),
});

/** The last that ClickHouse's `Date` can hold: 2149. No view can be as late, since those of the future are not taken. */
const LAST_DAY = "2149-06-06";

interface Figures {
  human: string;
  ai: string;
  total: string;
  human_views: string;
  ai_views: string;
  total_views: string;
}

interface KeyFigures extends Figures {
  scope: string;
  key: string;
}

interface KeysQuery {
  /** Listed page by page. */
  scope: string;
  /** Listed whole. */
  wholeScopes: readonly string[];
  byViews: boolean;
  page: Page;
}

/** Every row there is: for scopes that have few. */
const ALL: Page = { limit: 1_000_000, offset: 0 };

/** Reports from the folded counts and, where there is one, the unfolded tail. */
export function createReports({ engine, database }: { engine: Engine; database: Kysely<Schema> }): Reports {
  async function readKeys(
    projectId: string,
    range: DayRange,
    query: KeysQuery,
  ): Promise<{ rows: KeyFigures[]; basis: ReportBasis }> {
    const state = await readState(database, projectId);
    const rows = await engine.query<KeyFigures>(state.unfolded.length === 0 ? KEYS : KEYS_WITH_TAIL, {
      ...stateParameters(projectId, state, range),
      scopes: [query.scope, ...query.wholeScopes, "source"],
      whole_scopes: [...query.wholeScopes, "source"],
      by_views: query.byViews,
      limit: query.page.limit,
      offset: query.page.offset,
    });
    return { rows, basis: basisOf(state, rows) };
  }

  async function reportPaths(
    projectId: string,
    range: DayRange,
    page: Page,
    of: { paths: string; totals: string; counts: (row: Figures) => Counts; byViews: boolean },
  ): Promise<Report<PathReport>> {
    const { rows, basis } = await readKeys(projectId, range, {
      scope: of.paths,
      wholeScopes: [of.totals],
      byViews: of.byViews,
      page: { ...page, limit: page.limit + 1 },
    });
    const found = rows.filter(({ scope }) => scope === of.paths);
    const totals = rows.find(({ scope }) => scope === of.totals);
    return {
      totals: totals === undefined ? { human: 0, ai: 0, total: 0 } : of.counts(totals),
      paths: found.slice(0, page.limit).map((row) => ({ path: row.key, ...of.counts(row) })),
      hasMore: found.length > page.limit,
      basis,
    };
  }

  return {
    visitors: (projectId, range, page) =>
      reportPaths(projectId, range, page, { paths: "page", totals: "site", counts: visitors, byViews: false }),
    views: (projectId, range, page) =>
      reportPaths(projectId, range, page, { paths: "page", totals: "site", counts: views, byViews: true }),
    missing: (projectId, range, page) =>
      reportPaths(projectId, range, page, {
        paths: "missing page",
        totals: "missing site",
        counts: visitors,
        byViews: false,
      }),

    async agents(projectId, range) {
      const { rows, basis } = await readKeys(projectId, range, {
        scope: "agent",
        wholeScopes: [],
        byViews: false,
        page: ALL,
      });
      const agents = rows
        .filter(({ scope }) => scope === "agent")
        .map((row) => ({ agent: row.key, visitors: Number(row.total), views: Number(row.total_views) }));
      return { agents, basis };
    },

    async timeseries(projectId, range) {
      const state = await readState(database, projectId);
      const parameters = stateParameters(projectId, state, range);
      const [days, sources] = await Promise.all([
        engine.query<Figures & { day: string }>(state.unfolded.length === 0 ? DAYS : DAYS_WITH_TAIL, parameters),
        engine.query<KeyFigures>(state.unfolded.length === 0 ? KEYS : KEYS_WITH_TAIL, {
          ...parameters,
          scopes: ["source"],
          whole_scopes: ["source"],
          by_views: true,
          limit: 0,
          offset: 0,
        }),
      ]);
      return {
        days: days.map((row) => ({ day: row.day, visitors: visitors(row), views: views(row) })),
        basis: basisOf(state, sources),
      };
    },
  };
}

function stateParameters(projectId: string, state: CountsState, range: DayRange): Parameters {
  const first = state.retainedFrom ?? FIRST_DAY;
  return {
    project: projectId,
    segments: state.segments,
    mark: state.mark,
    tail: state.unfolded.map(({ batch }) => batch),
    unfolded: [...state.unfolded.map(({ batch }) => batch), ...state.hidden],
    ...policyParameters(state.policy),
    // Texts of the same form have the order of their days.
    from: range.from === null || range.from < first ? first : later(range.from),
    to: range.to === null ? LAST_DAY : range.to < FIRST_DAY ? FIRST_DAY : later(range.to),
  };
}

function later(day: string): string {
  return day > LAST_DAY ? LAST_DAY : day;
}

function basisOf(state: CountsState, rows: readonly KeyFigures[]): ReportBasis {
  return {
    ai: state.policy.ai,
    sources: rows.filter(({ scope }) => scope === "source").map(({ key }) => key as Source),
    retainedFrom: state.retainedFrom,
  };
}

function visitors(row: Figures): Counts {
  return { human: Number(row.human), ai: Number(row.ai), total: Number(row.total) };
}

function views(row: Figures): Counts {
  return { human: Number(row.human_views), ai: Number(row.ai_views), total: Number(row.total_views) };
}
