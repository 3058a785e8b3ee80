import { spawn } from "node:child_process";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { dirname, basename } from "node:path";
import { runGit } from "../git.ts";

export interface HttpRemote {
  url: string;
  /** Every request's Authorization header, undefined where it had none. */
  authorizations: (string | undefined)[];
  close(): Promise<void>;
}

/** Serves a bare repository over smart HTTP with `git http-backend`; with `authorization`, only to who sends it. */
export async function serveRepository(
  directory: string,
  options: { authorization?: string; redirectTo?: string } = {},
): Promise<HttpRemote> {
  const execPath = (await runGit(["--exec-path"])).stdout.toString("utf8").trim();
  const authorizations: (string | undefined)[] = [];

  function answer(request: IncomingMessage, response: ServerResponse): void {
    authorizations.push(request.headers.authorization);
    if (options.redirectTo !== undefined) {
      const target = (request.url ?? "").replace(`/${basename(directory)}`, "");
      response.writeHead(301, { location: options.redirectTo + target }).end();
      return;
    }
    if (options.authorization !== undefined && request.headers.authorization !== options.authorization) {
      response.writeHead(401, { "www-authenticate": 'Basic realm="test"' }).end();
      return;
    }
    const [path = "", query = ""] = (request.url ?? "").split("?");
    const child = spawn(`${execPath}/git-http-backend`, [], {
      env: {
        PATH: process.env["PATH"] ?? "",
        GIT_PROJECT_ROOT: dirname(directory),
        GIT_HTTP_EXPORT_ALL: "1",
        REMOTE_USER: "test",
        REQUEST_METHOD: request.method ?? "",
        PATH_INFO: decodeURIComponent(path),
        QUERY_STRING: query,
        CONTENT_TYPE: request.headers["content-type"] ?? "",
        HTTP_CONTENT_ENCODING: request.headers["content-encoding"] ?? "",
        GIT_PROTOCOL: String(request.headers["git-protocol"] ?? ""),
      },
    });
    request.pipe(child.stdin);
    child.stdin.on("error", () => {});
    const chunks: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.on("close", () => {
      const output = Buffer.concat(chunks);
      const end = output.indexOf("\r\n\r\n");
      let status = 200;
      for (const line of output.toString("latin1", 0, end).split("\r\n")) {
        const [name = "", value = ""] = line.split(": ");
        if (name === "Status") status = Number.parseInt(value, 10);
        else response.setHeader(name, value);
      }
      response.writeHead(status).end(output.subarray(end + 4));
    });
  }

  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/${basename(directory)}`,
    authorizations,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
