import { readMarkdown } from "./read-markdown.ts";

/** Reads texts off the page's own thread: see parser.ts. */
self.addEventListener("message", ({ data }: MessageEvent<{ text: string; isMdx: boolean }>) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker, not a window
  self.postMessage(readMarkdown(data.text, data.isMdx));
});
