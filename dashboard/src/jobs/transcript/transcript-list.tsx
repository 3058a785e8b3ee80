import { Button } from "@mantine/core";
import { IconArrowDown } from "@tabler/icons-react";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useCallback, useRef, type ReactNode } from "react";
import { useScrollMargin } from "../scroll-margin.ts";
import { scrollToEnd, useFollowEnd } from "./follow-end.ts";
import { OpenRowsProvider } from "./open-rows.tsx";
import { TranscriptRow } from "./transcript-row.tsx";
import type { TranscriptItem } from "./transcript.ts";
import classes from "./transcript.module.css";

/** Up to here all rows are in the page, so that the browser's own search finds everything. */
const WHOLE_ROWS_MAX = 200;
/** Pixels, until a row has been measured. */
const ESTIMATES: Partial<Record<TranscriptItem["kind"], number>> = { message: 130, text: 110, "turn-end": 90 };

/**
 * The rows in sight of a transcript of any length, and what stays at the bottom of the screen below them.
 * @param follows whether it opens at its end
 */
export function TranscriptList({
  items,
  follows,
  footer,
}: {
  items: readonly TranscriptItem[];
  follows: boolean;
  footer: ReactNode;
}) {
  const list = useRef<HTMLDivElement>(null);
  const { isAtEnd, stay } = useFollowEnd(follows);
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useWindowVirtualizer<HTMLLIElement>({
    count: items.length,
    estimateSize: useCallback((index) => ESTIMATES[items[index]?.kind ?? "tool-call"] ?? 36, [items]),
    getItemKey: useCallback((index) => items[index]?.key ?? index, [items]),
    scrollMargin: useScrollMargin(list),
    overscan: items.length <= WHOLE_ROWS_MAX ? items.length : 8,
  });
  const rows = virtualizer.getVirtualItems();
  const offset = (rows[0]?.start ?? 0) - virtualizer.options.scrollMargin;
  return (
    <OpenRowsProvider onToggle={stay}>
      <div ref={list} className={classes.list} style={{ height: virtualizer.getTotalSize() }}>
        <ol
          className={classes.rows}
          aria-label="Transcript"
          style={{ transform: `translateY(${rows.length === 0 ? 0 : offset}px)` }}
        >
          {rows.map(({ index, key }) => {
            const item = items[index];
            return (
              item !== undefined && (
                <li
                  key={key}
                  ref={virtualizer.measureElement}
                  data-index={index}
                  data-kind={item.kind}
                  className={classes.row}
                  aria-setsize={items.length}
                  aria-posinset={index + 1}
                >
                  <TranscriptRow item={item} />
                </li>
              )
            );
          })}
        </ol>
      </div>
      <div className={classes.footer}>
        {!isAtEnd && (
          <Button
            className={classes.jump}
            size="compact-sm"
            radius="xl"
            leftSection={<IconArrowDown size={16} aria-hidden />}
            onClick={scrollToEnd}
          >
            Jump to the newest
          </Button>
        )}
        {footer}
      </div>
    </OpenRowsProvider>
  );
}
