import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { connect, type AddressInfo, type Socket } from "node:net";
import { join } from "node:path";
import { createServer } from "node:tls";

const CERTIFICATES = join(import.meta.dirname, "certificates");

/** The authority that signed the certificate of `startTlsFront`. */
export const TEST_AUTHORITY_FILE = join(CERTIFICATES, "authority.pem");

/** Speaks TLS in front of a server of this machine, for `localhost`, `127.0.0.1`, `site.test`, `git.test` and `hooks.test`. */
export async function startTlsFront(port: number): Promise<{ port: number; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createServer(
    { cert: await readFile(join(CERTIFICATES, "server.pem")), key: await readFile(join(CERTIFICATES, "server.key")) },
    (client) => {
      const onward = connect(port, "127.0.0.1");
      for (const socket of [client, onward]) {
        sockets.add(socket);
        socket.on("error", () => {});
      }
      client.pipe(onward).pipe(client);
    },
  );
  server.on("tlsClientError", () => {});
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, "close");
    },
  };
}
