import { writeSync } from "node:fs";
import type { Effect, Moment, Order, Report } from "../point.ts";

/** One passage of a point, from before to after. */
export interface Passage {
  /** Whether something is ordered for this moment. */
  expects(moment: Moment): boolean;
  /** Carries out what is ordered for this moment; a promise when it has to be waited for. */
  reach(moment: Moment): Promise<void> | undefined;
  /** Says that the point was passed, for the list of all points. */
  pass(): void;
  /** It turned out to be none: it does not count. */
  retract(): void;
}

export interface Trigger {
  /** Points count from now on. */
  arm(): void;
  begin(name: string, effect: Effect): Passage | undefined;
  report(report: Report): void;
}

const REPORT_DESCRIPTOR = 3;

/**
 * Counts the points that this process comes by, and carries out its orders.
 * @param proceed resolves when a process that waits is told to go on
 */
export function createTrigger(orders: readonly Order[], proceed: () => Promise<void>): Trigger {
  const counts = new Map<string, number>();
  let isArmed = false;

  function report(line: Report): void {
    // At once and whole: the process may be gone after the next statement.
    writeSync(REPORT_DESCRIPTOR, `${JSON.stringify(line)}\n`);
  }

  function act(order: Order): Promise<void> | undefined {
    report({ type: "reached", ...order });
    if (order.action === "wait") return proceed();
    process.kill(process.pid, order.action === "kill" ? "SIGKILL" : "SIGSTOP");
    return undefined;
  }

  return {
    arm() {
      isArmed = true;
    },
    begin(name, effect) {
      if (!isArmed) return undefined;
      const occurrence = (counts.get(name) ?? 0) + 1;
      counts.set(name, occurrence);
      const find = (moment: Moment): Order[] =>
        orders.filter((order) => order.name === name && order.occurrence === occurrence && order.moment === moment);
      return {
        expects: (moment) => find(moment).length > 0,
        reach(moment) {
          const [first, ...others] = find(moment);
          const done = first && act(first);
          // One that waits at its point and is then killed there.
          return others.reduce(
            (before, order) => (before === undefined ? act(order) : before.then(() => act(order))),
            done,
          );
        },
        pass: () => report({ type: "passed", name, occurrence, effect }),
        retract: () => counts.set(name, occurrence - 1),
      };
    },
    report,
  };
}
