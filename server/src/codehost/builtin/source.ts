import { stat } from "node:fs/promises";
import { isAbsolute } from "node:path";

/** Where a repository is imported from. `credential` is `user:password`, decoded. */
export type Source = { type: "path"; path: string } | { type: "url"; url: string; credential: string | null };

const ALLOWED = "Give an https:// or http:// Git URL, or an absolute path on the server's machine.";

function parseUrl(text: string): Source | { refused: string } {
  if (!URL.canParse(text)) return { refused: `repository: this is not a valid URL. ${ALLOWED}` };
  const url = new URL(text);
  if (url.search !== "" || url.hash !== "") {
    return { refused: "repository: a Git URL has no query and no fragment. Leave out what follows ? or #." };
  }
  let credential: string | null = null;
  if (url.username !== "" || url.password !== "") {
    try {
      credential = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
    } catch {
      return { refused: "repository: the user name or password in the URL is not percent-encoded correctly." };
    }
    url.username = "";
    url.password = "";
  }
  return { type: "url", url: url.href.replace(/\/+$/, ""), credential };
}

/**
 * Reads what a user gives as a repository. User info is taken out of the URL, so that the URL can be stored and shown.
 * Refuses every transport but http(s) and local paths, in words that name the field.
 */
export async function parseSource(text: string): Promise<Source | { refused: string }> {
  const trimmed = text.trim();
  if (trimmed === "")
    return { refused: `repository: it is empty. ${ALLOWED} Leave the field out for an empty repository.` };
  if (/[\p{Cc}\p{Cs}]/u.test(trimmed)) return { refused: "repository: it contains control characters." };
  if (/^https?:\/\//i.test(trimmed)) return parseUrl(trimmed);
  if (/^(git\+)?ssh:\/\//i.test(trimmed) || /^[\w.-]+@[\w.-]+:(?!\/\/)/.test(trimmed)) {
    return {
      refused:
        "repository: SSH is not supported yet. Use the https:// URL of the same repository, with a token as the user name or password if it is private.",
    };
  }
  if (/^file:/i.test(trimmed)) return { refused: "repository: give the path itself, without file://." };
  if (/^[a-z][a-z0-9+.-]*::?/i.test(trimmed))
    return { refused: `repository: this transport is not allowed. ${ALLOWED}` };
  if (!isAbsolute(trimmed)) return { refused: `repository: a relative path is not allowed. ${ALLOWED}` };
  const found = await stat(trimmed).catch(() => undefined);
  if (found === undefined) return { refused: `repository: there is no directory ${trimmed} on the server's machine.` };
  if (!found.isDirectory()) return { refused: `repository: ${trimmed} is not a directory.` };
  return { type: "path", path: trimmed };
}
