import type { CodeHostName } from "../database/schema.ts";
import type { CodeHostCredential } from "./connection.ts";

type OutsideHost = Exclude<CodeHostName, "builtin">;

const USUAL_URLS: Partial<Record<OutsideHost, string>> = { github: "https://github.com", gitlab: "https://gitlab.com" };

export interface RepositoryAddress {
  host: OutsideHost;
  /** Where people open the code host, without a slash at its end. */
  url: string;
  /** `owner/name`; on GitLab groups may be nested. */
  repository: string;
  /** The user info of the URL that was given; null without any. */
  credential: CodeHostCredential | null;
}

/**
 * Reads where a repository lies on a code host: its URL as a person or git has it, or `owner/name` there.
 * Refusals name the field.
 */
export function readRepositoryAddress(
  host: OutsideHost,
  given: string,
  codeHostUrl: string | undefined,
): RepositoryAddress | { refused: string } {
  const base = codeHostUrl === undefined ? undefined : URL.parse(codeHostUrl);
  if (base === null || (base !== undefined && !isPlainHttp(base))) {
    return { refused: "codeHostUrl: give an http(s) URL without user, query and fragment." };
  }
  const text = given.trim();
  if (!text.includes("://")) {
    const url = base === undefined ? USUAL_URLS[host] : trimSlashes(base.href);
    if (url === undefined) return { refused: "repository: give its whole URL, or codeHostUrl beside owner/name." };
    return withRepository({ host, url, credential: null }, text);
  }
  const address = URL.parse(text);
  if (address === null || !/^https?:$/.test(address.protocol) || address.search !== "" || address.hash !== "") {
    return { refused: "repository: give an http(s) URL without query and fragment, or owner/name." };
  }
  const token = decode(address.password || address.username);
  if (token === undefined) return { refused: "repository: the user info in the URL is not percent-encoded correctly." };
  const credential = token === "" ? null : ({ type: "token", token } as const);
  address.username = "";
  address.password = "";
  const root = trimSlashes(base?.href ?? address.origin);
  if (!`${address.href}/`.startsWith(`${root}/`)) {
    return { refused: `repository: it does not lie under codeHostUrl (${root}).` };
  }
  return withRepository({ host, url: root, credential }, address.href.slice(root.length));
}

function withRepository(
  place: Omit<RepositoryAddress, "repository">,
  path: string,
): RepositoryAddress | { refused: string } {
  const repository = path
    .replace(/^\/+/, "")
    .replace(/\/+$/, "")
    .replace(/\.git$/, "");
  const parts = repository.split("/");
  const depth = place.host === "gitlab" ? parts.length >= 2 : parts.length === 2;
  if (depth && parts.every((part) => /^[\w.-]+$/.test(part) && !/^\.+$/.test(part) && part !== "-")) {
    return { ...place, repository };
  }
  const form = place.host === "gitlab" ? "group/name, groups may be nested" : "owner/name";
  return { refused: `repository: ${JSON.stringify(path)} is not a repository there (${form}).` };
}

function isPlainHttp(url: URL): boolean {
  const { protocol, username, password, search, hash } = url;
  return /^https?:$/.test(protocol) && username + password + search + hash === "";
}

function trimSlashes(url: string): string {
  return url.replace(/\/+$/, "");
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
