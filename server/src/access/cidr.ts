import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/**
 * Reads an address or a CIDR range and writes it one way: `10.1.2.3` becomes `10.1.2.3/32`, host bits are cleared, and
 * IPv4-mapped IPv6 becomes IPv4. Undefined when it is neither, or names a zone (`%eth0`), which no client address has.
 */
export function normalizeCidr(text: string): string | undefined {
  const [address = "", prefix, ...rest] = text.split("/");
  // node:net decides what an address is: ipaddr.js also takes octal, hexadecimal and shortened IPv4.
  const version = isIP(address);
  if (version === 0 || address.includes("%") || rest.length > 0) return undefined;
  if (prefix !== undefined && !/^(0|[1-9]\d{0,2})$/.test(prefix)) return undefined;
  const bits = prefix === undefined ? (version === 4 ? 32 : 128) : Number(prefix);
  if (bits > (version === 4 ? 32 : 128)) return undefined;
  const parsed = ipaddr.parse(address);
  if (parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress() && bits >= 96) {
    return normalizeCidr(`${parsed.toIPv4Address().toString()}/${bits - 96}`);
  }
  const range = `${parsed.toString()}/${bits}`;
  const network = version === 4 ? ipaddr.IPv4.networkAddressFromCIDR(range) : ipaddr.IPv6.networkAddressFromCIDR(range);
  return `${network.toString()}/${bits}`;
}

/** Whether a client address lies in one of the ranges that `normalizeCidr` wrote. An address nobody can read lies in none. */
export function isAddressIn(cidrs: readonly string[], address: string): boolean {
  const plain = address.replace(/%.*$/, "");
  if (isIP(plain) === 0) return false;
  const client = ipaddr.process(plain);
  return cidrs.some((cidr) => {
    const [network, bits] = ipaddr.parseCIDR(cidr);
    return network.kind() === client.kind() && client.match([network, bits]);
  });
}
