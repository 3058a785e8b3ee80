import type { View } from "../view.ts";

const MS_PER_SECOND = 1_000;
const MS_PER_DAY = 86_400_000;

/** The days of a few thousand recent views are few: each is written once. */
const dayTexts = new Map<number, string>();
const DAY_TEXTS_MAX = 4_096;

/** A row of the table of views in ClickHouse's TabSeparated format, its newline included. */
export function viewLine(projectId: string, view: View, batch: number): string {
  return `${projectId}\t${view.visitor}\t${escaped(view.path)}\t${dayText(view.time)}\t${secondsText(view.time)}\t${view.class}\t${view.purpose}\t${escaped(view.agent)}\t${view.source}\t${view.isMissing ? 1 : 0}\t${escaped(view.referrer)}\t${batch}\n`;
}

/** The calendar day in UTC, `YYYY-MM-DD`. @param time milliseconds since 1970, UTC */
export function dayText(time: number): string {
  const day = Math.floor(time / MS_PER_DAY);
  let text = dayTexts.get(day);
  if (text === undefined) {
    text = new Date(day * MS_PER_DAY).toISOString().slice(0, 10);
    if (dayTexts.size >= DAY_TEXTS_MAX) dayTexts.clear();
    dayTexts.set(day, text);
  }
  return text;
}

/** ClickHouse takes ten digits for seconds since 1970, and eight for a date. */
function secondsText(time: number): string {
  return String(Math.floor(time / MS_PER_SECOND)).padStart(10, "0");
}

function escaped(text: string): string {
  return /[\t\n\r\\\0]/.test(text) ? text.replaceAll(/[\t\n\r\\\0]/g, (character) => ESCAPES[character] ?? "") : text;
}

const ESCAPES: Readonly<Record<string, string>> = { "\t": "\\t", "\n": "\\n", "\r": "\\r", "\\": "\\\\", "\0": "\\0" };
