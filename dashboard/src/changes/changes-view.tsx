import { Alert, Button, Group, SegmentedControl, Select, Text } from "@mantine/core";
import { useLocalStorage, useMediaQuery } from "@mantine/hooks";
import { IconFileDiff, IconInfoCircle } from "@tabler/icons-react";
import { defaultRangeExtractor, useWindowVirtualizer, type Range } from "@tanstack/react-virtual";
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from "react";
import { EmptyState } from "../components/empty-state.tsx";
import { ChangedFileSection, type FileView } from "./changed-file.tsx";
import { parseChangedFiles, type ChangedFile, type FileContent } from "./changed-files.ts";
import classes from "./changes.module.css";
import { Counts } from "./counts.tsx";
import { LINES_STEP, type DiffLayout } from "./file-diff.tsx";

/** Up to here all files are in the page, so that the browser's own search finds everything. */
const WHOLE_FILES_MAX = 40;
/** And as many lines in total; beyond, only what is near the window is in the page. */
const WHOLE_LINES_MAX = 4_000;
/** A file with more lines of diff is folded up at first. */
const OPEN_LINES_MAX = 400;
const HEADER_PX = 50;
const LINE_PX = 20;
/** What stays at the top of the window. */
const SHELL_HEADER_PX = 56;

export interface ChangesProps {
  /** As git writes it. */
  diff: string;
  /** False when the diff was cut off because of its size. */
  isComplete?: boolean;
  /** The whole file before and after, for previews. */
  readFile(path: string): Promise<FileContent>;
  /** Where an object of the repository is served as an image; absent: images are only named. */
  imageAddress?: (oid: string) => string;
}

export function ChangesView({ diff, isComplete = true, readFile, imageAddress }: ChangesProps) {
  const files = useMemo(() => parseChangedFiles(diff, isComplete), [diff, isComplete]);
  const isWide = useMediaQuery("(min-width: 62em)", undefined, { getInitialValueInEffect: false });
  const [chosen, setChosen] = useLocalStorage<DiffLayout>({
    key: "docent.changes.layout",
    defaultValue: "side by side",
    getInitialValueInEffect: false,
  });
  const [views, setViews] = useState<ReadonlyMap<string, Partial<FileView>>>(new Map());
  const [focused, setFocused] = useState<string | null>(null);
  const list = useRef<FileListHandle>(null);

  const viewOf = useCallback(
    (file: ChangedFile): FileView => ({
      isOpen: file.lines <= OPEN_LINES_MAX,
      isPreviewed: false,
      linesShown: LINES_STEP,
      ...views.get(file.key),
    }),
    [views],
  );
  const change = useCallback(
    (changed: readonly ChangedFile[], to: Partial<FileView>) =>
      setViews((before) => {
        const after = new Map(before);
        for (const { key } of changed) after.set(key, { ...after.get(key), ...to });
        return after;
      }),
    [],
  );

  if (files.length === 0) {
    return <EmptyState icon={IconFileDiff} title="No file was changed" />;
  }
  const isAnyOpen = files.some((file) => viewOf(file).isOpen);
  return (
    <div>
      <Group justify="space-between" mb="sm" gap="sm">
        <Group gap="sm">
          <Text fw={600} component="span">
            {files.length === 1 ? "1 changed file" : `${files.length.toLocaleString("en")} changed files`}
            {!isComplete && ", and more"}
          </Text>
          <Counts additions={sum(files, "additions")} deletions={sum(files, "deletions")} />
        </Group>
        <Group gap="xs">
          {files.length > 1 && (
            <Select
              className={classes.jump}
              size="xs"
              aria-label="Jump to a file"
              placeholder="Jump to a file"
              searchable
              limit={50}
              value={null}
              maxDropdownHeight={320}
              nothingFoundMessage="No file has this in its path"
              data={files.map(({ key, path }) => ({ value: key, label: path }))}
              onChange={(key) => {
                setFocused(key);
                list.current?.scrollTo(files.findIndex((file) => file.key === key));
              }}
            />
          )}
          <Button
            size="xs"
            variant="default"
            onClick={() => {
              change(files, { isOpen: !isAnyOpen });
              list.current?.forgetHeights();
            }}
          >
            {isAnyOpen ? "Fold all" : "Unfold all"}
          </Button>
          {isWide && (
            <SegmentedControl<DiffLayout>
              size="xs"
              aria-label="Layout of the changes"
              value={chosen}
              onChange={setChosen}
              data={[
                { value: "side by side", label: "Side by side" },
                { value: "unified", label: "Unified" },
              ]}
            />
          )}
        </Group>
      </Group>
      <FileList
        handle={list}
        files={files}
        viewOf={viewOf}
        render={(file) => (
          <ChangedFileSection
            file={file}
            view={viewOf(file)}
            layout={isWide ? chosen : "unified"}
            hasFocus={focused === file.key}
            onChange={(to) => change([file], to)}
            readFile={readFile}
            imageAddress={imageAddress}
          />
        )}
      />
      {!isComplete && (
        <Alert mt="sm" color="yellow" variant="light" icon={<IconInfoCircle aria-hidden />} title="There is more">
          The change is bigger than what is shown here. Fetch the branch with git to read all of it.
        </Alert>
      )}
    </div>
  );
}

function sum(files: readonly ChangedFile[], side: "additions" | "deletions"): number {
  return files.reduce((total, file) => total + file[side], 0);
}

interface FileListHandle {
  scrollTo(index: number): void;
  /** Most files are about to be higher or lower than they were when they were last in the page. */
  forgetHeights(): void;
}

/** The files one below the other. Of many, only those near the window are in the page. */
function FileList({
  handle,
  files,
  viewOf,
  render,
}: {
  handle: React.RefObject<FileListHandle | null>;
  files: readonly ChangedFile[];
  viewOf: (file: ChangedFile) => FileView;
  render: (file: ChangedFile) => React.ReactNode;
}) {
  const list = useRef<HTMLDivElement>(null);
  const [offset, setOffset] = useState(0);
  useLayoutEffect(() => {
    // What stands above the list may grow and shrink.
    const measure = (): void => {
      if (list.current !== null) setOffset(Math.round(list.current.getBoundingClientRect().top + window.scrollY));
    };
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    measure();
    return () => observer.disconnect();
  }, []);

  const isWhole =
    files.length <= WHOLE_FILES_MAX && files.reduce((total, { lines }) => total + lines, 0) <= WHOLE_LINES_MAX;
  // Nothing of it is given to a component that is kept when its properties are.
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useWindowVirtualizer({
    count: files.length,
    estimateSize: (index) => {
      const file = files[index];
      if (file === undefined) return 0;
      const view = viewOf(file);
      return HEADER_PX + 12 + (view.isOpen ? Math.min(file.lines, view.linesShown) * LINE_PX : 0);
    },
    overscan: 3,
    rangeExtractor: useCallback(
      (range: Range) =>
        isWhole ? Array.from({ length: range.count }, (_, index) => index) : defaultRangeExtractor(range),
      [isWhole],
    ),
    getItemKey: useCallback((index: number) => files[index]?.key ?? index, [files]),
    scrollMargin: offset,
    scrollPaddingStart: SHELL_HEADER_PX + 8,
  });
  handle.current = {
    scrollTo: (index) => virtualizer.scrollToIndex(index, { align: "start" }),
    forgetHeights: () => virtualizer.measure(),
  };

  const items = virtualizer.getVirtualItems();
  const before = (items[0]?.start ?? offset) - offset;
  const after = virtualizer.getTotalSize() - ((items.at(-1)?.end ?? offset) - offset);
  return (
    // In the normal flow, and not moved there: headers that stick would stick elsewhere.
    <div ref={list} style={{ paddingTop: before, paddingBottom: Math.max(0, after) }}>
      {items.map(({ key, index }) => {
        const file = files[index];
        return (
          file !== undefined && (
            <div key={key} data-index={index} ref={virtualizer.measureElement} className={classes.item}>
              {render(file)}
            </div>
          )
        );
      })}
    </div>
  );
}
