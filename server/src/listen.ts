import { createServer } from "node:net";
import type { FastifyInstance } from "fastify";
import { StartError } from "./start-error.ts";

/** @throws StartError when the address cannot be had. */
export async function listen(app: FastifyInstance, host: string, port: number): Promise<void> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    throw explained(error, host, port);
  }
}

/**
 * A port for 0: links are built before the service listens.
 * @throws StartError when the address cannot be had.
 */
export function findFreePort(host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", (error) => reject(explained(error, host, 0)));
    server.listen({ host, port: 0 }, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}

function explained(error: unknown, host: string, port: number): unknown {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  const reasons: Record<string, string> = {
    EADDRINUSE: `Port ${port} on ${host} is taken. Choose another with --port, or 0 for a free one.`,
    EACCES: `Port ${port} on ${host} may not be opened by this user. Choose one above 1023 with --port.`,
    EADDRNOTAVAIL: `${host} is no address of this machine. Choose another with --host.`,
    ENOTFOUND: `The name ${host} is not known. Choose another with --host.`,
    EAI_AGAIN: `The name ${host} could not be looked up. Give an address with --host.`,
  };
  const reason = typeof code === "string" ? reasons[code] : undefined;
  return reason === undefined ? error : new StartError(reason, { cause: error });
}
