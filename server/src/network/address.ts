import ipaddr from "ipaddr.js";

/** The IPv4 address that an IPv6 address stands for: mapped, NAT64 (RFC 6052) or 6to4 (RFC 3056). */
export function embeddedAddress(address: ipaddr.IPv6): ipaddr.IPv4 | undefined {
  const bytes = address.toByteArray();
  const range = address.range();
  if (range === "ipv4Mapped" || range === "rfc6052") return new ipaddr.IPv4(bytes.slice(12));
  return range === "6to4" ? new ipaddr.IPv4(bytes.slice(2, 6)) : undefined;
}

/** The same for text: undefined when it stands for none. */
export function embeddedIn(text: string): string | undefined {
  const plain = text.replace(/%.*$/, "");
  if (!ipaddr.IPv6.isValid(plain)) return undefined;
  return embeddedAddress(ipaddr.IPv6.parse(plain))?.toString();
}

/**
 * What looks public to `range()` and leads inside: IPv4-compatible IPv6 (RFC 4291, 2.5.5.1), NAT64 within a site
 * (RFC 8215), site-local IPv6 (RFC 3879), benchmarking (RFC 2544), and the host of an Azure machine
 * (learn.microsoft.com "what-is-ip-address-168-63-129-16").
 */
const INSIDE = ["::/96", "64:ff9b:1::/48", "fec0::/10", "198.18.0.0/15", "168.63.129.16/32"].map((range) =>
  ipaddr.parseCIDR(range),
);

/**
 * Whether an address is anything but one of the public Internet: loopback, private, link-local with the clouds'
 * metadata, carrier-grade NAT, multicast, reserved, or one that stands for such. Text that is no address is private.
 */
export function isPrivateAddress(text: string): boolean {
  const plain = text.replace(/%.*$/, "");
  if (!ipaddr.isValid(plain)) return true;
  const parsed = ipaddr.parse(plain);
  const address = parsed instanceof ipaddr.IPv6 ? (embeddedAddress(parsed) ?? parsed) : parsed;
  return (
    address.range() !== "unicast" || INSIDE.some((range) => address.kind() === range[0].kind() && address.match(range))
  );
}
