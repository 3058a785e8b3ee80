import { readFile } from "node:fs/promises";
import { rootCertificates } from "node:tls";
import { Agent, EnvHttpProxyAgent, fetch as undiciFetch, type Dispatcher } from "undici";
import { StartError } from "../start-error.ts";

export interface NetworkOptions {
  /** The proxy for `http://` addresses; null for none. May hold user info. */
  httpProxy: string | null;
  /** The proxy for `https://` addresses. */
  httpsProxy: string | null;
  /** Hosts that are reached without a proxy, as `NO_PROXY` lists them. */
  noProxy: string | null;
  /** A PEM file of certificate authorities that are trusted beside the usual ones. */
  caFile: string | null;
}

/** The way out: every request that Docent makes of its own goes through it. */
export interface Network {
  fetch: typeof globalThis.fetch;
  /** What a git process needs to take the same way. */
  git: { config: Readonly<Record<string, string>>; env: Readonly<Record<string, string>> };
  /** For those who need their own connections, like one with checked addresses. */
  tls: { ca?: string[] };
  close(): Promise<void>;
}

/** @throws StartError when the file of certificate authorities cannot be read. */
export async function createNetwork(options: NetworkOptions): Promise<Network> {
  const ca = await readAuthorities(options.caFile);
  const tls = ca === undefined ? {} : { ca: [...rootCertificates, ca] };
  const dispatcher = createDispatcher(options, tls);
  return {
    // The types of undici's own fetch and of Node's differ in names only.
    fetch: ((input: string, init?: object) => undiciFetch(input, { ...init, dispatcher })) as unknown as typeof fetch,
    git: gitSettings(options),
    tls,
    close: () => dispatcher.close(),
  };
}

function createDispatcher({ httpProxy, httpsProxy, noProxy }: NetworkOptions, tls: { ca?: string[] }): Dispatcher {
  if (httpProxy === null && httpsProxy === null) return new Agent({ connect: tls });
  return new EnvHttpProxyAgent({
    // Empty, rather than absent: undici would read the environment, whose only reader is the configuration.
    httpProxy: httpProxy ?? "",
    httpsProxy: httpsProxy ?? "",
    noProxy: noProxy ?? "",
    connect: tls,
    requestTls: tls,
    proxyTls: tls,
  });
}

function gitSettings({ httpProxy, httpsProxy, noProxy, caFile }: NetworkOptions): Network["git"] {
  // In the environment, since git's own configuration knows no list of hosts without a proxy.
  const env: Record<string, string> = {
    ...(httpProxy === null ? {} : { http_proxy: httpProxy }),
    ...(httpsProxy === null ? {} : { https_proxy: httpsProxy }),
    ...(noProxy === null ? {} : { no_proxy: noProxy }),
  };
  return { config: caFile === null ? {} : { "http.sslCAInfo": caFile }, env };
}

async function readAuthorities(caFile: string | null): Promise<string | undefined> {
  if (caFile === null) return undefined;
  try {
    const text = await readFile(caFile, "utf8");
    if (text.includes("-----BEGIN CERTIFICATE-----")) return text;
    throw new StartError(`DOCENT_CA_FILE: ${caFile} holds no certificate in PEM form (-----BEGIN CERTIFICATE-----).`);
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`DOCENT_CA_FILE: ${caFile} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}
