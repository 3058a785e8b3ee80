import "@mantine/charts/styles.css";
import { AreaChart } from "@mantine/charts";
import type { DayReading } from "./day-readings.ts";
import { formatCount } from "./numbers.ts";
import type { Metric } from "./queries.ts";
import { formatDay, formatShortDay } from "./range.ts";

/** Beyond so many days their dots run into each other. */
const DOTS_MAX = 45;

/** The days as two areas. It says its figures in the table only: a screen reader hears what the chart is of. */
export function DaysChart({
  readings,
  metric,
  height,
}: {
  readings: readonly DayReading[];
  metric: Metric;
  height: number;
}) {
  const highest = Math.max(...readings.map(({ human, ai }) => Math.max(human, ai)), 0);
  return (
    <div
      role="img"
      aria-label={`Chart of the ${metric} of ${readings.length} days, people and AI agents; at most ${formatCount(highest)} on a day. The table has the same figures.`}
    >
      <AreaChart
        h={height}
        data={[...readings]}
        dataKey="day"
        series={[
          { name: "human", label: "People", color: "var(--docent-human)" },
          { name: "ai", label: "AI agents", color: "var(--docent-ai)" },
        ]}
        curveType="linear"
        withDots={readings.length <= DOTS_MAX}
        dotProps={{ r: 2.5 }}
        withLegend
        legendProps={{ verticalAlign: "bottom", itemSorter: null }}
        tickLine="none"
        gridAxis="x"
        valueFormatter={formatCount}
        tooltipProps={{ labelFormatter: (day) => (typeof day === "string" ? formatDay(day) : day) }}
        xAxisProps={{ tickFormatter: formatShortDay, minTickGap: 28 }}
        yAxisProps={{ allowDecimals: false, width: 46 }}
        areaProps={{ isAnimationActive: false }}
        // The picture is one thing to assistive technology: nothing in it takes the focus.
        areaChartProps={{ accessibilityLayer: false }}
      />
    </div>
  );
}
