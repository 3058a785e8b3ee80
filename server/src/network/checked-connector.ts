import { lookup as systemLookup, type LookupAddress } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { buildConnector } from "undici";

/** The name leads to an address that must not be reached. */
export class ForbiddenAddressError extends Error {
  readonly host: string;
  constructor(host: string) {
    super(`${host} leads to an address that may not be reached.`);
    this.name = "ForbiddenAddressError";
    this.host = host;
  }
}

/** Resolves a name to all of its addresses. */
export type Resolve = (hostname: string) => Promise<LookupAddress[]>;

export const resolveBySystem: Resolve = (hostname) =>
  new Promise((resolve, reject) => {
    systemLookup(hostname, { all: true }, (error, addresses) => (error === null ? resolve(addresses) : reject(error)));
  });

/**
 * The addresses of a host, all of which may be reached.
 * @throws ForbiddenAddressError when one may not; the resolver's error when the name does not resolve.
 */
export async function resolveAllowed(
  host: string,
  isForbidden: (address: string) => boolean,
  resolve: Resolve,
): Promise<LookupAddress[]> {
  const literal = host.replace(/^\[|\]$/g, "");
  const family = isIP(literal);
  const addresses = family > 0 ? [{ address: literal, family }] : await resolve(host);
  if (addresses.some(({ address }) => isForbidden(address))) throw new ForbiddenAddressError(host);
  return addresses;
}

/**
 * Connects to none but allowed addresses. They are checked as the connection is made and the connection goes to those
 * that were checked: a name that resolves to something else a moment later leads nowhere else.
 */
export function createCheckedConnector(options: {
  tls: { ca?: string[] };
  isForbidden: (address: string) => boolean;
  resolve: Resolve;
}): buildConnector.connector {
  const { tls, isForbidden, resolve } = options;
  const lookup: LookupFunction = (hostname, { all }, callback) => {
    resolveAllowed(hostname, isForbidden, resolve).then(
      (addresses) => {
        const [first] = addresses;
        if (all === true) callback(null, addresses);
        else callback(null, first?.address ?? "", first?.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, ""),
    );
  };
  const connect = buildConnector({ ...tls, allowH2: false, lookup });
  return (target, callback) => {
    const literal = target.hostname.replace(/^\[|\]$/g, "");
    // Node asks no resolver for an address.
    if (isIP(literal) > 0 && isForbidden(literal)) callback(new ForbiddenAddressError(literal), null);
    else connect(target, callback);
  };
}
