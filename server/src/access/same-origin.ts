/** What a browser says about where a request comes from. */
export interface SentByBrowser {
  headers: {
    host?: string | undefined;
    origin?: string | undefined;
    "sec-fetch-site"?: string | string[] | undefined;
  };
}

/**
 * Whether a page of ours sent a request, which no page of another origin can pretend (OWASP, "Verifying origin with
 * standard headers"). Every browser sends one of the two headers with what is not a GET.
 * @param publicUrl where people reach the service; a request to any name under which it is reached also counts.
 */
export function isSameOrigin({ headers }: SentByBrowser, publicUrl: URL): boolean {
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin") return false;
  const { origin, host } = headers;
  if (origin === undefined) return site === "same-origin";
  if (origin === publicUrl.origin) return true;
  if (host === undefined || host === "") return false;
  if (origin === `https://${host}`) return true;
  // Whoever sits on the wire can make a page of the same name without encryption; a browser that compared says so.
  return origin === `http://${host}` && (publicUrl.protocol === "http:" || site === "same-origin");
}
