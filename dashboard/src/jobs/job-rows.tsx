import type { Job } from "@docent/sdk";
import { Center, Loader } from "@mantine/core";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useCallback, useEffect, useRef } from "react";
import { JobRow } from "./job-row.tsx";
import classes from "./jobs.module.css";
import { useScrollMargin } from "./scroll-margin.ts";
import type { ListedJobs } from "./use-jobs.ts";

const ROW_PX = 68;
/** How many rows before the end the next page is asked for. */
const AHEAD = 20;

/** The jobs in sight of a list of any length; more are fetched on the way down. */
export function JobRows({ list, jobs }: { list: ListedJobs; jobs: readonly Job[] }) {
  const { hasMore, isLoadingMore, loadMore, watch, error } = list;
  const element = useRef<HTMLDivElement>(null);
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useWindowVirtualizer<HTMLLIElement>({
    count: jobs.length,
    estimateSize: () => ROW_PX,
    getItemKey: useCallback((index) => jobs[index]?.id ?? index, [jobs]),
    scrollMargin: useScrollMargin(element),
    overscan: 10,
  });
  const rows = virtualizer.getVirtualItems();
  const first = rows[0]?.index ?? 0;
  const last = rows.at(-1)?.index ?? 0;

  useEffect(() => {
    watch(jobs[first]?.id ?? "", jobs[last]?.id ?? "");
    if (hasMore && error === null && last >= jobs.length - AHEAD) loadMore();
  });

  return (
    <div className={`docent-card ${classes.list}`}>
      <div ref={element} style={{ height: virtualizer.getTotalSize() }}>
        <ul
          className={classes.rows}
          aria-label="Jobs"
          style={{
            transform: `translateY(${(rows[0]?.start ?? 0) - (rows.length > 0 ? virtualizer.options.scrollMargin : 0)}px)`,
          }}
        >
          {rows.map(({ index, key }) => {
            const job = jobs[index];
            return (
              job !== undefined && (
                <li
                  key={key}
                  ref={virtualizer.measureElement}
                  data-index={index}
                  data-last={index === jobs.length - 1 || undefined}
                  className={classes.row}
                  aria-setsize={hasMore ? -1 : jobs.length}
                  aria-posinset={index + 1}
                >
                  <JobRow job={job} />
                </li>
              )
            );
          })}
        </ul>
      </div>
      {isLoadingMore && (
        <Center p="sm">
          <Loader size="sm" aria-label="Loading more jobs" />
        </Center>
      )}
    </div>
  );
}
