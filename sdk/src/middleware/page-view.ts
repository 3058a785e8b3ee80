/** What both kinds of servers tell of a request. */
export interface SeenRequest {
  method: string;
  /** Of the URL, without query and fragment. */
  path: string;
  /** By lower-case name; undefined when there was none. */
  header(name: string): string | undefined;
}

export interface SeenResponse {
  status: number;
  contentType: string | undefined;
}

const PAGE_TYPE = /^(text\/html|application\/xhtml\+xml|text\/markdown|text\/x-markdown)\s*(;|$)/i;
const PLAIN_TYPE = /^text\/plain\s*(;|$)/i;
const MARKDOWN_PATH = /(\.mdx?|\/llms(-full)?\.txt)$/i;
/** An ending of letters, as files have; `/v1.2` has none. */
const FILE_PATH = /\.[a-z][a-z0-9]{0,4}$/i;
const PAGE_FILE_PATH = /\.(html?|xhtml|mdx?)$/i;

/** Names that say by being there that a framework fetches a part of a page, or a page ahead of its need. */
const PARTIAL_HEADERS = ["rsc", "next-router-prefetch", "x-middleware-prefetch", "x-nextjs-data"];
const PURPOSE_HEADERS = ["sec-purpose", "purpose", "x-purpose", "x-moz"];

/**
 * Whether somebody was shown a page, or told that there is none: a GET, answered with HTML or Markdown, or with a page's 404 or 410.
 * Assets, prefetches, redirects and errors are none.
 */
export function isPageView(request: SeenRequest, response: SeenResponse): boolean {
  if (!mayBePageView(request)) return false;
  const { status, contentType } = response;
  // The reader has the page and was told that it still holds; such an answer has no type.
  if (status === 304) return isPagePath(request.path);
  const isPage =
    contentType !== undefined &&
    (PAGE_TYPE.test(contentType) || (PLAIN_TYPE.test(contentType) && MARKDOWN_PATH.test(request.path)));
  if (status === 200 || status === 203) return isPage;
  return (status === 404 || status === 410) && isPagePath(request.path);
}

/** The same where the answer cannot be seen: by the path alone, and by what browsers say that they fetch. */
export function isPageRequest(request: SeenRequest): boolean {
  const destination = request.header("sec-fetch-dest");
  const isForReading = destination === undefined || destination === "document" || MARKDOWN_PATH.test(request.path);
  return mayBePageView(request) && isForReading && isPagePath(request.path);
}

function mayBePageView(request: SeenRequest): boolean {
  if (request.method !== "GET") return false;
  if (PARTIAL_HEADERS.some((name) => request.header(name) !== undefined)) return false;
  return !PURPOSE_HEADERS.some((name) => /prefetch|preview|prerender/i.test(request.header(name) ?? ""));
}

function isPagePath(path: string): boolean {
  return !FILE_PATH.test(path) || PAGE_FILE_PATH.test(path) || MARKDOWN_PATH.test(path);
}
