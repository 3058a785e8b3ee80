import type { ReportBasis, ReportDays } from "@docent/sdk";

const NUMBER = new Intl.NumberFormat("en-US");

/** With a comma between the thousands, for people. */
export function formatCount(count: number): string {
  return NUMBER.format(count);
}

/** The days of a report as people say them, the last one included. */
export function describeDays({ dateFrom, dateTo }: ReportDays): string {
  const start = dateFrom === undefined ? "since the first visit" : `from ${dateFrom}`;
  if (dateTo === undefined) return dateFrom === undefined ? start : `${start} to today`;
  const last = dayBefore(dateTo);
  if (last === undefined) return `${start}, before ${dateTo}`;
  if (last === dateFrom) return `on ${last}`;
  return dateFrom === undefined ? `${start}, up to ${last}` : `${start} to ${last}`;
}

/** Of a plain date; a timestamp is for the service to read. */
function dayBefore(date: string): string | undefined {
  if (!/^\d{4}-\d\d-\d\d$/.test(date)) return undefined;
  const time = Date.parse(date);
  return Number.isNaN(time) ? undefined : new Date(time - 86_400_000).toISOString().slice(0, 10);
}

/** What the figures stand on, a line for each fact that a reader has to know. */
export function describeBasis({ sources, ai, retainedFrom }: ReportBasis): string[] {
  const counted = ai === "all" ? "all AI agents" : "assistants and Markdown readers only";
  return [
    ...(sources.length === 0 ? [] : [`Seen by: ${sources.join(", ")}. Counted as AI: ${counted}.`]),
    ...(sources.join() === "tracker"
      ? ["AI agents run no JavaScript, so the tracker does not see them: import logs, or use the middleware."]
      : []),
    ...(retainedFrom === null ? [] : [`Visits before ${retainedFrom} are gone, by the project's retention.`]),
  ];
}

/** A path as it can be shown: what has no shape of its own, or turns the text around it, is percent-encoded. */
export function showPath(path: string): string {
  return path.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, encodeURIComponent);
}
