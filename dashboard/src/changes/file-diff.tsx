import { Button } from "@mantine/core";
import { Fragment, memo, useMemo } from "react";
import classes from "./changes.module.css";
import { parseHunks, type PatchHunk, type PatchLine } from "./patch.ts";
import { pairLines } from "./rows.ts";
import { markWords, type Piece } from "./words.ts";

export type DiffLayout = "unified" | "side by side";

/** Lines of diff that are shown at once; the rest on demand. */
export const LINES_STEP = 1_000;
/** In a file with more lines, whole lines are marked: comparing the words of 6,000 hard ones took 1.8 s. */
const WORD_LINES_MAX = 1_500;
const LINE_CHARACTERS_MAX = 5_000;

interface FileDiffProps {
  /** The file's part of the diff. */
  part: string;
  layout: DiffLayout;
  linesShown: number;
  onShowMore(): void;
}

/** The changed lines of one file, in one column or two. */
export const FileDiff = memo(function FileDiff({ part, layout, linesShown, onShowMore }: FileDiffProps) {
  const hunks = useMemo(() => parseHunks(part), [part]);
  const total = hunks.reduce((sum, { lines }) => sum + lines.length, 0);
  const words = useMemo(
    () => (total <= WORD_LINES_MAX ? hunks.map(({ lines }) => markWords(lines)) : []),
    [hunks, total],
  );
  const shown = useMemo(() => cut(hunks, linesShown), [hunks, linesShown]);
  const isSplit = layout === "side by side";
  return (
    <>
      <table className={classes.diff} data-layout={isSplit ? "split" : "unified"}>
        <colgroup>
          <col className={classes.numberColumn} />
          {isSplit ? <col /> : <col className={classes.numberColumn} />}
          {isSplit && <col className={classes.numberColumn} />}
          <col />
        </colgroup>
        {shown.map((hunk, index) => (
          // Hunks have no names of their own; their order never changes.
          // oxlint-disable-next-line react/no-array-index-key
          <tbody key={index}>
            {(index > 0 || hunk.context !== "") && (
              <tr className={classes.hunk}>
                <td colSpan={isSplit ? 4 : 3} dir="auto">
                  {hunk.context === "" ? "…" : `… ${hunk.context}`}
                </td>
              </tr>
            )}
            {isSplit ? (
              <SplitRows hunk={hunk} words={words[index]} />
            ) : (
              <UnifiedRows hunk={hunk} words={words[index]} />
            )}
          </tbody>
        ))}
      </table>
      {total > linesShown && (
        <div className={classes.more}>
          <Button variant="default" size="xs" onClick={onShowMore}>
            Show {Math.min(LINES_STEP, total - linesShown).toLocaleString("en")} more of{" "}
            {(total - linesShown).toLocaleString("en")} lines
          </Button>
        </div>
      )}
    </>
  );
});

function cut(hunks: readonly PatchHunk[], linesMax: number): PatchHunk[] {
  const shown: PatchHunk[] = [];
  let left = linesMax;
  for (const hunk of hunks) {
    if (left <= 0) break;
    shown.push(hunk.lines.length <= left ? hunk : { ...hunk, lines: hunk.lines.slice(0, left) });
    left -= hunk.lines.length;
  }
  return shown;
}

type Words = ReadonlyMap<PatchLine, Piece[]> | undefined;

function UnifiedRows({ hunk, words }: { hunk: PatchHunk; words: Words }) {
  return hunk.lines.map((line, index) => (
    // oxlint-disable-next-line react/no-array-index-key
    <tr key={index} data-type={line.type}>
      <td className={classes.number}>{line.oldNumber}</td>
      <td className={classes.number}>{line.newNumber}</td>
      <Code line={line} pieces={words?.get(line)} />
    </tr>
  ));
}

function SplitRows({ hunk, words }: { hunk: PatchHunk; words: Words }) {
  return pairLines(hunk.lines).map((row, index) => (
    // oxlint-disable-next-line react/no-array-index-key
    <tr key={index}>
      {([row.old, row.new] as const).map((line, side) => {
        const number = side === 0 ? line?.oldNumber : line?.newNumber;
        return (
          // oxlint-disable-next-line react/no-array-index-key
          <Fragment key={side}>
            <td className={classes.number} data-type={line?.type ?? "none"}>
              {number}
            </td>
            <Code line={line} pieces={line === null ? undefined : words?.get(line)} />
          </Fragment>
        );
      })}
    </tr>
  ));
}

function Code({ line, pieces }: { line: PatchLine | null; pieces: readonly Piece[] | undefined }) {
  if (line === null) {
    return (
      <td className={classes.code} data-type="none">
        {null}
      </td>
    );
  }
  const text = <LineText text={line.text} pieces={pieces} />;
  return (
    <td className={classes.code} data-type={line.type} dir="auto">
      {line.type === "added" ? <ins>{text}</ins> : line.type === "removed" ? <del>{text}</del> : text}
    </td>
  );
}

function LineText({ text, pieces }: { text: string; pieces: readonly Piece[] | undefined }) {
  if (text.length > LINE_CHARACTERS_MAX) {
    const more = text.length - LINE_CHARACTERS_MAX;
    return (
      <>
        {text.slice(0, LINE_CHARACTERS_MAX)}
        <i className={classes.cut}> … {more.toLocaleString("en")} more characters</i>
      </>
    );
  }
  if (pieces === undefined) return text;
  return pieces.map((piece, index) =>
    // oxlint-disable-next-line react/no-array-index-key
    piece.changed ? <mark key={index}>{piece.text}</mark> : <Fragment key={index}>{piece.text}</Fragment>,
  );
}
