import type { Purpose, ViewClass } from "../view.ts";

/** What is known of a request, by header. */
export interface ClientRequest {
  /** Empty when there was none. */
  userAgent: string;
  /** The Accept header, empty when unknown. */
  accept: string;
  /** The client was answered Markdown: the path ends in `.md` or `.mdx`, or it asked for `text/markdown`. */
  isMarkdown: boolean;
}

export interface Classification {
  class: ViewClass;
  purpose: Purpose;
  /** The name of the AI agent or the bot; empty for people. */
  agent: string;
}
