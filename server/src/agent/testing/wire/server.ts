import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { WIRE_USAGE, type Wire, type WireAnswer, type WireRefusal } from "./wire.ts";

export interface WireRequest {
  url: string;
  headers: IncomingMessage["headers"];
  body: string;
}

export interface WireServer {
  url: string;
  requests: WireRequest[];
  close(): Promise<void>;
}

/** A provider on loopback that says these things, one to each request; the last one to all that follow. */
export async function createWireServer(wire: Wire, script: readonly (WireAnswer | WireRefusal)[]): Promise<WireServer> {
  const requests: WireRequest[] = [];
  const server = createServer((request, response) => {
    void answer(request, response).catch((error: unknown) => response.destroy(error as Error));
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const said = script[Math.min(requests.length, script.length - 1)] ?? {};
    requests.push({
      url: request.url ?? "",
      headers: request.headers,
      body: Buffer.concat(chunks).toString("utf8"),
    });
    if (said === "silence") return;
    if (typeof said === "string") {
      const { status, headers = {}, body } = wire.errors[said];
      response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
      return;
    }
    await stream(response, wire, said);
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function stream(response: ServerResponse, wire: Wire, said: WireAnswer): Promise<void> {
  const write = (frame: string | Uint8Array): Promise<void> =>
    new Promise((resolve, reject) => response.write(frame, (error) => (error ? reject(error) : resolve())));
  response.writeHead(200, { "content-type": wire.contentType });
  for (const frame of wire.begin(said)) await write(frame);
  switch (said.after ?? "complete") {
    case "complete":
      for (const frame of wire.complete(said, WIRE_USAGE)) await write(frame);
      response.end();
      break;
    case "overloaded":
      await write(wire.overloaded());
      response.end();
      break;
    case "end":
      response.end();
      break;
    case "break":
      // The client has the beginning before the connection goes.
      setTimeout(() => response.destroy(), 20);
      break;
    case "stall":
      break;
  }
}
