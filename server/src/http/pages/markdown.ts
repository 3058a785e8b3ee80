import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import { runOnThread } from "../../limited-thread.ts";
import { markup, type Html } from "./html.ts";

const CHARACTERS_MAX = 60_000;
/** The worst texts take time by the square of their length or worse: 20 kB of nested lists took 10 s, 2 kB take 30 ms. */
const INLINE_CHARACTERS_MAX = 2_000;
const RENDER_MS_MAX = 2_000;

/**
 * Markdown as HTML. Raw HTML in it is shown as text, and links with protocols that could run something are left
 * empty: micromark's own defaults.
 */
export function renderMarkdownNow(text: string): string {
  return micromark(text, { extensions: [gfm()], htmlExtensions: [gfmHtml()] });
}

/** The same for a text that others wrote: what cannot be rendered in time is shown as it was written. */
export async function renderMarkdown(text: string): Promise<Html> {
  const shown = text.length > CHARACTERS_MAX ? `${text.slice(0, CHARACTERS_MAX)}\n\n…` : text;
  if (shown.length <= INLINE_CHARACTERS_MAX) return { markup: renderMarkdownNow(shown) };
  const program = new URL("./markdown-thread.ts", import.meta.url);
  const outcome = await runOnThread<string>(program, { text: shown }, RENDER_MS_MAX);
  return outcome === "took too long" ? markup`<pre>${shown}</pre>` : { markup: outcome.result };
}
