/** The value of a cookie that a request carries. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  const pair = (header ?? "").split(/; */).find((each) => each.startsWith(`${name}=`));
  return pair?.slice(name.length + 1);
}

/** A `Set-Cookie` for a value of base64url characters, dots and the like, which no script can read. */
export function writeCookie(
  name: string,
  value: string,
  { path, seconds, secure }: { path: string; seconds: number; secure: boolean },
): string {
  const parts = [`${name}=${value}`, `Max-Age=${seconds}`, `Path=${path}`, "HttpOnly", "SameSite=Lax"];
  return [...parts, ...(secure ? ["Secure"] : [])].join("; ");
}
