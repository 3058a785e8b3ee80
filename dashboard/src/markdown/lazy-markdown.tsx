import { Loader } from "@mantine/core";
import { Suspense } from "react";
import type { MarkdownProps } from "./markdown.tsx";
import { lazyPart } from "../components/lazy-part.ts";

const Markdown = lazyPart(async () => ({ default: (await import("./markdown.tsx")).Markdown }));

/** `Markdown`, fetched when the first text is shown. */
export function LazyMarkdown(props: MarkdownProps) {
  return (
    <Suspense fallback={<Loader size="xs" aria-label="Loading" />}>
      <Markdown {...props} />
    </Suspense>
  );
}
