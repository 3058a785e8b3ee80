import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { answerGit, passwordOf, readGitRequest, type GitRequest } from "./git-backend.ts";

/** A request to a product's API. */
export interface ApiRequest {
  method: string;
  /** Below the API's root, as it was sent: percent-encoded. */
  path: string;
  query: URLSearchParams;
  headers: Readonly<Record<string, string | undefined>>;
  /** Parsed; undefined without any. */
  body: unknown;
}

export interface ApiAnswer {
  status: number;
  /** Sent as JSON; a text as it is. Nothing for undefined. */
  body?: unknown;
  headers?: Record<string, string>;
}

/** What goes wrong with a request: before the product does what was asked, or when it has done it. */
export interface Fault {
  when: "before" | "after";
  /** `cut` closes the connection, `hold` never answers, else this is answered. */
  how: "cut" | "hold" | ApiAnswer;
  /** Called when that has happened. */
  onDone?: () => void;
}

/** What git shows to a person: each line of the text behind `remote:`. */
export interface GitRefusal {
  status: number;
  text: string;
}

interface Handlers {
  /** Path under which the product lies, like `/code`; empty for none. */
  basePath: string;
  /** Below it. */
  apiPath: string;
  answer(request: ApiRequest): ApiAnswer | Promise<ApiAnswer>;
  /** The bare repository, or what refuses. `token` is the password that git sent. */
  openRepository(request: GitRequest, token: string | undefined): string | GitRefusal;
}

export interface Product {
  /** Where people open it. */
  url: string;
  /** Every request to the API so far. */
  requests: ApiRequest[];
  /** Asked before each request; stays until it is replaced. */
  failOn(fault: (request: ApiRequest) => Fault | undefined): void;
  close(): Promise<void>;
}

/** A code host's server on a free port of the loopback address: its API, and git over HTTP. */
export async function startProduct({ basePath, apiPath, answer, openRepository }: Handlers): Promise<Product> {
  const requests: ApiRequest[] = [];
  let faultOf: (request: ApiRequest) => Fault | undefined = () => undefined;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, search, searchParams } = new URL(request.url ?? "/", "http://product");
    const path = pathname.startsWith(`${basePath}/`) ? pathname.slice(basePath.length) : "";
    const gitRequest = readGitRequest(path, search.slice(1));
    if (gitRequest !== undefined) return serveGit(gitRequest, request, response);
    if (!path.startsWith(`${apiPath}/`)) {
      // What a person would see.
      response.writeHead(path === "" ? 404 : 200, { "content-type": "text/html" }).end("<!doctype html><p>A page.</p>");
      return;
    }
    const text = await textOf(request);
    const asked: ApiRequest = {
      method: request.method ?? "GET",
      path: path.slice(apiPath.length),
      query: searchParams,
      headers: request.headers as Record<string, string | undefined>,
      body: text === "" ? undefined : JSON.parse(text),
    };
    requests.push(asked);
    const fault = faultOf(asked);
    const meant = fault?.when === "before" ? undefined : await answer(asked);
    if (fault?.how === "cut") response.destroy();
    else if (fault?.how !== "hold") send(response, fault?.how ?? meant ?? { status: 500 });
    fault?.onDone?.();
  }

  async function serveGit(gitRequest: GitRequest, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const opened = openRepository(gitRequest, passwordOf(request));
    if (typeof opened === "string") return answerGit({ ...gitRequest, gitDir: opened }, request, response);
    request.resume();
    const { status, text } = opened;
    response.writeHead(status, { "content-type": "text/plain", "www-authenticate": 'Basic realm="product"' });
    response.end(`${text}\n`);
  }

  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      response.writeHead(500, { "content-type": "text/plain" }).end(String(error));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The product has no port.");
  return {
    url: `http://127.0.0.1:${address.port}${basePath}`,
    requests,
    failOn(fault) {
      faultOf = fault;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function send(response: ServerResponse, { status, body, headers = {} }: ApiAnswer): void {
  if (body === undefined) {
    response.writeHead(status, headers).end();
    return;
  }
  const type = typeof body === "string" ? "text/html" : "application/json";
  response.writeHead(status, { "content-type": type, ...headers });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
