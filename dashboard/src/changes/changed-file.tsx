import { Badge, Button, UnstyledButton } from "@mantine/core";
import { IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import { Suspense, useEffect, useId, useRef } from "react";
import { CopyButton } from "../components/copy-button.tsx";
import { Loading } from "../components/loading.tsx";
import type { ChangedFile, FileContent } from "./changed-files.ts";
import classes from "./changes.module.css";
import { Counts } from "./counts.tsx";
import { FileDiff, LINES_STEP, type DiffLayout } from "./file-diff.tsx";
import { ImageChange, isImage } from "./image-change.tsx";
import { lazyPart } from "../components/lazy-part.ts";

const PagePreview = lazyPart(async () => ({ default: (await import("./page-preview.tsx")).PagePreview }));

/** How a reader has set one file. */
export interface FileView {
  isOpen: boolean;
  isPreviewed: boolean;
  linesShown: number;
}

const STATUS_COLORS = { added: "green", deleted: "red", modified: "gray", renamed: "blue" } as const;

export function ChangedFileSection({
  file,
  view,
  layout,
  hasFocus,
  onChange,
  readFile,
  imageAddress,
}: {
  file: ChangedFile;
  view: FileView;
  layout: DiffLayout;
  /** The reader jumped here. */
  hasFocus: boolean;
  onChange(change: Partial<FileView>): void;
  readFile(path: string): Promise<FileContent>;
  imageAddress?: ((oid: string) => string) | undefined;
}) {
  const bodyId = useId();
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (hasFocus) button.current?.focus({ preventScroll: true });
  }, [hasFocus]);
  const Chevron = view.isOpen ? IconChevronDown : IconChevronRight;
  const isPage = /\.(?:md|mdx|markdown)$/i.test(file.path);
  return (
    <section className={classes.file} aria-label={file.path}>
      <header className={classes.fileHeader}>
        <h3 className={classes.fileTitle}>
          <UnstyledButton
            ref={button}
            className={classes.fileButton}
            aria-expanded={view.isOpen}
            aria-controls={view.isOpen ? bodyId : undefined}
            onClick={() => onChange({ isOpen: !view.isOpen })}
          >
            <Chevron size={18} aria-hidden className={classes.chevron} />
            <bdi className={classes.path}>
              {file.oldPath !== null && <span className={classes.oldPath}>{file.oldPath} → </span>}
              {file.path}
            </bdi>
          </UnstyledButton>
        </h3>
        <CopyButton value={file.path} label="Copy the path" />
        {file.status !== "modified" && (
          <Badge variant="light" color={STATUS_COLORS[file.status]} className={classes.badge}>
            {file.status === "renamed" ? "moved" : file.status}
          </Badge>
        )}
        <Counts additions={file.additions} deletions={file.deletions} isBinary={file.isBinary} />
        {isPage && (
          <Button
            size="compact-xs"
            variant={view.isPreviewed && view.isOpen ? "filled" : "default"}
            aria-pressed={view.isPreviewed && view.isOpen}
            onClick={() => onChange({ isPreviewed: !(view.isPreviewed && view.isOpen), isOpen: true })}
          >
            Preview
          </Button>
        )}
      </header>
      {view.isOpen && (
        <div id={bodyId} className={classes.fileBody}>
          {isPage && view.isPreviewed ? (
            <Suspense fallback={<Loading />}>
              <PagePreview file={file} readFile={readFile} />
            </Suspense>
          ) : (
            <Content file={file} view={view} layout={layout} onChange={onChange} imageAddress={imageAddress} />
          )}
        </div>
      )}
    </section>
  );
}

function Content({
  file,
  view,
  layout,
  onChange,
  imageAddress,
}: {
  file: ChangedFile;
  view: FileView;
  layout: DiffLayout;
  onChange(change: Partial<FileView>): void;
  imageAddress: ((oid: string) => string) | undefined;
}) {
  const image = imageAddress !== undefined && isImage(file) ? <ImageChange file={file} address={imageAddress} /> : null;
  if (file.lines === 0) return image ?? <p className={classes.why}>{describeWhy(file)}</p>;
  return (
    <>
      {image}
      <FileDiff
        part={file.part}
        // Beside a file that was not there, or is not any more, there is nothing to see.
        layout={file.status === "added" || file.status === "deleted" ? "unified" : layout}
        linesShown={view.linesShown}
        onShowMore={() => onChange({ linesShown: view.linesShown + LINES_STEP })}
      />
    </>
  );
}

/** Why there are no lines to show. */
function describeWhy(file: ChangedFile): string {
  if (file.isBinary) return "A binary file: its content is not shown here.";
  if (file.oldMode !== null && file.newMode !== null && file.oldMode !== file.newMode) {
    return `Its mode changed from ${file.oldMode} to ${file.newMode}.`;
  }
  return file.status === "renamed" ? "Moved without a change." : "An empty file.";
}
