export interface AddressOptions {
  /**
   * The header in which a proxy of yours names the client, such as `x-forwarded-for` or `cf-connecting-ip`. Name it only where every
   * request comes through that proxy: others can write anything into it. Absent: the address that the connection comes from.
   */
  addressHeader?: string | undefined;
  /** How many proxies of yours append to that header, 1 unless given: the client is that many entries from its end. */
  trustedProxies?: number | undefined;
}

/** The client's IP address, or undefined where nothing says it. */
export function clientAddress(
  options: AddressOptions,
  header: (name: string) => string | undefined,
  connection: string | undefined,
): string | undefined {
  if (options.addressHeader === undefined) return readAddress(connection);
  const entries = header(options.addressHeader.toLowerCase())?.split(",") ?? [];
  return readAddress(entries.at(-(options.trustedProxies ?? 1)));
}

/** `192.0.2.1`, `192.0.2.1:4711`, `2001:db8::1`, `[2001:db8::1]:4711`, and IPv4 inside of IPv6. */
function readAddress(text: string | undefined): string | undefined {
  const trimmed = text?.trim() ?? "";
  const inBrackets = /^\[([0-9a-f:.]+)\](:\d+)?$/i.exec(trimmed)?.[1];
  const withPort = /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(trimmed)?.[1];
  const address = (inBrackets ?? withPort ?? trimmed).replace(/^::ffff:(?=\d+\.)/i, "").replace(/%.*/, "");
  const isAddress = /^\d{1,3}(\.\d{1,3}){3}$/.test(address) || /^[0-9a-f:.]*:[0-9a-f:.]+$/i.test(address);
  return isAddress ? address : undefined;
}
