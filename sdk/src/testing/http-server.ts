import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

export interface ReceivedRequest {
  method: string;
  /** With the query. */
  path: string;
  headers: IncomingMessage["headers"];
  body: string;
}

export interface TestServer {
  url: string;
  /** In the order in which they came. */
  requests: ReceivedRequest[];
  close(): Promise<void>;
}

/** A real HTTP server for what a healthy service never does: broken connections, foreign answers, errors on demand. */
export async function startTestServer(
  answer: (request: ReceivedRequest, response: ServerResponse) => void,
): Promise<TestServer> {
  const requests: ReceivedRequest[] = [];
  const server = createServer((message, response) => {
    const chunks: Buffer[] = [];
    message.on("data", (chunk: Buffer) => chunks.push(chunk));
    message.on("end", () => {
      const { method = "", url = "", headers } = message;
      const request = { method, path: url, headers, body: Buffer.concat(chunks).toString("utf8") };
      requests.push(request);
      answer(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}
