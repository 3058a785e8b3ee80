import { Server } from "node:net";
import { createEmulator, type SeedConfig } from "emulate";

export interface RunningEmulator {
  /** Where it listens, on the loopback address. */
  url: string;
  close(): Promise<void>;
}

/** Not a port that anything is asked for elsewhere: it stands for "wherever". */
const PLACEHOLDER_PORT = 65_535;

/**
 * Starts `emulate`, which keeps GitHub's state. It wants to listen on all interfaces, on a port that is known before;
 * here it listens on the loopback address, on a free one.
 * @param publicUrl what its answers' addresses begin with.
 */
export async function startEmulator(publicUrl: string, seed: SeedConfig): Promise<RunningEmulator> {
  const servers: Server[] = [];
  const { listen } = Server.prototype;
  Server.prototype.listen = function (this: Server, ...args: unknown[]) {
    if (args[0] !== PLACEHOLDER_PORT) return Reflect.apply(listen, this, args) as Server;
    servers.push(this);
    return Reflect.apply(listen, this, [0, "127.0.0.1"]) as Server;
  } as typeof listen;
  const emulator = await createEmulator({
    service: "github",
    port: PLACEHOLDER_PORT,
    seed,
    baseUrl: publicUrl,
  }).finally(() => (Server.prototype.listen = listen));
  const [started] = servers;
  if (started === undefined) throw new Error("emulate does not listen the way it did.");
  if (!started.listening) await new Promise((resolve) => started.once("listening", resolve));
  const address = started.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      if ("closeAllConnections" in started && typeof started.closeAllConnections === "function") {
        started.closeAllConnections();
      }
      await emulator.close();
    },
  };
}
