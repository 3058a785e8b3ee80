import { createServer } from "node:net";

/** The first port from `wanted` on that nothing listens on. Tries a hundred. */
export async function findFreePort(wanted: number, host: string): Promise<number> {
  for (let port = wanted; port < wanted + 100; port += 1) {
    if (await isFree(port, host)) return port;
  }
  throw new Error(`The ports ${wanted} to ${wanted + 99} are all taken. Set DOCENT_PORT to a free one.`);
}

function isFree(port: number, host: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE" || error.code === "EACCES") resolve(false);
      else reject(error);
    });
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}
