import { forbiddenAddress, isForbiddenAddress, resolveHost } from "./address.ts";
import { ForbiddenAddressError } from "../../network/checked-connector.ts";
import type { CheckedAnswer, CheckedRequest, Network } from "../../network/network.ts";

const REDIRECTS_MAX = 5;
const TIMEOUT_MS = 20_000;
const ADVERTISEMENT = "/info/refs?service=git-upload-pack";

/** Where git is to fetch from: redirects followed, the host's addresses checked. */
export interface Endpoint {
  url: string;
  addresses: string[];
  /** Still to be sent there: a redirect to another host leaves it behind. */
  authorization: string | undefined;
}

/** The way out of imports: never to a cloud's metadata. */
export interface ImportNetwork extends Pick<Network, "git" | "isProxied"> {
  request: CheckedRequest;
}

export function createImportNetwork({ checked, git, isProxied }: Network): ImportNetwork {
  return { request: checked(isForbiddenAddress), git, isProxied };
}

/** Through a proxy the name is the proxy's to resolve, so that it need not resolve here. */
async function addressesOf(url: URL, network: ImportNetwork): Promise<{ addresses: string[] } | { refused: string }> {
  try {
    return await resolveHost(url.hostname);
  } catch (error) {
    if (network.isProxied(url)) return { addresses: [] };
    throw error;
  }
}

function describeFailure(url: URL, error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const timedOut = error instanceof Error && (error.name === "TimeoutError" || error.name === "AbortError");
  const why = timedOut
    ? `no answer within ${TIMEOUT_MS / 1000} s`
    : code === "ENOTFOUND" || code === "EAI_AGAIN"
      ? "its name does not resolve"
      : code === "ECONNREFUSED"
        ? "the connection was refused"
        : error instanceof Error
          ? error.message
          : "the connection failed";
  return `${url.host} cannot be reached: ${why}. Check the URL and this machine's network.`;
}

function describeStatus(status: number, contentType: string, authorized: boolean): string | undefined {
  if (status === 401 || status === 403) {
    return authorized
      ? "The server does not accept the credentials in the URL. Check that the token is valid and may read this repository."
      : "The server asks for authentication. Put a token into the URL: https://user:token@host/path.";
  }
  if (status === 404 || status === 410) {
    return "There is no Git repository at this URL, or it is private. For a private one, put a token into the URL: https://user:token@host/path.";
  }
  if (status >= 500) return `The server answers with status ${status}. Try again later.`;
  if (status !== 200) return `The server answers with status ${status}, which is not how a Git repository answers.`;
  if (!contentType.startsWith("application/x-git-upload-pack-advertisement")) {
    return "This URL is not a Git repository (or one that speaks only the old, dumb HTTP protocol). Give the URL that git clone takes.";
  }
  return undefined;
}

/**
 * Asks the server for the repository the way git does, hop by hop, so that each redirect's address is checked before
 * anything is sent there, and so that a failure can be told in plain words.
 */
export async function probe(
  source: string,
  authorization: string | undefined,
  network: ImportNetwork,
  signal: AbortSignal,
): Promise<Endpoint | { refused: string }> {
  let url = new URL(source + ADVERTISEMENT);
  let header = authorization;
  for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects++) {
    let response: CheckedAnswer;
    let resolved: Awaited<ReturnType<typeof resolveHost>>;
    try {
      resolved = await addressesOf(url, network);
      if ("refused" in resolved) return resolved;
      response = await network.request(url, {
        method: "GET",
        signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
        headers: { "user-agent": "git/2 docent", ...(header === undefined ? {} : { authorization: header }) },
      });
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ForbiddenAddressError) return { refused: forbiddenAddress(url.hostname) };
      return { refused: describeFailure(url, error) };
    }
    const { status, headers } = response;
    const { location } = headers;
    if (status < 300 || status >= 400 || location === undefined) {
      const refused = describeStatus(status, headers["content-type"] ?? "", header !== undefined);
      if (refused !== undefined) return { refused };
      return { url: url.href.slice(0, -ADVERTISEMENT.length), addresses: resolved.addresses, authorization: header };
    }
    const next = URL.canParse(location, url.href) ? new URL(location, url) : undefined;
    if (next === undefined || !/^https?:$/.test(next.protocol) || !next.href.endsWith(ADVERTISEMENT)) {
      return {
        refused: "The URL redirects to something that is not a Git repository. Give the URL that git clone takes.",
      };
    }
    const upgraded = url.protocol === "http:" && next.protocol === "https:" && next.hostname === url.hostname;
    if (next.origin !== url.origin && !upgraded) header = undefined;
    next.username = "";
    next.password = "";
    url = next;
  }
  return { refused: `The URL redirects more than ${REDIRECTS_MAX} times.` };
}
