import { clientAddress, type AddressOptions } from "./client-address.ts";
import type { SeenRequest } from "./page-view.ts";
import type { SentView } from "./post-views.ts";

/** As long as the longest path that Docent stores is when each of its characters is encoded. */
const PATH_LENGTH_MAX = 3000;
/** Longer values say nothing more, and would let a client fill the memory. */
const HEADER_LENGTH_MAX = 1000;

export interface RecorderOptions extends AddressOptions {
  /** Whether a path is documentation; all are, unless given. */
  includes?: ((path: string) => boolean) | undefined;
}

/** What a view is made of, with the address of the connection where there is one. */
export interface SeenView {
  request: SeenRequest;
  connection: string | undefined;
  /** Undefined where the answer could not be seen. */
  status: number | undefined;
  /** Milliseconds since 1970. */
  time: number;
}

/** The view as it is sent; `unwanted`, or `nameless`: nothing says from which address it came. */
export function readView(options: RecorderOptions, seen: SeenView): SentView | "unwanted" | "nameless" {
  const { request, status } = seen;
  if (request.path.length > PATH_LENGTH_MAX) return "unwanted";
  if (options.includes !== undefined && !options.includes(request.path)) return "unwanted";
  const header = (name: string): string => (request.header(name) ?? "").slice(0, HEADER_LENGTH_MAX);
  const ip = clientAddress(options, (name) => request.header(name), seen.connection);
  if (ip === undefined) return "nameless";
  const referrer = foreignReferrer(header("referer"), [header("host"), header("x-forwarded-host")]);
  const accept = header("accept");
  return {
    path: request.path,
    ip,
    userAgent: header("user-agent"),
    ...(referrer === undefined ? {} : { referrer }),
    ...(accept === "" ? {} : { accept }),
    method: "GET",
    ...(status === undefined ? {} : { status }),
    timestamp: new Date(seen.time).toISOString(),
    source: "middleware",
    ...(request.header("sec-gpc") === "1" ? { globalPrivacyControl: true } : {}),
  };
}

/** The origin that linked here; undefined when none did, or the site itself. */
function foreignReferrer(referrer: string, ownHosts: readonly string[]): string | undefined {
  if (!URL.canParse(referrer)) return undefined;
  const { protocol, host, origin } = new URL(referrer);
  return protocol.startsWith("http") && !ownHosts.includes(host) ? origin : undefined;
}
