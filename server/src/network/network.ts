import type { IncomingHttpHeaders } from "node:http";
import { Agent, fetch as undiciFetch, ProxyAgent, request as send, type Dispatcher } from "undici";
import { readAuthorities, type Authorities } from "./authorities.ts";
import {
  createCheckedConnector,
  ForbiddenAddressError,
  resolveAllowed,
  resolveBySystem,
  type Resolve,
} from "./checked-connector.ts";
import { createProxyChoice, type ProxyChoice, type ProxySettings } from "./proxy-choice.ts";

export interface WayOut extends ProxySettings {
  /** The usual ones when absent. */
  authorities?: Authorities | undefined;
  /** How names become addresses where they are checked. */
  resolve?: Resolve;
}

export interface NetworkOptions extends ProxySettings {
  /** A PEM file of certificate authorities that are trusted beside the usual ones. */
  caFile: string | null;
  /** Where a file for git may be kept while the process runs. */
  directory: string;
}

/** The way out: every request that Docent makes of its own goes through it. */
export interface Network {
  fetch: typeof globalThis.fetch;
  /** The same with no time limits of its own, for those who watch over the answer themselves. */
  streamFetch: typeof globalThis.fetch;
  /**
   * Sends requests that follow no redirects and connect to none but allowed addresses, checked at the very connection. What
   * goes through a proxy is connected by the proxy: then addresses, and names as they resolve here, are checked before
   * it is asked; a name that does not resolve here is the proxy's to judge.
   */
  checked(isForbidden: (address: string) => boolean): CheckedRequest;
  /** The configuration with which a git process takes the same way to this URL. Holds the proxy's credentials. */
  git(url: string): Record<string, string>;
  isProxied(url: URL): boolean;
  close(): Promise<void>;
}

export interface CheckedAnswer {
  status: number;
  /** Names in lower case. */
  headers: IncomingHttpHeaders;
}

/**
 * Answers without the body, of which no more than a few kilobytes are taken.
 * @throws ForbiddenAddressError; the connection's own error; the signal's reason.
 */
export type CheckedRequest = (
  url: URL,
  options: {
    method: "GET" | "POST";
    headers: Readonly<Record<string, string>>;
    body?: string;
    signal: AbortSignal;
  },
) => Promise<CheckedAnswer>;

/** What is read of an answer that nobody looks at, so that its connection can be used again. */
const BODY_BYTES_MAX = 16 * 1024;

/** @throws StartError when the file of certificate authorities cannot be read. */
export async function createNetwork({ caFile, directory, ...proxies }: NetworkOptions): Promise<Network> {
  return openNetwork({ ...proxies, authorities: await readAuthorities(caFile, directory) });
}

export function openNetwork({ authorities, resolve = resolveBySystem, ...settings }: WayOut): Network {
  const proxyFor = createProxyChoice(settings);
  // One request a connection: a stalled one holds up no other.
  const tls = { allowH2: false, ...(authorities === undefined ? {} : { ca: authorities.certificates }) };
  const dispatchers: Dispatcher[] = [];
  const proxies = new Map<string, ProxyAgent>();

  function keep<D extends Dispatcher>(dispatcher: D): D {
    dispatchers.push(dispatcher);
    return dispatcher;
  }

  function proxyAgent(uri: string): ProxyAgent {
    const known = proxies.get(uri);
    if (known !== undefined) return known;
    const made = keep(new ProxyAgent({ uri, requestTls: tls, proxyTls: tls, allowH2: false }));
    proxies.set(uri, made);
    return made;
  }

  /** Goes through the proxy where there is one, hop by hop. */
  function route(direct: Agent): Dispatcher {
    return keep(direct).compose((dispatch) => (request, handler) => {
      const proxy = proxyFor(new URL(String(request.origin)));
      return proxy === null ? dispatch(request, handler) : proxyAgent(proxy).dispatch(request, handler);
    });
  }

  const dispatcher = route(new Agent({ connect: tls, allowH2: false }));
  const patient = dispatcher.compose(
    (dispatch) => (request, handler) => dispatch({ ...request, headersTimeout: 0, bodyTimeout: 0 }, handler),
  );
  // The types of undici's own fetch and of Node's differ in names only.
  const fetchThrough = (through: Dispatcher) =>
    ((input: string, init?: object) => undiciFetch(input, { ...init, dispatcher: through })) as unknown as typeof fetch;

  return {
    fetch: fetchThrough(dispatcher),
    streamFetch: fetchThrough(patient),

    checked(isForbidden) {
      const connect = createCheckedConnector({ tls, isForbidden, resolve });
      const toAllowed = route(new Agent({ connect, allowH2: false }));
      return async (url, options) => {
        if (proxyFor(url) !== null) await checkBeforeProxy(url, isForbidden, resolve);
        const { statusCode, headers, body } = await send(url, { ...options, dispatcher: toAllowed });
        await body.dump({ limit: BODY_BYTES_MAX, signal: options.signal }).catch(() => {});
        return { status: statusCode, headers };
      };
    },

    git(url) {
      const certificates =
        authorities === undefined
          ? {}
          : { "http.sslCAInfo": authorities.bundleFile, "http.proxySSLCAInfo": authorities.bundleFile };
      return { "http.proxy": gitProxy(url, proxyFor), ...certificates };
    },

    isProxied: (url) => proxyFor(url) !== null,

    close: async () => void (await Promise.all(dispatchers.map((each) => each.destroy()))),
  };
}

/** Empty is git's way to say none, whatever else it might have been told. */
function gitProxy(url: string, proxyFor: ProxyChoice): string {
  const parsed = URL.parse(url);
  return parsed === null ? "" : (proxyFor(parsed) ?? "");
}

async function checkBeforeProxy(url: URL, isForbidden: (address: string) => boolean, resolve: Resolve): Promise<void> {
  try {
    await resolveAllowed(url.hostname, isForbidden, resolve);
  } catch (error) {
    if (error instanceof ForbiddenAddressError) throw error;
  }
}
