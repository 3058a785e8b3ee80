import { Button, Group, SegmentedControl, SimpleGrid, Stack } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { ErrorNotice } from "../components/error-notice.tsx";
import { Loading } from "../components/loading.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { useProject } from "../projects/project-context.tsx";
import { useAddressState } from "./address-state.ts";
import { Agents } from "./agents.tsx";
import { AgentsUnseen, BasisNotes } from "./basis-notes.tsx";
import { Bots } from "./bots.tsx";
import { Days } from "./days.tsx";
import { firstPages } from "./path-rows.ts";
import { PathTable } from "./path-table.tsx";
import { useSources, type Metric } from "./queries.ts";
import { RangePicker } from "./range-picker.tsx";
import { formatRange, readRange, type Range } from "./range.ts";
import { SetUp } from "./set-up/set-up.tsx";
import { TotalsOfRange } from "./totals.tsx";
import { useToday } from "./today.ts";

/** Who reads the documentation; before anybody has, how to let the project know. */
export default function ReadersPage() {
  const { id } = useProject();
  const [address, setAddress] = useAddressState();
  const sources = useSources(id);
  const isAsked = address.get("view") === "set-up";
  const isNew = sources.data?.length === 0;
  // Remembered from another page: a visit may have come since.
  const isOutdated = isNew && sources.isFetching && !sources.isFetchedAfterMount;
  // Whoever is waiting for the first visit is told that it came, and goes on by themselves.
  const [wasNew, setWasNew] = useState(false);
  if (isNew && !isOutdated && !wasNew) setWasNew(true);

  if (sources.data === undefined || isOutdated) {
    return sources.isError ? <ErrorNotice error={sources.error} onRetry={() => void sources.refetch()} /> : <Loading />;
  }
  if (isAsked || isNew || wasNew) {
    return (
      <SetUp
        onDone={() => {
          setWasNew(false);
          setAddress({ view: null });
        }}
      />
    );
  }
  return <Report />;
}

function Report() {
  const { id } = useProject();
  const today = useToday();
  const [address, setAddress] = useAddressState();
  const range = readRange(address, today);
  const metric: Metric = address.get("metric") === "views" ? "views" : "visitors";
  const setRange = (changes: Record<"range" | "from" | "to", string | null>): void =>
    setAddress({ ...changes, ...firstPages("pages", "missing") });
  const shared = { projectId: id, range };
  return (
    <>
      <PageHeader
        title="Readers"
        description={describe(range, today)}
        actions={
          <>
            <Button
              variant="default"
              leftSection={<IconPlus size={18} aria-hidden />}
              onClick={() => setAddress({ view: "set-up" })}
            >
              Add a source
            </Button>
            <RangePicker
              range={range}
              today={today}
              onPreset={(preset) => setRange({ range: preset, from: null, to: null })}
              onOwn={(from, to) => setRange({ range: null, from, to })}
            />
          </>
        }
      />
      <Stack gap="md">
        <AgentsUnseen {...shared} />
        <TotalsOfRange {...shared} />
        <Group justify="space-between" align="flex-end">
          <BasisNotes {...shared} />
          <SegmentedControl
            aria-label="Count"
            data={[
              { value: "visitors", label: "Visitors" },
              { value: "views", label: "Views" },
            ]}
            value={metric}
            onChange={(value) => setAddress({ metric: value === "views" ? "views" : null, ...firstPages("pages") })}
          />
        </Group>
        <Days {...shared} metric={metric} today={today} />
        <PathTable
          {...shared}
          report={metric}
          name="pages"
          title={metric === "visitors" ? "Visitors by page" : "Views by page"}
          nothing="Nobody came on these days."
        />
        <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
          <Agents {...shared} />
          <Bots {...shared} />
        </SimpleGrid>
        <PathTable
          {...shared}
          report="not-found"
          name="missing"
          title="Missing pages"
          description="Paths that were answered 404 or 410, by their visitors: what readers expect and the documentation lacks."
          nothing="Nobody looked for a page that is not there."
        />
      </Stack>
    </>
  );
}

function describe(range: Range, today: string): string {
  const isOpen = range.to > today;
  return `${formatRange(range)} in UTC${isOpen ? "; today is not over yet" : ""}`;
}
