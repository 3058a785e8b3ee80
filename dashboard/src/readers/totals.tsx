import type { Counts } from "@docent/sdk";
import { Group, SimpleGrid, Text } from "@mantine/core";
import { Change } from "./change.tsx";
import { formatCount } from "./numbers.ts";
import { useTotals } from "./queries.ts";
import { formatRange, rangeBefore, reportDays, type Range } from "./range.ts";
import classes from "./readers.module.css";
import { Answer } from "./section.tsx";

interface Totals {
  visitors: Counts;
  views: Counts;
}

const CLASSES = [
  { name: "human", label: "People" },
  { name: "ai", label: "AI agents" },
  { name: "total", label: "All readers" },
] as const;

/** Visitors and views of the whole site, beside those of as many days before. */
export function TotalsOfRange({ projectId, range }: { projectId: string; range: Range }) {
  const before = rangeBefore(range);
  const totals = useTotals(projectId, reportDays(range));
  const totalsBefore = useTotals(projectId, before && reportDays(before));
  const retainedFrom = totals.data?.basis.retainedFrom ?? null;
  const isBeforeKept = before !== null && (retainedFrom === null || before.from >= retainedFrom);
  const compared = isBeforeKept && !totalsBefore.isPlaceholderData ? totalsBefore.data : undefined;
  return (
    <div>
      <Answer query={totals} height={132}>
        {(now) => (
          <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="md">
            {CLASSES.map(({ name, label }) => (
              <div key={name} className={`docent-card ${classes.card}`} role="group" aria-label={label}>
                <Text size="sm" fw={600}>
                  <span className={classes.dot} data-class={name} aria-hidden />
                  {label}
                </Text>
                <Figure name="visitors" now={now} before={compared} of={name} isLarge />
                <Figure name="views" now={now} before={compared} of={name} />
              </div>
            ))}
          </SimpleGrid>
        )}
      </Answer>
      <Text size="sm" c="dimmed" mt="xs">
        {before === null
          ? "A visitor counts once, however often they come."
          : isBeforeKept
            ? `Changes are against ${formatRange(before)}.`
            : "What was before these days is no longer kept, so there is nothing to compare with."}
      </Text>
    </div>
  );
}

function Figure({
  name,
  of,
  now,
  before,
  isLarge = false,
}: {
  name: keyof Totals;
  of: keyof Counts;
  now: Totals;
  before: Totals | undefined;
  isLarge?: boolean;
}) {
  const count = now[name][of];
  return (
    <Group gap="xs" align="baseline">
      <span className={isLarge ? classes.figure : undefined}>{formatCount(count)}</span>
      <Text span size="sm" c="dimmed">
        {count === 1 ? name.slice(0, -1) : name}
      </Text>
      {before !== undefined && <Change now={count} before={before[name][of]} />}
    </Group>
  );
}
