import { join } from "node:path";
import { startChild, type Child } from "../../testing/child.ts";
import type { Order, Orders, PassedPoint, Report } from "./point.ts";

/** An instrumented process of the service. */
export interface Victim {
  child: Child;
  /** The points that it passed so far, in order. */
  passed: PassedPoint[];
  /** Lets it begin; its code is loaded by then or soon. */
  start(): void;
  /** Resolves with the next order that it carries out, rejects when the process ends before. */
  reached(action: Order["action"]): Promise<Order>;
  /** Resolves when it counts points, after the line `arm`. */
  armed(): Promise<void>;
  /** Resolves when it looks for a job the next time. */
  looks(): Promise<void>;
}

/** Starts a process that loads the service and waits. `env` is the service's own. */
export function startVictim(orders: Orders, env: Readonly<Record<string, string>>): Victim {
  const child = startChild([join(import.meta.dirname, "worker-process.ts"), JSON.stringify(orders)], env);
  const passed: PassedPoint[] = [];
  const parse = (line: string): Report => JSON.parse(line);
  child.onLine(3, (line) => {
    const report = parse(line);
    if (report.type !== "passed") return;
    const { name, occurrence, effect } = report;
    passed.push({ name, occurrence, effect });
  });
  return {
    child,
    passed,
    start: () => child.send("start"),
    async reached(action) {
      const line = await child.line(3, (text) => {
        const report = parse(text);
        return report.type === "reached" && report.action === action;
      });
      return JSON.parse(line);
    },
    async armed() {
      await child.line(3, (text) => parse(text).type === "armed");
    },
    async looks() {
      await child.line(3, (text) => parse(text).type === "looks");
    },
  };
}
