import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

export interface ProxySettings {
  /** The proxy for `http://` addresses; null for none. May hold user info. */
  httpProxy: string | null;
  /** The proxy for `https://` addresses. */
  httpsProxy: string | null;
  /** Hosts that are reached without a proxy, as `NO_PROXY` lists them. */
  noProxy: string | null;
}

/** The proxy that a URL is reached through, as it was configured; null for none. */
export type ProxyChoice = (url: URL) => string | null;

type Exception = (host: string, port: string) => boolean;

/**
 * Decides for all that Docent sends, git included, so that one list means the same everywhere. `NO_PROXY` separates by
 * commas or spaces: `*`; a host, with or without a dot before it, and those below it; `*.example.com` for only those
 * below; an address; a CIDR range; each with a port or without. Addresses of this machine never go through a proxy.
 */
export function createProxyChoice({ httpProxy, httpsProxy, noProxy }: ProxySettings): ProxyChoice {
  const exceptions = (noProxy ?? "")
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(readException);
  return (url) => {
    const proxy = url.protocol === "https:" ? httpsProxy : url.protocol === "http:" ? httpProxy : null;
    if (proxy === null) return null;
    const host = url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
    const port = url.port || (url.protocol === "https:" ? "443" : "80");
    const isDirect = isThisMachine(host) || exceptions.some((matches) => matches(host, port));
    return isDirect ? null : proxy.replace(/\/+$/, "");
  };
}

function isThisMachine(host: string): boolean {
  if (host === "localhost" || host.endsWith(".localhost")) return true;
  return isIP(host) > 0 && ipaddr.process(host).range() === "loopback";
}

function readException(entry: string): Exception {
  if (entry === "*") return () => true;
  const [, bracketed, named, port] = /^(?:\[(.+)\]|([^:]+))(?::(\d+))?$/.exec(entry) ?? [];
  const name = (bracketed ?? named ?? entry).toLowerCase();
  const matches = isIP(name.split("/")[0] ?? "") > 0 ? matchAddresses(name) : matchNames(name);
  return (host, atPort) => (port === undefined || port === atPort) && matches(host);
}

function matchAddresses(range: string): (host: string) => boolean {
  if (!range.includes("/")) {
    const address = ipaddr.process(range).toNormalizedString();
    return (host) => isIP(host) > 0 && ipaddr.process(host).toNormalizedString() === address;
  }
  if (!ipaddr.isValidCIDR(range)) return () => false;
  const [network, bits] = ipaddr.parseCIDR(range);
  return (host) => {
    if (isIP(host) === 0) return false;
    const address = ipaddr.process(host);
    return address.kind() === network.kind() && address.match([network, bits]);
  };
}

function matchNames(pattern: string): (host: string) => boolean {
  const below = `.${pattern.replace(/^\*?\./, "").replace(/\.$/, "")}`;
  const itself = pattern.startsWith("*") ? undefined : below.slice(1);
  return (host) => host === itself || host.endsWith(below);
}
