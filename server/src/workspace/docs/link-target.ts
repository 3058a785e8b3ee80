/** A reference inside the site, taken apart. */
export interface LinkTarget {
  /** Percent-decoded, without query and hash; `""` for the page itself. */
  path: string;
  /** Query and hash as written, e.g. `?a=b#c`. */
  suffix: string;
  /** Percent-decoded; null without a hash or with an empty one, which means the top. */
  anchor: string | null;
}

/** Decodes what is valid percent-encoding and leaves the rest as it is. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text.replaceAll(/(?:%[0-9A-Fa-f]{2})+/g, (run) => {
      try {
        return decodeURIComponent(run);
      } catch {
        return run;
      }
    });
  }
}

/** Undefined for other sites, other schemes, and text that only a template engine fills. */
export function parseLinkTarget(url: string): LinkTarget | undefined {
  const trimmed = url.trim();
  if (/^[A-Za-z][A-Za-z\d+.-]*:|^\/\/|^\\\\/.test(trimmed) || /\{\{|\$\{|\{%|<%/.test(trimmed)) return undefined;
  const split = trimmed.search(/[?#]/);
  const path = split === -1 ? trimmed : trimmed.slice(0, split);
  const suffix = split === -1 ? "" : trimmed.slice(split);
  const hash = suffix.indexOf("#");
  // `#:~:text=words` is the browser's: it looks for the words.
  const anchor = hash === -1 ? "" : decodePercent(suffix.slice(hash + 1).replace(/:~:.*$/s, ""));
  return { path: decodePercent(path), suffix, anchor: anchor === "" || anchor === "top" ? null : anchor };
}
