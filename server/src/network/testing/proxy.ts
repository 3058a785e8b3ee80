import { createServer, request as requestHttp } from "node:http";
import { once } from "node:events";
import { connect, type AddressInfo, type Socket } from "node:net";

export interface TestProxy {
  /** With the user and the password that it wants. */
  url: string;
  /** What it was asked for: `CONNECT host:port`, or the method and the whole URL. */
  seen: string[];
  close(): Promise<void>;
}

export const PROXY_PASSWORD = "proxy-canary-7c1d";

/**
 * A forward proxy as companies have them: CONNECT for https, absolute URLs for http, a password for both. It knows the
 * hosts of `hosts` by name, each as a port of this machine, and nothing else.
 */
export async function startTestProxy(hosts: Readonly<Record<string, number>>): Promise<TestProxy> {
  const seen: string[] = [];
  const sockets = new Set<Socket>();
  const authorized = `Basic ${Buffer.from(`docent:${PROXY_PASSWORD}`).toString("base64")}`;

  const server = createServer((request, response) => {
    if (request.headers["proxy-authorization"] !== authorized) {
      response.writeHead(407, { "proxy-authenticate": 'Basic realm="proxy"' }).end();
      return;
    }
    const url = new URL(request.url ?? "");
    seen.push(`${request.method} ${url.href}`);
    const port = hosts[url.host];
    if (port === undefined) {
      response.writeHead(502).end();
      return;
    }
    const { "proxy-authorization": _own, ...headers } = request.headers;
    const onward = requestHttp({
      host: "127.0.0.1",
      port,
      method: request.method,
      path: url.pathname + url.search,
      headers,
    });
    onward.on("response", (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on("error", () => response.destroy());
    request.pipe(onward);
  });

  server.on("connect", (request, client: Socket) => {
    sockets.add(client);
    client.on("error", () => {});
    if (request.headers["proxy-authorization"] !== authorized) {
      client.end(
        'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="proxy"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n',
      );
      return;
    }
    seen.push(`CONNECT ${request.url}`);
    const port = hosts[request.url ?? ""];
    if (port === undefined) {
      client.end("HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
      return;
    }
    const onward = connect(port, "127.0.0.1", () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      onward.pipe(client).pipe(onward);
    });
    sockets.add(onward);
    onward.on("error", () => client.destroy());
  });

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://docent:${PROXY_PASSWORD}@127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    async close() {
      server.close();
      server.closeAllConnections();
      for (const socket of sockets) socket.destroy();
      await once(server, "close");
    },
  };
}
