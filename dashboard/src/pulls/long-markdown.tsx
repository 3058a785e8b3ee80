import { Button } from "@mantine/core";
import { useState } from "react";
import { LazyMarkdown } from "../markdown/lazy-markdown.tsx";

/** A text with more is cut at first: an instruction of 100,000 characters must not hide what follows. */
const CHARACTERS_MAX = 3_000;
const CHARACTERS_FIRST = 2_000;

/** Markdown; of a long text its beginning, and the rest on demand. */
export function LongMarkdown({ text }: { text: string }) {
  const [isWhole, setIsWhole] = useState(false);
  if (isWhole || text.length <= CHARACTERS_MAX) return <LazyMarkdown text={text} />;
  return (
    <>
      <LazyMarkdown text={beginningOf(text)} />
      <Button variant="default" size="xs" mt="sm" onClick={() => setIsWhole(true)}>
        Show all {text.length.toLocaleString("en")} characters
      </Button>
    </>
  );
}

function beginningOf(text: string): string {
  const end = text.lastIndexOf("\n", CHARACTERS_FIRST);
  return `${text.slice(0, end > CHARACTERS_FIRST / 2 ? end : CHARACTERS_FIRST)}\n\n…`;
}
