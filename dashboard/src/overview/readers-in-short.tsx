import type { Counts } from "@docent/sdk";
import { Skeleton, Text } from "@mantine/core";
import { ErrorNotice } from "../components/error-notice.tsx";
import { useProject } from "../projects/project-context.tsx";
import { readDays } from "../readers/day-readings.ts";
import { formatCount } from "../readers/numbers.ts";
import { useDays, useSources, useTotals } from "../readers/queries.ts";
import { presetRange, rangeBefore, reportDays } from "../readers/range.ts";
import { useToday } from "../readers/today.ts";
import { Change } from "../readers/change.tsx";
import { Card } from "./card.tsx";
import classes from "./overview.module.css";
import { Sparkline } from "./sparkline.tsx";

const CLASSES = [
  { name: "human", label: "People", color: "var(--docent-human)" },
  { name: "ai", label: "AI agents", color: "var(--docent-ai)" },
] as const;

/** Visitors of the last four weeks, or how to have some. */
export function ReadersInShort() {
  const { id } = useProject();
  const sources = useSources(id);
  const isNew = sources.data?.length === 0;
  return (
    <Card title="Readers" href={isNew ? "/readers?view=set-up" : "/readers"} more={isNew ? "Set up" : "All readers"}>
      {sources.isError && <ErrorNotice error={sources.error} onRetry={() => void sources.refetch()} />}
      {sources.isPending && <Skeleton height={200} role="status" aria-label="Loading" />}
      {isNew && (
        <Text c="dimmed">
          Nobody has been seen yet. With the tracker, the middleware or your logs, people and AI agents are counted
          here.
        </Text>
      )}
      {sources.data !== undefined && !isNew && <FourWeeks projectId={id} />}
    </Card>
  );
}

function FourWeeks({ projectId }: { projectId: string }) {
  const today = useToday();
  const range = presetRange("28-days", today);
  const before = rangeBefore(range);
  const totals = useTotals(projectId, reportDays(range));
  const totalsBefore = useTotals(projectId, before && reportDays(before));
  const days = useDays(projectId, reportDays(range));
  const error = totals.error ?? days.error;
  if (error !== null) return <ErrorNotice error={error} onRetry={() => void totals.refetch()} />;
  if (totals.data === undefined || days.data === undefined) {
    return <Skeleton height={200} role="status" aria-label="Loading" />;
  }
  const { visitors, basis } = totals.data;
  const isBeforeKept = before !== null && (basis.retainedFrom === null || before.from >= basis.retainedFrom);
  const readings = readDays(days.data.days, { ...range, today }, "visitors");
  return (
    <>
      <div className={classes.figures}>
        {CLASSES.map(({ name, label, color }) => (
          <div key={name} role="group" aria-label={label}>
            <Text size="sm" fw={600}>
              <span className={classes.dot} style={{ background: color }} aria-hidden />
              {label}
            </Text>
            <span className={classes.figure}>{formatCount(visitors[name])}</span>{" "}
            {isBeforeKept && totalsBefore.data !== undefined && (
              <Change now={visitors[name]} before={totalsBefore.data.visitors[name]} />
            )}
          </div>
        ))}
      </div>
      <Text size="sm" c="dimmed">
        visitors in 28 days{isBeforeKept ? ", against the 28 before" : ""}
      </Text>
      <Sparkline
        label={`Visitors by day: ${describe(readings)}`}
        lines={CLASSES.map(({ name, color }) => ({ color, values: readings.map((reading) => reading[name]) }))}
      />
    </>
  );
}

function describe(readings: readonly Counts[]): string {
  const most = (of: keyof Counts): number => Math.max(0, ...readings.map((reading) => reading[of]));
  return `at most ${formatCount(most("human"))} people and ${formatCount(most("ai"))} AI agents on a day`;
}
