import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { ErrorNotice } from "../components/error-notice.tsx";
import { Loading } from "../components/loading.tsx";
import { Markdown, type LineRange } from "../markdown/markdown.tsx";
import type { FileContent } from "./changed-files.ts";
import type { ChangedFile } from "./changed-files.ts";
import classes from "./changes.module.css";
import { parseHunks } from "./patch.ts";

/** A changed page as it reads now, with what is new in it marked. */
export function PagePreview({
  file,
  readFile,
}: {
  file: ChangedFile;
  readFile: (path: string) => Promise<FileContent>;
}) {
  const content = useQuery({
    // The part is as new as the change itself.
    queryKey: ["page-preview", file.path, file.newOid, file.part],
    queryFn: () => readFile(file.path),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  });
  const changed = useMemo(() => (file.status === "added" ? [] : findAddedLines(file.part)), [file]);
  if (content.data === undefined) {
    if (content.isError) return <ErrorNotice error={content.error} onRetry={() => void content.refetch()} />;
    return <Loading />;
  }
  const text = content.data.newContent ?? content.data.oldContent;
  if (text === null) return <p className={classes.why}>Its content cannot be shown.</p>;
  return (
    <>
      {content.data.newContent === null && <p className={classes.why}>Deleted. This is how it read.</p>}
      <div className={classes.preview}>
        <Markdown text={text} isMdx={file.path.toLowerCase().endsWith(".mdx")} changedLines={changed} />
      </div>
    </>
  );
}

function findAddedLines(part: string): LineRange[] {
  const ranges: LineRange[] = [];
  for (const { newNumber, type } of parseHunks(part).flatMap(({ lines }) => lines)) {
    if (type !== "added" || newNumber === null) continue;
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === newNumber - 1) last[1] = newNumber;
    else ranges.push([newNumber, newNumber]);
  }
  return ranges;
}
