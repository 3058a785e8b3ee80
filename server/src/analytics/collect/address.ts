import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/**
 * An IP address in its one usual way of writing: IPv6 in lower case with the longest run of zeros left out, and an
 * IPv4-mapped one as IPv4. Undefined for what is no address.
 */
export function normaliseAddress(text: string): string | undefined {
  const version = isIP(text);
  if (version === 4) return text;
  // A zone (`%eth0`) names a network of the machine that saw it.
  if (version === 0 || text.includes("%")) return undefined;
  return ipaddr.process(text).toString();
}
