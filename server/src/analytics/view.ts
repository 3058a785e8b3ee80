import type { ViewSource } from "../database/schema.ts";

/** Where a view was seen. `api`: any server-side caller of the collect endpoint that does not say otherwise. */
export type Source = ViewSource;
export const SOURCES: readonly Source[] = ["tracker", "middleware", "log", "api"];

export type ViewClass = "human" | "ai" | "bot";

/**
 * What an AI agent reads for: an `assistant` for a person who asks, a `search` engine for its index, `training` for a
 * model; a `reader` is an unknown client that fetches Markdown. `none` for people and other bots.
 */
export type Purpose = "none" | "assistant" | "search" | "training" | "reader";

/** One view of one page, classified, as it is stored. No address and no user agent is. */
export interface View {
  /** Milliseconds since 1970, UTC; kept to the second. From 1971 on. */
  time: number;
  /** 64 bits of a keyed hash; see `collect/visitor.ts`. */
  visitor: bigint;
  /** Normalised; `/` is the root page. */
  path: string;
  class: ViewClass;
  purpose: Purpose;
  /** The name of the AI agent or the bot; empty for people. */
  agent: string;
  source: Source;
  /** The page was not there: answered 404 or 410. Such views are counted in the report of missing pages only. */
  isMissing: boolean;
  /** The host that linked here, empty when unknown or the site itself. */
  referrer: string;
}

/** The views of one project that are stored together. */
export interface ProjectViews {
  projectId: string;
  views: readonly View[];
}
