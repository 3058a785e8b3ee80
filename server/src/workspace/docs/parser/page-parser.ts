import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { unreadablePage, type PageFacts } from "../page/page-facts.ts";
import { readPageSource, type PageSource } from "./page-source.ts";
import { createProcessPool, type Unanswered } from "./process-pool.ts";

/** Parses pages away from the event loop. */
export interface PageParser {
  /** Never fails for what stands in the page. @throws the signal's reason when it is aborted before the page's turn. */
  parse(page: PageSource, signal?: AbortSignal): Promise<PageFacts>;
}

export interface PageParserOptions {
  processes?: number;
  /** A page that takes longer is reported as one that cannot be parsed, and its process is replaced. */
  timeoutMs?: number;
  /** Processes without work end after this time. */
  idleMs?: number;
  /**
   * Pages up to this size are parsed right here while no other waits. The worst texts known take time by the square
   * of their length: 60 kB of nested emphasis a minute, 2 kB of nested quotes and lists half a second.
   */
  inlineBytesMax?: number;
}

const PROGRAM = fileURLToPath(new URL("./page-parser-process.ts", import.meta.url));

function whyUnreadable(outcome: Unanswered, timeoutMs: number): string {
  if (outcome.unanswered === "time") {
    return `The page cannot be parsed within ${timeoutMs / 1000} s; simplify its markup.`;
  }
  return outcome.unanswered === "died"
    ? "The page cannot be parsed; its markup is nested too deeply."
    : `The page cannot be parsed: ${outcome.message}.`;
}

export function createPageParser(options: PageParserOptions = {}): PageParser {
  const timeoutMs = options.timeoutMs ?? 30_000;
  const inlineBytesMax = options.inlineBytesMax ?? 512;
  const pool = createProcessPool<PageSource, PageFacts>({
    program: PROGRAM,
    processes: options.processes ?? Math.max(1, Math.min(4, availableParallelism())),
    timeoutMs,
    idleMs: options.idleMs ?? 30_000,
  });
  return {
    async parse(page, signal) {
      if (page.content.length <= inlineBytesMax && !pool.isBusy()) return readPageSource(page);
      const outcome = await pool.ask(page, signal);
      return "unanswered" in outcome ? unreadablePage(whyUnreadable(outcome, timeoutMs)) : outcome;
    },
  };
}
