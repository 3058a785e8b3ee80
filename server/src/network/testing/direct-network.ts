import { openNetwork, type Network } from "../network.ts";

/** The way out without a proxy and without further certificate authorities. */
export function createDirectNetwork(): Network {
  return openNetwork({ httpProxy: null, httpsProxy: null, noProxy: null });
}
