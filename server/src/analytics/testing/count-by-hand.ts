import type { AnalyticsSettings } from "../../database/schema.ts";
import type { Counts, DayCounts, DayRange, PathCounts } from "../report/reports.ts";
import { SOURCES, type View } from "../view.ts";

export interface HandCounts {
  totals: Counts;
  paths: PathCounts[];
}

/** What the reports must say, counted from the views in the plainest way. */
export function countByHand(
  views: readonly View[],
  settings: AnalyticsSettings,
  range: DayRange,
): { visitors: HandCounts; views: HandCounts; days: DayCounts[] } {
  const counted = views.filter((view) => isCounted(view, settings) && isIn(range, day(view)));
  const byPath = groups(counted, ({ path }) => path);
  const byDay = groups(counted, day);
  return {
    visitors: {
      totals: visitors(counted),
      paths: ordered([...byPath].map(([path, group]) => ({ path, ...visitors(group) }))),
    },
    views: {
      totals: viewCounts(counted),
      paths: ordered([...byPath].map(([path, group]) => ({ path, ...viewCounts(group) }))),
    },
    days: [...byDay]
      .map(([each, group]) => ({ day: each, visitors: visitors(group), views: viewCounts(group) }))
      .toSorted((a, b) => (a.day < b.day ? -1 : 1)),
  };
}

function isCounted(view: View, { ai, peopleSources, agentSources }: AnalyticsSettings): boolean {
  if (view.isMissing || view.class === "bot") return false;
  const chosen = view.class === "human" ? peopleSources : agentSources;
  const sources = chosen === undefined || chosen.length === 0 ? SOURCES : chosen;
  if (!sources.includes(view.source)) return false;
  return view.class === "human" || ai !== "assistants" || view.purpose === "assistant" || view.purpose === "reader";
}

function isIn({ from, to }: DayRange, each: string): boolean {
  return (from === null || each >= from) && (to === null || each < to);
}

function visitors(views: readonly View[]): Counts {
  const distinct = (of: readonly View[]): number => new Set(of.map(({ visitor }) => visitor)).size;
  return {
    human: distinct(views.filter((view) => view.class === "human")),
    ai: distinct(views.filter((view) => view.class === "ai")),
    total: distinct(views),
  };
}

function viewCounts(views: readonly View[]): Counts {
  const human = views.filter((view) => view.class === "human").length;
  return { human, ai: views.length - human, total: views.length };
}

function ordered(paths: PathCounts[]): PathCounts[] {
  return paths.toSorted((a, b) => b.total - a.total || Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)));
}

function groups(views: readonly View[], key: (view: View) => string): Map<string, View[]> {
  return Map.groupBy(views, key);
}

function day(view: View): string {
  return new Date(view.time).toISOString().slice(0, 10);
}
