import { once } from "node:events";
import { connect } from "node:net";
import fastify from "fastify";
import { expect, test } from "vitest";
import { closeUnusedConnections } from "./unused-connections.ts";

test("a connection opened in advance does not hold the shutdown", async () => {
  const app = fastify();
  closeUnusedConnections(app);
  await app.listen({ host: "127.0.0.1", port: 0 });
  const socket = connect({ host: "127.0.0.1", port: Number(new URL(app.listeningOrigin).port) });
  const ended = once(socket, "close");
  await Promise.all([once(socket, "connect"), once(app.server, "connection")]);
  await app.close();
  await ended;
  expect(socket.destroyed).toBe(true);
});
