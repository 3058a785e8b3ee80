import type { PathCounts } from "@docent/sdk";
import { Button, Group, Table, Text, TextInput, UnstyledButton, VisuallyHidden } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconArrowDown, IconArrowUp, IconSearch } from "@tabler/icons-react";
import { useState } from "react";
import { DownloadButton } from "./download-button.tsx";
import { formatCount } from "./numbers.ts";
import { usePaths, type Metric } from "./queries.ts";
import { reportDays, type Range } from "./range.ts";
import classes from "./readers.module.css";
import { Answer, Section } from "./section.tsx";
import { ROWS_PER_PAGE, usePathRows, type PathSort } from "./path-rows.ts";

const COLUMNS: readonly { sort: PathSort; label: string; title: string }[] = [
  { sort: "path", label: "Path", title: "path" },
  { sort: "human", label: "People", title: "people" },
  { sort: "ai", label: "AI", title: "AI agents" },
  { sort: "total", label: "All", title: "all readers" },
];

const SEARCH_PAUSE_MS = 250;

/** A report of paths, of which the service sends one page at a time, searched and ordered. */
export function PathTable({
  projectId,
  range,
  report,
  name,
  title,
  description,
  nothing,
}: {
  projectId: string;
  range: Range;
  report: Metric | "not-found";
  /** In front of this table's parameters in the page's address. */
  name: string;
  title: string;
  description?: string;
  /** What an empty report means. */
  nothing: string;
}) {
  const { search, sort, order, page, set } = usePathRows(name);
  const rows = { ...reportDays(range), search: search === "" ? undefined : search, sort, order };
  const offset = (page - 1) * ROWS_PER_PAGE;
  const query = usePaths(projectId, report, { ...rows, limit: ROWS_PER_PAGE, offset });
  return (
    <Section
      title={title}
      description={description}
      tools={
        <>
          <SearchField
            label={`Search in ${title.toLowerCase()}`}
            value={search}
            onChange={(value) => set({ search: value, page: 1 })}
          />
          <DownloadButton projectId={projectId} report={report} rows={rows} label={title.toLowerCase()} />
        </>
      }
    >
      <Answer query={query} height={300}>
        {({ rows: paths, hasMore }) => (
          <>
            {paths.length > 0 && (
              <Table className={`${classes.table} ${classes.paths}`} verticalSpacing={8} role="table">
                <Table.Thead role="rowgroup">
                  <Table.Tr role="row">
                    {COLUMNS.map((column) => (
                      <SortHeader
                        key={column.sort}
                        column={column}
                        current={sort === column.sort ? order : undefined}
                        onSort={(next) => set({ sort: column.sort, order: next, page: 1 })}
                      />
                    ))}
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody role="rowgroup">
                  {paths.map((row) => (
                    <PathRow key={row.path} row={row} most={Math.max(...paths.map(({ total }) => total))} />
                  ))}
                </Table.Tbody>
              </Table>
            )}
            {paths.length === 0 && (
              <Text c="dimmed" py="md">
                {search !== "" ? `No path holds “${search}”.` : page > 1 ? "There are no more rows." : nothing}
              </Text>
            )}
            {(page > 1 || hasMore) && (
              <Pager
                label={title}
                first={offset + 1}
                count={paths.length}
                page={page}
                hasMore={hasMore}
                onPage={(next) => set({ page: next })}
              />
            )}
          </>
        )}
      </Answer>
    </Section>
  );
}

function SearchField({ label, value, onChange }: { label: string; value: string; onChange: (value: string) => void }) {
  const [typed, setTyped] = useState(value);
  const search = useDebouncedCallback(onChange, SEARCH_PAUSE_MS);
  return (
    <TextInput
      type="search"
      size="xs"
      w={200}
      placeholder="Search paths"
      aria-label={label}
      leftSection={<IconSearch size={15} aria-hidden />}
      value={typed}
      maxLength={1_000}
      dir="auto"
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        search(currentTarget.value);
      }}
    />
  );
}

/** Orders by its column; again, the other way round. Counts begin with the most, paths with A. */
function SortHeader({
  column: { sort, label, title },
  current,
  onSort,
}: {
  column: (typeof COLUMNS)[number];
  current: "asc" | "desc" | undefined;
  onSort: (order: "asc" | "desc") => void;
}) {
  const first = sort === "path" ? "asc" : "desc";
  const next = current === undefined ? first : current === "asc" ? "desc" : "asc";
  const Icon = current === "asc" ? IconArrowUp : IconArrowDown;
  return (
    <Table.Th
      scope="col"
      role="columnheader"
      className={sort === "path" ? undefined : classes.number}
      aria-sort={current === undefined ? undefined : current === "asc" ? "ascending" : "descending"}
    >
      <UnstyledButton className={classes.sort} onClick={() => onSort(next)}>
        <VisuallyHidden>Order by </VisuallyHidden>
        <span aria-hidden>{label}</span>
        <VisuallyHidden>{title}</VisuallyHidden>
        {current !== undefined && <Icon size={14} aria-hidden />}
      </UnstyledButton>
    </Table.Th>
  );
}

/** Roles are said, since rows that are laid out as grids would lose their own. */
function PathRow({ row: { path, human, ai, total }, most }: { row: PathCounts; most: number }) {
  const share = { width: `${(total / most) * 100}%`, "--human": `${(human / Math.max(1, human + ai)) * 100}%` };
  return (
    <Table.Tr role="row">
      <Table.Th scope="row" role="rowheader" fw={400}>
        <bdi>{path}</bdi>
        <div className={classes.share} style={share} aria-hidden />
      </Table.Th>
      <Table.Td role="cell" className={classes.number}>
        {formatCount(human)}
      </Table.Td>
      <Table.Td role="cell" className={classes.number}>
        {formatCount(ai)}
      </Table.Td>
      <Table.Td role="cell" className={classes.number}>
        {formatCount(total)}
      </Table.Td>
    </Table.Tr>
  );
}

function Pager({
  label,
  first,
  count,
  page,
  hasMore,
  onPage,
}: {
  label: string;
  first: number;
  count: number;
  page: number;
  hasMore: boolean;
  onPage: (page: number) => void;
}) {
  return (
    <Group component="nav" justify="space-between" mt="sm" aria-label={`Pages of ${label.toLowerCase()}`}>
      <Text size="sm" c="dimmed" role="status">
        {count === 0 ? "" : `Rows ${formatCount(first)} to ${formatCount(first + count - 1)}`}
      </Text>
      <Group gap="xs">
        {page > 2 && (
          <Button variant="default" size="xs" onClick={() => onPage(1)}>
            First
          </Button>
        )}
        <Button variant="default" size="xs" disabled={page === 1} onClick={() => onPage(page - 1)}>
          Previous
        </Button>
        <Button variant="default" size="xs" disabled={!hasMore} onClick={() => onPage(page + 1)}>
          Next
        </Button>
      </Group>
    </Group>
  );
}
