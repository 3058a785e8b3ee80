import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";

/**
 * Ends connections that never carried a request when the server closes. Node counts them as busy, so browsers and
 * fetch clients that open one in advance would hold the shutdown until they time out.
 */
export function closeUnusedConnections(app: FastifyInstance): void {
  const unused = new Set<Socket>();
  app.server.on("connection", (socket: Socket) => {
    unused.add(socket);
    socket.once("close", () => unused.delete(socket));
  });
  app.server.on("request", ({ socket }) => unused.delete(socket));
  app.addHook("preClose", async () => {
    for (const socket of unused) socket.destroy();
  });
}
