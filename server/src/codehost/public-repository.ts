import { probe, type ImportNetwork } from "./builtin/probe.ts";
import { CodeHostError, type GitRemote } from "./codehost.ts";

/**
 * A repository on any Git server that needs no credential, for reading. Redirects are followed, and each address on the way
 * is checked as an import's is.
 * @throws CodeHostError `not_found` with the reason.
 */
export async function reachPublicRepository(
  url: string,
  network: ImportNetwork,
  signal: AbortSignal,
): Promise<GitRemote> {
  const endpoint = await probe(url.replace(/\/+$/, ""), undefined, network, signal);
  if ("refused" in endpoint) throw new CodeHostError("not_found", endpoint.refused);
  return { url: endpoint.url, addresses: endpoint.addresses };
}
