import type { IncomingMessage, ServerResponse } from "node:http";
import { basename, dirname } from "node:path";
import { spawnGit } from "../../git/git.ts";

/** The part of a URL that belongs to git's smart HTTP protocol (gitprotocol-http(5)). */
export interface GitRequest {
  /** Without `.git`. */
  repository: string;
  /** `info/refs`, `git-upload-pack` or `git-receive-pack`. */
  file: string;
  query: string;
  access: "read" | "write";
}

/** Undefined: it is no request of git's. `path` is below the product's address. */
export function readGitRequest(path: string, query: string): GitRequest | undefined {
  const [, repository, file] = /^\/(.+)\.git\/(info\/refs|git-upload-pack|git-receive-pack)$/.exec(path) ?? [];
  if (repository === undefined || file === undefined) return undefined;
  const writes = file === "git-receive-pack" || query.includes("service=git-receive-pack");
  return { repository, file, query, access: writes ? "write" : "read" };
}

/** Runs `git http-backend` as a CGI program (git-http-backend(1)) for a request that was found to be allowed. */
export async function answerGit(
  { gitDir, file, query }: GitRequest & { gitDir: string },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const header = (name: string) => String(request.headers[name] ?? "");
  const env = {
    GIT_PROJECT_ROOT: dirname(gitDir),
    PATH_INFO: `/${basename(gitDir)}/${file}`,
    GIT_HTTP_EXPORT_ALL: "1",
    REQUEST_METHOD: request.method ?? "GET",
    QUERY_STRING: query,
    REMOTE_USER: "somebody",
    CONTENT_TYPE: header("content-type"),
    HTTP_CONTENT_ENCODING: header("content-encoding"),
    GIT_PROTOCOL: header("git-protocol"),
  };
  const child = spawnGit(["http-backend"], { env, config: { "http.receivepack": "true" } });
  child.stdin.on("error", () => {});
  request.pipe(child.stdin);
  const chunks: Buffer[] = [];
  for await (const chunk of child.stdout) chunks.push(chunk as Buffer);
  const answer = Buffer.concat(chunks);
  const end = answer.indexOf("\r\n\r\n");
  const headers: Record<string, string> = {};
  for (const line of answer.toString("latin1", 0, end).split("\r\n")) {
    const [name = "", value = ""] = line.split(/:\s*(.*)/);
    headers[name.toLowerCase()] = value;
  }
  const { status = "200", ...others } = headers;
  response.writeHead(Number.parseInt(status, 10), others).end(answer.subarray(end + 4));
}

/** The password of HTTP Basic, which is where the products take their tokens from. */
export function passwordOf(request: IncomingMessage): string | undefined {
  const [, encoded = ""] = /^Basic (.+)$/i.exec(request.headers.authorization ?? "") ?? [];
  const [, password] = /^[^:]*:(.*)$/s.exec(Buffer.from(encoded, "base64").toString()) ?? [];
  return password;
}
