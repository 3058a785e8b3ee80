import pg from "pg";
import { findCaller } from "./caller.ts";
import type { Passage, Trigger } from "./trigger.ts";

interface Queryable {
  query(...args: unknown[]): unknown;
}

/** Not a job's own: these come by the clock, whatever the job does. */
const BY_THE_CLOCK = /^(claim\.ts renewLeases|maintenance\.ts)/;
const CLAIM = "claim.ts claimJob";

/** Makes every statement that writes a point. A claim is one only when it takes a job. */
export function instrumentPostgres(trigger: Trigger, armedBy: "claim" | "line"): void {
  const prototype = pg.Client.prototype as Queryable;
  const query = prototype.query;
  /** Who wrote in the open transaction of each connection: the stack of a commit does not always tell. */
  const writers = new WeakMap<object, string>();
  const open = new WeakSet<object>();

  prototype.query = function instrumented(this: Queryable, ...args: unknown[]): unknown {
    const [text] = args;
    const run = (): unknown => query.apply(this, args);
    if (typeof text !== "string" || args.some((arg) => typeof arg === "function")) return run();
    if (/^(begin|start transaction)/i.test(text)) open.add(this);
    if (/^(commit|rollback)/i.test(text)) open.delete(this);
    const what = describeWrite(text);
    if (what === undefined) return run();
    const caller = findCaller(new Error("where").stack) || (writers.get(this) ?? "");
    if (BY_THE_CLOCK.test(caller)) return run();
    if (what === "commit") writers.delete(this);
    else writers.set(this, caller);
    const isClaim = caller.startsWith(CLAIM);
    if (isClaim) {
      trigger.report({ type: "looks" });
      if (armedBy === "claim") trigger.arm();
    }
    const passage = trigger.begin(`${caller}: ${what}`, open.has(this) ? "within" : "settles");
    if (passage === undefined) return run();
    return pass(passage, run, (answer) => !isClaim || rowsOf(answer) > 0);
  };
}

async function pass(passage: Passage, run: () => unknown, counts: (answer: unknown) => boolean): Promise<unknown> {
  if (passage.expects("before")) await passage.reach("before");
  const running = run();
  if (passage.expects("during")) {
    // By then the statement is on its way, and no answer has been read.
    await new Promise((resolve) => setImmediate(resolve));
    await passage.reach("during");
  }
  const answer = await running;
  if (counts(answer)) {
    if (passage.expects("after")) await passage.reach("after");
    passage.pass();
  } else passage.retract();
  return answer;
}

function rowsOf(answer: unknown): number {
  return typeof answer === "object" && answer !== null && "rowCount" in answer ? Number(answer.rowCount) : 0;
}

/** `update jobs, insert job_events`; undefined for a statement that writes nothing. */
function describeWrite(text: string): string | undefined {
  const statement = text.trim().toLowerCase();
  if (statement.startsWith("commit")) return "commit";
  if (!/^(insert|update|delete|with|select)\b/.test(statement)) return undefined;
  const writes = [...statement.matchAll(/\b(insert into|update|delete from)\s+"?([a-z_]+)"?/g)]
    // `for update of waiting` takes a lock and writes nothing.
    .filter((match) => match[1] !== "update" || !statement.slice(0, match.index).trimEnd().endsWith("for"))
    .map(([, verb = "", table = ""]) => `${verb.split(" ")[0]} ${table}`);
  if (writes.length > 0) return [...new Set(writes)].join(", ");
  // The text of an answer on its way comes by the clock too, and is stored nowhere.
  return statement.includes("pg_notify") && !statement.includes("'job_deltas'") ? "notify" : undefined;
}
