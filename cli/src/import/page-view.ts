import type { LoggedRequest } from "./formats/format.ts";

/** Why a line does not count: what the summary calls it. The codes are the service's own where it would say the same. */
export const REASONS = {
  malformed_line: "not a line of this format",
  line_too_long: "longer than 1 MiB",
  other_entry: "log entries that are no request",
  no_request: "no HTTP request with a path",
  no_visitor: "no client address",
  other_host: "another host (--host)",
  outside_base_path: "outside of the base path (--base-path)",
  method_not_get: "methods other than GET",
  not_a_page: "assets and other files that are no pages",
  prefetch: "prefetches",
  status_not_page_view: "redirects and errors",
  invalid_url: "paths over 1,000 characters, or with control characters",
  timestamp_in_future: "more than 10 minutes ahead of the service's clock",
  timestamp_before_1971: "before 1971",
  timestamp_before_retention: "days that the project no longer keeps",
  global_privacy_control: "readers with Global Privacy Control, which the project drops",
} as const;

/** The last five are for the service alone to find. */
type Reason = keyof typeof REASONS;

export interface PageViewFilter {
  /** Lower-case names without port; empty for all. */
  hosts: readonly string[];
  /** Without a slash at its end; empty for all. */
  basePath: string;
}

/** Files that are parts of pages, or that programs read. What they look like by their name is enough to drop them early. */
export const ASSET_EXTENSIONS: readonly string[] =
  "css js mjs cjs map json xml rss atom webmanifest wasm png jpg jpeg gif svg webp avif ico bmp woff woff2 ttf otf eot mp4 webm mp3 ogg wav pdf zip gz tgz".split(
    " ",
  );
const ASSETS = new Set(ASSET_EXTENSIONS);
const EXTENSION_LENGTH_MAX = Math.max(...ASSET_EXTENSIONS.map(({ length }) => length));
const SLASH = 47;

/**
 * Why a request is no page view; undefined for one. Sets `path` to what was asked for, without its query.
 * Host, base path and files come first: most lines of a log are assets, and a line's reason is the first that fits.
 */
export function createPageViewCheck(filter: PageViewFilter) {
  const hosts = new Set(filter.hosts);
  const { basePath } = filter;

  function pathOf(target: string): string {
    const query = target.indexOf("?");
    const path = query === -1 ? target : target.slice(0, query);
    return path.charCodeAt(0) === SLASH
      ? path
      : /^https?:\/\/[^/]*(\/.*|$)/i.exec(path)?.[1] || (/^https?:/i.test(path) ? "/" : "");
  }

  const isOutside = (path: string): boolean =>
    !path.startsWith(basePath) || (path.length > basePath.length && path.charCodeAt(basePath.length) !== SLASH);

  return {
    path: "",

    check(request: LoggedRequest): Reason | undefined {
      if (hosts.size > 0 && !hosts.has(request.host.toLowerCase())) return "other_host";
      const { method } = request;
      if (method === "") return "no_request";
      if (method !== "GET") return "method_not_get";
      const path = pathOf(request.target);
      if (path === "") return "no_request";
      this.path = path;
      if (basePath !== "" && isOutside(path)) return "outside_base_path";
      if (isAsset(path)) return "not_a_page";
      // Next.js fetches `?_rsc=` for links that come into view, long before somebody follows one, if ever.
      if (request.isPrefetch || request.target.includes("_rsc=", path.length)) return "prefetch";
      if (!countsAsView(request.status)) return "status_not_page_view";
      return request.address === "" ? "no_visitor" : undefined;
    },
  };
}

/** 304 is a page that the reader has and came back to; 404 and 410 are counted as missing. */
function countsAsView(status: number): boolean {
  return status === 200 || status === 203 || status === 304 || status === 404 || status === 410;
}

function isAsset(path: string): boolean {
  const dot = path.lastIndexOf(".");
  if (dot === -1 || path.length - dot - 1 > EXTENSION_LENGTH_MAX) return false;
  return ASSETS.has(path.slice(dot + 1).toLowerCase());
}
