import { fork } from "node:child_process";
import { once } from "node:events";
import type { RunningProcesses } from "./processes.ts";

/** What the model server's process says. `step` counts from 0 in each job; times are of `process.hrtime`, which all processes of a machine share. */
export type ModelNews =
  | { type: "ready"; url: string }
  | { type: "request"; id: string; step: number; arrivedNs: string };

export interface ModelOrder {
  type: "release";
}

export interface Model {
  /** For `DOCENT_MODEL_BASE_URL`. */
  url: string;
  /** When the first request of a job arrived, in `process.hrtime` nanoseconds. Waits for it. */
  firstRequest(id: string): Promise<bigint>;
  /** How many requests came so far. */
  requests(): number;
  /** Lets every held answer go. */
  release(): void;
}

/** Starts the scripted model as a process of its own, so that its work is not the service's. */
export async function startModel(processes: RunningProcesses): Promise<Model> {
  const child = fork(new URL("./model-server.ts", import.meta.url), { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  processes.onStop(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  });
  const arrivals = new Map<string, bigint>();
  const waiting = new Map<string, (arrivedNs: bigint) => void>();
  let requests = 0;
  const url = await new Promise<string>((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`The model server ended with code ${code}.`)));
    child.on("message", (news: ModelNews) => {
      if (news.type === "ready") return resolve(news.url);
      requests += 1;
      if (news.step > 0) return undefined;
      const arrivedNs = BigInt(news.arrivedNs);
      arrivals.set(news.id, arrivedNs);
      return waiting.get(news.id)?.(arrivedNs);
    });
  });
  return {
    url,
    async firstRequest(id) {
      const arrived = arrivals.get(id) ?? (await new Promise<bigint>((resolve) => waiting.set(id, resolve)));
      waiting.delete(id);
      arrivals.delete(id);
      return arrived;
    },
    requests: () => requests,
    release() {
      const order: ModelOrder = { type: "release" };
      child.send(order);
    },
  };
}
