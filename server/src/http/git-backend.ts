import type { IncomingMessage, ServerResponse } from "node:http";
import { basename, dirname } from "node:path";
import type { Readable } from "node:stream";
import { spawnGit } from "../git/git.ts";

const HEADER_BYTES_MAX = 64 * 1024;

export interface BackendRequest {
  repositoryDirectory: string;
  /** `info/refs`, `git-upload-pack` or `git-receive-pack`. */
  file: string;
  query: string;
  request: IncomingMessage;
  body: Readable | undefined;
  /** The process is killed when this closes before the answer is complete. */
  response: ServerResponse;
  /** Called once, when the process has ended. */
  onEnd: () => void;
}

export interface BackendAnswer {
  status: number;
  headers: Record<string, string>;
  body: Readable;
}

/** The variables of RFC 3875 that git-http-backend(1) reads. */
function environment({ repositoryDirectory, file, query, request }: BackendRequest): Record<string, string> {
  const header = (name: string) => {
    const value = request.headers[name];
    return typeof value === "string" ? value : "";
  };
  const optional = (variable: string, value: string) => (value === "" ? {} : { [variable]: value });
  return {
    GIT_PROJECT_ROOT: dirname(repositoryDirectory),
    PATH_INFO: `/${basename(repositoryDirectory)}/${file}`,
    GIT_HTTP_EXPORT_ALL: "1",
    REQUEST_METHOD: request.method ?? "GET",
    QUERY_STRING: query,
    REMOTE_USER: "docent",
    REMOTE_ADDR: request.socket.remoteAddress ?? "",
    CONTENT_TYPE: header("content-type"),
    ...optional("CONTENT_LENGTH", header("content-length")),
    ...optional("HTTP_CONTENT_ENCODING", header("content-encoding")),
    ...optional("GIT_PROTOCOL", header("git-protocol")),
  };
}

/** Whatever the repository's own file says: see REPOSITORY_CONFIG. */
const CONFIG: Readonly<Record<string, string>> = {
  "http.receivepack": "true",
  "http.getanyfile": "false",
  "transfer.hideRefs": "refs/docent",
  "receive.hideRefs": "refs/pull",
  "receive.denyNonFastForwards": "false",
  "receive.denyDeleteCurrent": "refuse",
  "uploadpack.allowFilter": "true",
};

function parseHeaders(text: string): { status: number; headers: Record<string, string> } {
  const headers: Record<string, string> = {};
  let status = 200;
  for (const line of text.split(/\r?\n/)) {
    const colon = line.indexOf(":");
    if (colon < 0) continue;
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    if (name === "status") status = Number.parseInt(value, 10);
    else headers[name] = value;
  }
  return { status, headers };
}

/**
 * Runs `git http-backend` as a CGI program. Resolves when it has answered its headers; the body follows as it comes.
 * Undefined: the client has gone away already, and nothing was started.
 */
export async function runHttpBackend(backend: BackendRequest): Promise<BackendAnswer | undefined> {
  if (backend.response.destroyed || backend.body?.destroyed === true) {
    backend.onEnd();
    return undefined;
  }
  const child = spawnGit(["http-backend"], { env: environment(backend), config: CONFIG });
  let stderr = "";
  child.stderr.on("data", (chunk: Buffer) => {
    stderr = (stderr + chunk.toString("utf8")).slice(0, 4000);
  });
  // git may have read enough before the body ends.
  child.stdin.on("error", () => {});
  if (backend.body === undefined) child.stdin.end();
  else {
    backend.body.pipe(child.stdin);
    backend.body.on("close", () => child.stdin.end());
  }
  // SIGTERM, not SIGKILL: http-backend passes it on to the process that does the work, and git removes its lock files.
  const stop = () => child.kill("SIGTERM");
  backend.response.once("close", stop);

  return await new Promise((resolve, reject) => {
    let head = Buffer.alloc(0);
    function onData(chunk: Buffer): void {
      head = Buffer.concat([head, chunk]);
      const end = /\r?\n\r?\n/.exec(head.toString("latin1"));
      if (end === null) {
        if (head.length <= HEADER_BYTES_MAX) return;
        stop();
        reject(new Error("git http-backend answered no headers"));
        return;
      }
      child.stdout.off("data", onData);
      child.stdout.pause();
      const rest = head.subarray(end.index + end[0].length);
      if (rest.length > 0) child.stdout.unshift(rest);
      resolve({ ...parseHeaders(head.toString("latin1", 0, end.index)), body: child.stdout });
    }
    child.stdout.on("data", onData);
    child.on("error", (error) => {
      backend.onEnd();
      reject(error);
    });
    child.on("close", (exitCode) => {
      backend.response.off("close", stop);
      backend.onEnd();
      // Without effect once the headers are there.
      reject(new Error(`git http-backend ended with exit code ${exitCode}: ${stderr.trim()}`));
    });
  });
}
