import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import type { AddressInfo } from "node:net";

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Receiver {
  url: string;
  port: number;
  received: Received[];
  /** How it answers from now on; 204 at first. */
  answer: (response: ServerResponse, request: Received) => unknown;
  close(): Promise<void>;
}

/** Somebody's webhook endpoint, over real HTTP. */
export async function startReceiver(): Promise<Receiver> {
  const server = createServer((request, response) => {
    void text(request).then(async (body) => {
      const seen = { path: request.url ?? "", headers: request.headers, body };
      receiver.received.push(seen);
      await receiver.answer(response, seen);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    received: [],
    answer: (response) => response.writeHead(204).end(),
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
  return receiver;
}
