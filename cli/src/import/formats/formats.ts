import { caddy } from "./caddy.ts";
import { cloudflare } from "./cloudflare.ts";
import { cloudfront, cloudfrontJson } from "./cloudfront.ts";
import { combined } from "./combined.ts";
import type { Block, LogFormat } from "./format.ts";
import { vercel } from "./vercel.ts";

/** In the order in which they are tried. */
export const FORMATS: readonly LogFormat[] = [combined, cloudfront, cloudfrontJson, caddy, cloudflare, vercel];

/** A line must be known to be a request or something else of a format; most of them must, where some are broken. */
const SHARE_MIN = 0.5;

/**
 * The format that knows most of the lines, if it knows at least half of them.
 * @param lines The first lines of a log, headers included.
 */
export function detectFormat(lines: readonly Buffer[]): LogFormat | undefined {
  let best: { format: LogFormat; known: number } | undefined;
  for (const format of FORMATS) {
    const known = countKnown(format, lines);
    if (known > (best?.known ?? 0)) best = { format, known };
  }
  return best !== undefined && best.known >= lines.length * SHARE_MIN ? best.format : undefined;
}

/** True when at least one of the lines has a request that names its host. */
export function namesHosts(format: LogFormat, lines: readonly Buffer[]): boolean {
  const parser = format.createParser();
  let named = false;
  for (const line of lines) {
    parser.parse(blockOf(line), 0, line.length, (request) => {
      named ||= request.host !== "";
    });
  }
  return named;
}

function countKnown(format: LogFormat, lines: readonly Buffer[]): number {
  const parser = format.createParser();
  let known = 0;
  let requests = 0;
  for (const line of lines) {
    const kind = parser.parse(blockOf(line), 0, line.length, () => {
      requests += 1;
    });
    if (kind !== "malformed") known += 1;
  }
  // Lines that only are no requests speak for no format in particular.
  return requests === 0 ? known / 2 : known;
}

function blockOf(bytes: Buffer): Block {
  return { bytes, text: bytes.toString("latin1") };
}
