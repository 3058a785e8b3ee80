const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** The first bytes of TLS, as nginx writes them. */
const TLS_GREETING = "\\x16\\x03\\x01\\x02\\x00\\x01\\x00\\x01\\xFC\\x03\\x03";

/** A request as nginx logs it. */
export interface Hit {
  /** Seconds since 1970, UTC. */
  time: number;
  address: string;
  method?: string;
  /** Empty for what is no HTTP. */
  path: string;
  status: number;
  bytes: number;
  referrer?: string;
  userAgent: string;
}

/** The combined format: https://nginx.org/en/docs/http/ngx_http_log_module.html */
export function formatHit({
  time,
  address,
  method = "GET",
  path,
  status,
  bytes,
  referrer = "-",
  userAgent,
}: Hit): string {
  const request = path === "" ? TLS_GREETING : `${method} ${path} HTTP/1.1`;
  return `${address} - - [${formatTime(time)}] "${request}" ${status} ${bytes} "${referrer}" "${userAgent}"\n`;
}

function formatTime(time: number): string {
  const text = new Date(time * 1000).toISOString();
  const month = MONTHS[Number(text.slice(5, 7)) - 1] ?? "";
  return `${text.slice(8, 10)}/${month}/${text.slice(0, 4)}:${text.slice(11, 19)} +0000`;
}
