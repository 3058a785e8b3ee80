import "../../version-guard.ts";
import { flushCompileCache } from "node:module";
import { createInterface } from "node:readline";
import { runServe, runWorker } from "../../main.ts";
import { instrumentFileRenames } from "./instrument/file-renames.ts";
import { instrumentGitProcesses } from "./instrument/git-processes.ts";
import { instrumentModelRequests } from "./instrument/model-requests.ts";
import { instrumentPostgres } from "./instrument/postgres.ts";
import { createTrigger } from "./instrument/trigger.ts";
import type { Orders } from "./point.ts";

// The service as it is, in a process that comes by counted points and dies, stops or waits at those it was told to.
// Nothing of the product knows of this: it is the driver, git and fetch that are watched.

Error.stackTraceLimit = 100;
const orders: Orders = JSON.parse(process.argv[2] ?? "");
const input = createInterface({ input: process.stdin });
let proceed = (): void => {};
const trigger = createTrigger(orders.orders, () => new Promise((resolve) => (proceed = resolve)));
instrumentPostgres(trigger, orders.armedBy);
instrumentGitProcesses(trigger);
instrumentFileRenames(trigger);
instrumentModelRequests(trigger);

// Whoever started it is gone.
input.on("close", () => process.kill(process.pid, "SIGKILL"));
const started = new Promise<void>((resolve) => {
  input.on("line", (line) => {
    if (line === "start") resolve();
    else if (line === "arm") {
      trigger.arm();
      trigger.report({ type: "armed" });
    } else if (line === "go on") proceed();
  });
});
trigger.report({ type: "loaded" });
// Those after this one load faster; a killed process would not keep it.
flushCompileCache();
// Loading takes longer than anything after it; it can be done before the process is needed.
await started;
await (orders.process === "worker" ? runWorker({}) : runServe({ worker: orders.process === "serve" }));
