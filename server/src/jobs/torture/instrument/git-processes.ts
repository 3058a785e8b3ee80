import childProcess, { type ChildProcess } from "node:child_process";
import { syncBuiltinESMExports } from "node:module";
import type { Writable } from "node:stream";
import { findCaller } from "./caller.ts";
import type { Trigger } from "./trigger.ts";

interface Spawner {
  spawn(...args: unknown[]): ChildProcess;
}

const READERS = new Set(["ls-tree", "ls-remote", "for-each-ref", "merge-base", "grep", "rev-parse", "fsck"]);

/**
 * Makes every git process a point. Two live as long as their worker: the one that reads objects is none, since it
 * changes nothing; of the one that moves references each transaction is one.
 */
export function instrumentGitProcesses(trigger: Trigger): void {
  const spawner = childProcess as Spawner;
  const { spawn } = spawner;
  spawner.spawn = (...args) => {
    const [program, given] = args;
    const words = Array.isArray(given) ? given.map(String) : [];
    const command = words.find((word) => !word.startsWith("-")) ?? "";
    if (program !== "git" || command === "cat-file") return spawn(...args);
    if (command === "update-ref" && words.includes("-z")) return instrumentUpdates(spawn(...args), trigger);
    const effect = READERS.has(command) ? "reads" : "settles";
    const passage = trigger.begin(`${findCaller(new Error("where").stack)}: git ${command}`, effect);
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

function instrumentUpdates(child: ChildProcess, trigger: Trigger): ChildProcess {
  const stdin = child.stdin as Writable & { write(chunk: unknown): boolean };
  const write = stdin.write.bind(stdin);
  stdin.write = (chunk: unknown): boolean => {
    const passage = trigger.begin(`${findCaller(new Error("where").stack)}: git update-ref`, "settles");
    void passage?.reach("before");
    child.stdout?.prependOnceListener("data", () => {
      void passage?.reach("after");
      passage?.pass();
    });
    const isBelow = write(chunk);
    if (passage?.expects("during") === true) setImmediate(() => void passage.reach("during"));
    return isBelow;
  };
  return child;
}
