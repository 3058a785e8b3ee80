import { Button } from "@mantine/core";
import { useMemo } from "react";
import { CopyButton } from "../../components/copy-button.tsx";
import { useOpenRow } from "./open-rows.tsx";
import classes from "./transcript.module.css";

const LINES_MAX = 24;
const CHARACTERS_MAX = 2_000;
/** A browser lays out the pieces that are in sight alone. */
const PIECE_CHARACTERS = 8_000;

const count = new Intl.NumberFormat("en");

/**
 * A text of any length: its beginning, and all of it when asked for.
 * @param rowKey names it among everything that can be unfolded
 */
export function LongText({
  rowKey,
  text,
  label,
  isCode = false,
}: {
  rowKey: string;
  text: string;
  label: string;
  isCode?: boolean;
}) {
  const [isWhole, toggle] = useOpenRow(`${rowKey} whole`);
  const start = useMemo(() => beginning(text), [text]);
  const isLong = start.length < text.length;
  return (
    <div>
      <div className={isCode ? classes.code : undefined}>
        {isWhole && isLong ? (
          <WholeText text={text} label={label} isCode={isCode} />
        ) : (
          <div className={classes.plain} dir="auto">
            {start}
            {isLong && "…"}
          </div>
        )}
        {isCode && text !== "" && (
          <div className={classes.copy}>
            <CopyButton value={text} label={`Copy: ${label}`} />
          </div>
        )}
      </div>
      {isLong && (
        <Button variant="subtle" size="compact-sm" mt={4} onClick={toggle} aria-expanded={isWhole}>
          {isWhole ? "Show less" : `Show all ${count.format(text.length)} characters`}
        </Button>
      )}
    </div>
  );
}

function WholeText({ text, label, isCode }: { text: string; label: string; isCode: boolean }) {
  const pieces = useMemo(() => piecesOf(text), [text]);
  return (
    // What scrolls must be reachable by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={classes.whole} tabIndex={0} role="region" aria-label={label}>
      {pieces.map((piece, index) => (
        // The text of a row never changes.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={index} className={classes.piece} dir={isCode ? "ltr" : "auto"}>
          {piece}
        </div>
      ))}
    </div>
  );
}

function beginning(text: string): string {
  let end = Math.min(text.length, CHARACTERS_MAX);
  let lineStart = 0;
  for (let line = 0; line < LINES_MAX; line++) {
    const next = text.indexOf("\n", lineStart);
    if (next === -1 || next >= end) return cutAt(text, end);
    lineStart = next + 1;
  }
  end = lineStart - 1;
  return cutAt(text, end);
}

/** Half a surrogate pair is no character. */
function cutAt(text: string, end: number): string {
  return text.slice(0, /[\uD800-\uDBFF]/.test(text[end - 1] ?? "") && end < text.length ? end - 1 : end);
}

/** Whole lines, about as many characters in each. */
export function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  for (let start = 0; start < text.length;) {
    const lineEnd = text.indexOf("\n", start + PIECE_CHARACTERS);
    const end = lineEnd === -1 ? text.length : lineEnd;
    pieces.push(text.slice(start, end));
    start = end + 1;
  }
  return pieces;
}
