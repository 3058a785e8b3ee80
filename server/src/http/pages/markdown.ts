import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import type { Html } from "./html.ts";

const CHARACTERS_MAX = 60_000;

/**
 * Markdown as HTML. Raw HTML in it is shown as text, and links with protocols that could run something are left
 * empty: micromark's own defaults.
 */
export function renderMarkdown(text: string): Html {
  const shown = text.length > CHARACTERS_MAX ? `${text.slice(0, CHARACTERS_MAX)}\n\n…` : text;
  return { markup: micromark(shown, { extensions: [gfm()], htmlExtensions: [gfmHtml()] }) };
}
