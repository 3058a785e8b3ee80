import { createRecentMap } from "../recent-map.ts";
import { decodePath, pagePath } from "./path.ts";

/** What a URL names, as far as views are concerned. */
export interface Page {
  /** Normalised. */
  path: string;
  /** It is Markdown by its name, whatever was asked for. */
  isMarkdown: boolean;
  /** The host of a full URL in lower case, without the port; empty for a path. */
  host: string;
}

const PAGES_REMEMBERED = 10_000;
const HOST = /^https?:\/\/(?:[^/?#@]*@)?(\[[^\]]*\]|[^/?#:@]+)/i;
const MARKDOWN = /\.mdx?$/;

/**
 * https://llmstxt.org: an overview of a site for language models, in Markdown. They count as pages, under their own paths: agents
 * read the documentation there.
 */
const LLMS_TXT = /(?:^|\/)llms(?:-full)?\.txt$/;

/** Files that pages load, and files for programs. Pages may have dots in their names: `/v1.2`, `/api/node.js-runtime`. */
const ASSET =
  /\.(?:js|mjs|cjs|jsx|ts|tsx|map|css|scss|less|wasm|json|jsonl|json5|ya?ml|toml|xml|xsl|rss|atom|txt|csv|tsv|png|jpe?g|gif|webp|avif|apng|svg|ico|bmp|tiff?|heic|jxl|woff2?|ttf|otf|eot|mp4|m4v|webm|ogv|mov|mp3|ogg|wav|flac|m4a|vtt|srt|pdf|zip|gz|tgz|bz2|xz|zst|7z|rar|tar|dmg|exe|msi|deb|rpm|apk|jar|whl|webmanifest|manifest|appcache|env|sql|bak|ini|log|lock)$/i;
/** What frameworks and hosts put beside the pages. */
const ASSET_FOLDER = /^\/(?:_next|_nuxt|_astro|_vercel|_app|cdn-cgi|\.well-known)\//;

/** Reads a URL or path as a page. @returns a rejection's code for what is none. */
export function createPageReader(): (urlOrPath: string) => Page | "invalid_url" | "not_a_page" {
  const remembered = createRecentMap<Page | "invalid_url" | "not_a_page">(PAGES_REMEMBERED);
  return (urlOrPath) => {
    const known = remembered.get(urlOrPath);
    if (known !== undefined) return known;
    const page = readPage(urlOrPath);
    remembered.set(urlOrPath, page);
    return page;
  };
}

/** Reads a URL or path as a page. @returns a rejection's code for what is none. */
export function readPage(urlOrPath: string): Page | "invalid_url" | "not_a_page" {
  const asked = decodePath(urlOrPath);
  if (asked === undefined) return "invalid_url";
  const isLlmsTxt = LLMS_TXT.test(asked);
  if (!isLlmsTxt && (ASSET.test(asked) || ASSET_FOLDER.test(asked))) return "not_a_page";
  return {
    path: pagePath(asked),
    isMarkdown: isLlmsTxt || MARKDOWN.test(asked),
    host: hostOf(urlOrPath),
  };
}

/** The host of an http(s) URL, in lower case and without the port; empty for anything else. */
export function hostOf(url: string): string {
  return HOST.exec(url)?.[1]?.toLowerCase() ?? "";
}

/** What the status of a GET says of the page: it was shown, there is none, or neither. */
export function readStatus(status: number): "shown" | "missing" | "neither" {
  if (status === 200 || status === 203 || status === 304) return "shown";
  return status === 404 || status === 410 ? "missing" : "neither";
}

/** Whether an Accept header asks for Markdown, and no less than for HTML. */
export function prefersMarkdown(accept: string): boolean {
  if (!accept.includes("markdown")) return false;
  const markdown = Math.max(qualityOf(accept, /\btext\/(?:x-)?markdown\b/i), 0);
  return markdown > 0 && markdown >= qualityOf(accept, /\btext\/html\b/i);
}

/** The `q` of the first range that matches; -1 without one. */
function qualityOf(accept: string, type: RegExp): number {
  const range = accept.split(",").find((part) => type.test(part));
  if (range === undefined) return -1;
  const quality = /;\s*q\s*=\s*([\d.]+)/i.exec(range)?.[1];
  return quality === undefined ? 1 : Number(quality);
}
