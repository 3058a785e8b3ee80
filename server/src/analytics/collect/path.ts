/** The longest path that is stored, in UTF-16 units. */
export const PATH_LENGTH_MAX = 1_000;
/** The longest URL that is looked at; browsers send no more than about this. */
const URL_LENGTH_MAX = 8_000;

const ORIGIN = /^https?:\/\/[^/?#\\]+(?=[/?#]|$)/i;
const CONTROL_CHARACTERS = /\p{Cc}/u;
const PERCENT_ENCODED = /(?:%[0-9a-f]{2})+/gi;

/**
 * The path of a page as every report names it: without origin, query, hash, trailing slash, `index`, and `.md`, `.mdx` or
 * `.html`; percent-decoded, with its case. What was normalised once stays as it is. The root page is `/`.
 * @param urlOrPath An http(s) URL, or a path that begins with a slash.
 * @returns undefined for anything else, for control characters, unpaired surrogates, and paths over `PATH_LENGTH_MAX`.
 */
export function normalisePath(urlOrPath: string): string | undefined {
  const path = decodePath(urlOrPath);
  return path === undefined ? undefined : pagePath(path);
}

/**
 * The path as it was asked for: decoded, but with its extension. `%23`, `%25`, `%2F` and `%3F` stay encoded, as their
 * characters would mean something else; so does what is not UTF-8.
 * @returns undefined for what `normalisePath` refuses.
 */
export function decodePath(urlOrPath: string): string | undefined {
  if (urlOrPath.length > URL_LENGTH_MAX) return undefined;
  const start = urlOrPath.startsWith("/") ? 0 : (ORIGIN.exec(urlOrPath)?.[0].length ?? -1);
  if (start < 0) return undefined;
  let path = urlOrPath.slice(start, pathEnd(urlOrPath));
  if (path.includes("%")) path = decodePercents(path);
  if (path.includes("//")) path = path.replaceAll(/\/{2,}/g, "/");
  if (path.length > PATH_LENGTH_MAX || CONTROL_CHARACTERS.test(path) || !path.isWellFormed()) return undefined;
  return path === "" ? "/" : path;
}

/** The page that a decoded path shows. */
export function pagePath(path: string): string {
  let page = path;
  for (;;) {
    const shorter = withoutEnding(page);
    if (shorter === page) return page === "" ? "/" : page;
    page = shorter;
  }
}

function withoutEnding(page: string): string {
  if (page.endsWith("/")) return page.slice(0, -1);
  if (page.endsWith("/index")) return page.slice(0, -"index".length);
  for (const extension of [".md", ".mdx", ".html"]) {
    // A segment needs a name before the extension: `/.md` is a page of that name.
    if (page.endsWith(extension) && page.at(-extension.length - 1) !== "/") return page.slice(0, -extension.length);
  }
  return page;
}

function pathEnd(url: string): number {
  const query = url.indexOf("?");
  const hash = url.indexOf("#");
  if (query < 0) return hash < 0 ? url.length : hash;
  return hash < 0 ? query : Math.min(query, hash);
}

/** Decodes until nothing changes: `%%34%31` is `%41` after one round and `A` after two. Each round shortens the text. */
function decodePercents(path: string): string {
  let decoded = path;
  for (;;) {
    const next = decoded.replaceAll(PERCENT_ENCODED, decodeRun);
    if (next === decoded) return decoded;
    decoded = next;
  }
}

const KEPT = new Set(["%23", "%25", "%2F", "%3F"]);

/** Decodes a run of percent-encoded bytes, character by character of UTF-8. */
function decodeRun(run: string): string {
  let text = "";
  let position = 0;
  while (position < run.length) {
    const first = run.slice(position, position + 3).toUpperCase();
    const length = 3 * utf8Length(Number.parseInt(first.slice(1), 16));
    const character = KEPT.has(first) ? first : decodeCharacter(run.slice(position, position + length));
    text += character ?? run.slice(position, position + 3);
    position += character === undefined ? 3 : length;
  }
  return text;
}

function decodeCharacter(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}

/** How many bytes a character has that begins with this one; 1 for a byte that begins none. */
function utf8Length(byte: number): number {
  if (byte >= 0xf0) return 4;
  if (byte >= 0xe0) return 3;
  return byte >= 0xc0 ? 2 : 1;
}
