import type { Kysely } from "kysely";
import type { Schema } from "../../database/schema.ts";
import { FIRST_DAY, policyParameters } from "../count/segments.ts";
import { readState, type CountsState } from "../count/state.ts";
import type { Engine, Parameters } from "../store/engine.ts";
import { loadSql } from "../store/sql.ts";
import type { Source } from "../view.ts";
import type { Counts, DayRange, Page, PathReport, Report, ReportBasis, Reports } from "./reports.ts";

const places = loadSql(import.meta.url, "../count/places.sql");
const VISITORS = { human: "human", ai: "ai", total: "total" };
const VIEWS = { human: "human_views", ai: "ai_views", total: "total_views" };

/** Statements for folded counts alone, and for those with an unfolded tail. */
const KEYS = {
  visitors: {
    folded: loadSql(import.meta.url, "./keys.sql", { ...VISITORS, tail: "" }),
    withTail: loadSql(import.meta.url, "./keys.sql", {
      ...VISITORS,
      tail: loadSql(import.meta.url, "./keys-tail-visitors.sql", { places }),
    }),
  },
  views: {
    folded: loadSql(import.meta.url, "./keys.sql", { ...VIEWS, tail: "" }),
    withTail: loadSql(import.meta.url, "./keys.sql", {
      ...VIEWS,
      tail: loadSql(import.meta.url, "./keys-tail-views.sql", { places }),
    }),
  },
};
const DAYS = {
  folded: loadSql(import.meta.url, "./days.sql", { tail: "" }),
  withTail: loadSql(import.meta.url, "./days.sql", { tail: loadSql(import.meta.url, "./days-tail.sql", { places }) }),
};

/** The last that ClickHouse's `Date` can hold: 2149. No view can be as late, since those of the future are not taken. */
const LAST_DAY = "2149-06-06";

type What = keyof typeof KEYS;

interface Figures {
  human: string;
  ai: string;
  total: string;
}

interface KeyFigures extends Figures {
  scope: string;
  key: string;
}

interface DayFigures extends Figures {
  day: string;
  human_views: string;
  ai_views: string;
  total_views: string;
}

interface KeysQuery {
  what: What;
  /** Listed page by page. */
  scope: string;
  /** Listed whole. */
  wholeScopes: readonly string[];
  page: Page;
}

/** Every row there is: for scopes that have few. */
const ALL: Page = { limit: 1_000_000, offset: 0 };

/** Reports from the folded counts and, where there is one, the unfolded tail. */
export function createReports({ engine, database }: { engine: Engine; database: Kysely<Schema> }): Reports {
  async function readKeys(
    projectId: string,
    state: CountsState,
    range: DayRange,
    { what, scope, wholeScopes, page }: KeysQuery,
  ): Promise<KeyFigures[]> {
    return await engine.query<KeyFigures>(statement(KEYS[what], state), {
      ...stateParameters(projectId, state, range),
      scopes: [scope, ...wholeScopes],
      whole_scopes: wholeScopes,
      limit: page.limit,
      offset: page.offset,
    });
  }

  async function reportPaths(
    projectId: string,
    range: DayRange,
    page: Page,
    { what, paths, site }: { what: What; paths: string; site: string },
  ): Promise<Report<PathReport>> {
    const state = await readState(database, projectId);
    const rows = await readKeys(projectId, state, range, {
      what,
      scope: paths,
      wholeScopes: [site, "source"],
      page: { ...page, limit: page.limit + 1 },
    });
    const found = rows.filter(({ scope }) => scope === paths);
    const totals = rows.find(({ scope }) => scope === site);
    return {
      totals: totals === undefined ? { human: 0, ai: 0, total: 0 } : toCounts(totals),
      paths: found.slice(0, page.limit).map((row) => ({ path: row.key, ...toCounts(row) })),
      hasMore: found.length > page.limit,
      basis: basisOf(state, rows),
    };
  }

  return {
    visitors: (projectId, range, page) =>
      reportPaths(projectId, range, page, { what: "visitors", paths: "page", site: "site" }),
    views: (projectId, range, page) =>
      reportPaths(projectId, range, page, { what: "views", paths: "page", site: "site" }),
    missing: (projectId, range, page) =>
      reportPaths(projectId, range, page, { what: "visitors", paths: "missing page", site: "missing site" }),

    async agents(projectId, range) {
      const state = await readState(database, projectId);
      const query = { scope: "agent", page: ALL };
      const [visitors, views] = await Promise.all([
        readKeys(projectId, state, range, { ...query, what: "visitors", wholeScopes: ["source"] }),
        readKeys(projectId, state, range, { ...query, what: "views", wholeScopes: [] }),
      ]);
      const viewsOf = new Map(views.map(({ key, total }) => [key, Number(total)]));
      const agents = visitors
        .filter(({ scope }) => scope === "agent")
        .map(({ key, total }) => ({ agent: key, visitors: Number(total), views: viewsOf.get(key) ?? 0 }));
      return { agents, basis: basisOf(state, visitors) };
    },

    async timeseries(projectId, range) {
      const state = await readState(database, projectId);
      const [days, sources] = await Promise.all([
        engine.query<DayFigures>(statement(DAYS, state), stateParameters(projectId, state, range)),
        readKeys(projectId, state, range, { what: "views", scope: "source", wholeScopes: ["source"], page: ALL }),
      ]);
      return {
        days: days.map((row) => ({
          day: row.day,
          visitors: toCounts(row),
          views: { human: Number(row.human_views), ai: Number(row.ai_views), total: Number(row.total_views) },
        })),
        basis: basisOf(state, sources),
      };
    },
  };
}

function statement(of: { folded: string; withTail: string }, state: CountsState): string {
  return state.unfolded.length === 0 ? of.folded : of.withTail;
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

function toCounts({ human, ai, total }: Figures): Counts {
  return { human: Number(human), ai: Number(ai), total: Number(total) };
}
