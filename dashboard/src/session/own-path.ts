/** Where to go on after the sign-in: a path of this site, never where a crafted link points. */
export function ownPath(next: string | null): string {
  if (next === null || !next.startsWith("/") || !URL.canParse(next, location.origin)) return "/";
  const url = new URL(next, location.origin);
  // A path like /.//evil.example is ours, and what is left of it when it is resolved leads elsewhere.
  if (url.origin !== location.origin || url.pathname.startsWith("//")) return "/";
  return url.pathname + url.search + url.hash;
}
