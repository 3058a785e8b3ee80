import { request as requestHttp, type IncomingMessage } from "node:http";
import { request as requestHttps } from "node:https";
import { isIPv6 } from "node:net";
import { resolveHost } from "./address.ts";

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

function get(url: URL, addresses: string[], authorization: string | undefined, signal: AbortSignal) {
  const request = url.protocol === "https:" ? requestHttps : requestHttp;
  const all = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  return new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request(
      url,
      {
        signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
        headers: {
          "user-agent": "git/2 docent",
          accept: "*/*",
          ...(authorization === undefined ? {} : { authorization }),
        },
        lookup: (_hostname, options, callback) => {
          if (options.all === true) callback(null, all);
          else callback(null, all[0]?.address ?? "", all[0]?.family);
        },
      },
      resolve,
    );
    sent.on("error", reject);
    sent.end();
  });
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
  signal: AbortSignal,
): Promise<Endpoint | { refused: string }> {
  let url = new URL(source + ADVERTISEMENT);
  let header = authorization;
  for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects++) {
    let response: IncomingMessage;
    let resolved: Awaited<ReturnType<typeof resolveHost>>;
    try {
      resolved = await resolveHost(url.hostname);
      if ("refused" in resolved) return resolved;
      response = await get(url, resolved.addresses, header, signal);
    } catch (error) {
      signal.throwIfAborted();
      return { refused: describeFailure(url, error) };
    }
    response.on("error", () => {});
    response.destroy();
    const status = response.statusCode ?? 0;
    const location = response.headers.location;
    if (status < 300 || status >= 400 || location === undefined) {
      const refused = describeStatus(status, response.headers["content-type"] ?? "", header !== undefined);
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
