import { Button, SegmentedControl, Skeleton, Table, Text } from "@mantine/core";
import type { DayReading } from "./day-readings.ts";
import { Suspense, useState } from "react";
import { readDays } from "./day-readings.ts";
import { DownloadButton } from "./download-button.tsx";
import { formatCount } from "./numbers.ts";
import { useDays, type Metric } from "./queries.ts";
import { formatDay, reportDays, type Range } from "./range.ts";
import classes from "./readers.module.css";
import { Answer, Section } from "./section.tsx";
import { lazyPart } from "../components/lazy-part.ts";

const DaysChart = lazyPart(async () => ({ default: (await import("./days-chart.tsx")).DaysChart }));

const CHART_HEIGHT = 280;
/** A longer table waits for a click. */
const ROWS_AT_ONCE = 100;

/** People against AI agents, day by day: as a chart, and as the table of the same figures. */
export function Days({
  projectId,
  range,
  metric,
  today,
}: {
  projectId: string;
  range: Range;
  metric: Metric;
  today: string;
}) {
  const days = reportDays(range);
  const report = useDays(projectId, days);
  const [chosen, setChosen] = useState<"chart" | "table">("chart");
  return (
    <Section
      title={metric === "visitors" ? "Visitors by day" : "Views by day"}
      description={
        metric === "visitors"
          ? "Somebody who comes on two days is a visitor of each: the days do not add up to the visitors of all of them."
          : undefined
      }
      tools={
        <>
          <SegmentedControl
            size="xs"
            aria-label="Show the days as"
            data={[
              { value: "chart", label: "Chart" },
              { value: "table", label: "Table" },
            ]}
            value={chosen}
            onChange={setChosen}
          />
          <DownloadButton projectId={projectId} report="timeseries" rows={days} label="the days" />
        </>
      }
    >
      <Answer query={report} height={CHART_HEIGHT}>
        {(data) => {
          const readings = readDays(data.days, { ...range, today }, metric);
          // One day is no line.
          return chosen === "table" || readings.length === 1 ? (
            <DaysTable readings={readings} metric={metric} />
          ) : (
            <Suspense fallback={<Skeleton height={CHART_HEIGHT} />}>
              <DaysChart readings={readings} metric={metric} height={CHART_HEIGHT} />
            </Suspense>
          );
        }}
      </Answer>
    </Section>
  );
}

function DaysTable({ readings, metric }: { readings: readonly DayReading[]; metric: Metric }) {
  const [isWhole, setWhole] = useState(false);
  const newestFirst = readings.toReversed();
  const shown = isWhole ? newestFirst : newestFirst.slice(0, ROWS_AT_ONCE);
  return (
    <>
      <Table
        className={classes.table}
        verticalSpacing={6}
        aria-label={`${metric === "visitors" ? "Visitors" : "Views"} of each day in UTC, newest first`}
      >
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Day</Table.Th>
            {["People", "AI", "All"].map((label) => (
              <Table.Th key={label} scope="col" className={classes.number}>
                {label}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {shown.map(({ day, human, ai, total }) => (
            <Table.Tr key={day}>
              <Table.Th scope="row" fw={400}>
                {formatDay(day)}
              </Table.Th>
              <Table.Td className={classes.number}>{formatCount(human)}</Table.Td>
              <Table.Td className={classes.number}>{formatCount(ai)}</Table.Td>
              <Table.Td className={classes.number}>{formatCount(total)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {readings.length === 0 && <Text c="dimmed">Nobody has come yet.</Text>}
      {shown.length < readings.length && (
        <Button variant="default" size="xs" mt="sm" onClick={() => setWhole(true)}>
          Show all {formatCount(readings.length)} days
        </Button>
      )}
    </>
  );
}
