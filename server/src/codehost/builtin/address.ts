import { lookup } from "node:dns/promises";
import ipaddr from "ipaddr.js";
import { embeddedAddress } from "../../network/address.ts";

/**
 * Addresses where clouds answer a machine's own credentials to whoever asks from it: link-local, and the two outside
 * of it (AWS over IPv6: docs.aws.amazon.com "instancedata-data-retrieval"; Alibaba Cloud: 100.100.100.200).
 */
const METADATA_RANGES = ["169.254.0.0/16", "100.100.100.200/32", "fe80::/10", "fd00:ec2::/32"].map((range) =>
  ipaddr.parseCIDR(range),
);

/** True for an address that no import may reach. Private ranges are fine: Docent is hosted next to its code hosts. */
export function isForbiddenAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return true;
  const parsed = ipaddr.parse(text);
  const address = parsed instanceof ipaddr.IPv6 ? (embeddedAddress(parsed) ?? parsed) : parsed;
  return METADATA_RANGES.some((range) => address.kind() === range[0].kind() && address.match(range));
}

/**
 * The addresses of a URL's host, to be used for the connection itself, so that a second look-up cannot lead elsewhere.
 * @throws the resolver's error when the name does not resolve.
 */
export async function resolveHost(hostname: string): Promise<{ addresses: string[] } | { refused: string }> {
  const name = hostname.replace(/^\[|\]$/g, "");
  const addresses = ipaddr.isValid(name) ? [name] : (await lookup(name, { all: true })).map(({ address }) => address);
  if (addresses.some(isForbiddenAddress)) {
    return { refused: forbiddenAddress(hostname) };
  }
  return { addresses };
}

export function forbiddenAddress(hostname: string): string {
  return `${hostname} leads to a link-local or cloud metadata address; nothing is imported from there.`;
}
