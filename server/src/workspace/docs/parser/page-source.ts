import type { FrameworkName } from "../framework/framework-name.ts";
import { profiles } from "../framework/profiles.ts";
import type { PageFormat } from "../page/markdown-profile.ts";
import { unreadablePage, type PageFacts } from "../page/page-facts.ts";
import { readPage } from "../page/read-page.ts";
import { decodeText } from "../text-edit.ts";

/** A page as it is handed to a parser, on this thread or another. */
export interface PageSource {
  content: Uint8Array;
  format: PageFormat;
  framework: FrameworkName;
  /** The site turns formulas on by its configuration; Mintlify has them always. */
  math: boolean;
}

/** Reads one page's facts. Never throws. */
export function readPageSource(page: PageSource): PageFacts {
  const text = decodeText(page.content);
  if (text === undefined) return unreadablePage("The file is not UTF-8 text.");
  const profile = profiles[page.framework];
  return readPage(text, page.format, page.math ? { ...profile, math: true } : profile);
}
