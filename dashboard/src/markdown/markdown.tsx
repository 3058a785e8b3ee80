import { Loader } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useMemo, type ReactNode } from "react";
import classes from "./markdown.module.css";
import { readOnThread } from "./parser.ts";
import { renderNodes, type LineRange } from "./render.tsx";

export type { LineRange } from "./render.tsx";

const CHARACTERS_MAX = 200_000;

export interface MarkdownProps {
  text: string;
  isMdx?: boolean;
  /** Lines, 1-based, both ends included, whose blocks are marked as new. */
  changedLines?: readonly LineRange[];
  /** What stands there until the text has been read. */
  pending?: ReactNode;
}

const LOADING = <Loader size="xs" aria-label="Loading" />;
const NO_LINES: readonly LineRange[] = [];

/**
 * Markdown or MDX as it reads. Nothing in it runs or is loaded: HTML is shown as text, images by their description and
 * address, components as labelled boxes, and links lead only to addresses of the web and of e-mail.
 */
export function Markdown({ text, isMdx = false, changedLines = NO_LINES, pending = LOADING }: MarkdownProps) {
  const shown = text.length > CHARACTERS_MAX ? text.slice(0, CHARACTERS_MAX) : text;
  const tree = useQuery({
    queryKey: ["markdown", isMdx, shown],
    queryFn: ({ signal }) => readOnThread(shown, isMdx, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    retry: false,
    // A text that grows is shown as it was until it has been read again.
    placeholderData: (before) => before,
  });
  const nodes = useMemo(() => tree.data && renderNodes(tree.data.nodes, changedLines), [tree.data, changedLines]);
  if (tree.isPending) return pending;
  const isCut = shown !== text || tree.data?.isCut === true;
  return (
    <div className={classes.markdown} dir="auto">
      {tree.data?.problem != null && (
        <p className={classes.note}>This MDX cannot be parsed, so it is shown as plain Markdown: {tree.data.problem}</p>
      )}
      {nodes ?? <pre className={classes.written}>{shown}</pre>}
      {isCut && <p className={classes.note}>It goes on: this is too long to be shown whole.</p>}
    </div>
  );
}
