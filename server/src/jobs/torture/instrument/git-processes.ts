import childProcess, { type ChildProcess } from "node:child_process";
import { syncBuiltinESMExports } from "node:module";
import { findCaller } from "./caller.ts";
import type { Trigger } from "./trigger.ts";

interface Spawner {
  spawn(...args: unknown[]): ChildProcess;
}

/** Makes every git process a point, but for the one that lives as long as its worker: it only reads objects. */
export function instrumentGitProcesses(trigger: Trigger): void {
  const spawner = childProcess as Spawner;
  const { spawn } = spawner;
  spawner.spawn = (...args) => {
    const [program, given] = args;
    const words = Array.isArray(given) ? given.map(String) : [];
    const command = words.find((word) => !word.startsWith("-")) ?? "";
    if (program !== "git" || command === "cat-file") return spawn(...args);
    const passage = trigger.begin(`${findCaller(new Error("where").stack)}: git ${command}`);
    if (passage === undefined) return spawn(...args);
    // A process is started at once or not at all: there is nothing to wait for here.
    void passage.reach("before");
    const child = spawn(...args);
    // By then its input has been written; it goes on without the process that started it.
    if (passage.expects("during")) setImmediate(() => void passage.reach("during"));
    // First of the listeners, so that nobody has heard of the end yet.
    child.prependOnceListener("close", () => {
      void passage.reach("after");
      passage.pass();
    });
    return child;
  };
  syncBuiltinESMExports();
}
