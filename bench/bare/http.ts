import { fork } from "node:child_process";
import { once } from "node:events";
import type { RunningProcesses } from "../processes.ts";
import { timeEach } from "../statistics.ts";

export interface BareServerNews {
  url: string;
}

/** Starts a bare Fastify as a process of its own. It answers with `body`. */
export async function startBareServer(processes: RunningProcesses, body: string): Promise<{ url: string }> {
  const child = fork(new URL("../bare-server.ts", import.meta.url), [body], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  processes.onStop(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  });
  return new Promise((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`The bare server ended with code ${code}.`)));
    child.once("message", ({ url }: BareServerNews) => resolve({ url }));
  });
}

/** Milliseconds of each POST of a JSON body to a bare Fastify, one after another. */
export async function timeBarePosts(processes: RunningProcesses, count: number): Promise<number[]> {
  const { url } = await startBareServer(processes, JSON.stringify({ id: "job" }));
  const post = async (): Promise<void> => {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ prompt: "replace A with B" }),
    });
    await response.text();
  };
  await timeEach(50, post);
  return timeEach(count, post);
}
