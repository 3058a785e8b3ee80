/** Where to go on after the sign-in: a path of this site, never where a crafted link points. */
export function ownPath(next: string | null): string {
  if (next === null || !next.startsWith("/") || !URL.canParse(next, location.origin)) return "/";
  const url = new URL(next, location.origin);
  return url.origin === location.origin ? url.pathname + url.search + url.hash : "/";
}
