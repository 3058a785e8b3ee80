/**
 * A place where a worker touches something outside its own memory: a statement that writes, a git process, a request to
 * the model. `during`: it is under way, and its answer has not arrived.
 */
export type Moment = "before" | "during" | "after";

/** Points of the same name are told apart by how often the process came by: 1 is the first time. */
export interface Point {
  /** For people: file, function and what is done, e.g. `record.ts recordStep: update jobs, insert job_events`. */
  name: string;
  occurrence: number;
}

/**
 * What passing a point changes for everybody else: `settles` something, or writes `within` a transaction that is still
 * open, or only `reads`.
 */
export type Effect = "settles" | "within" | "reads";

export interface PassedPoint extends Point {
  effect: Effect;
}

/**
 * What a process does to itself at a point. `kill`: SIGKILL. `stop`: SIGSTOP, until somebody sends SIGCONT. `wait`: it
 * says so and goes on when it is told to.
 */
export interface Order extends Point {
  moment: Moment;
  action: "kill" | "stop" | "wait";
}

/** What an instrumented process is told, as JSON in its first argument. */
export interface Orders {
  /** `docent worker`, `docent serve` or `docent serve --no-worker`. */
  process: "worker" | "serve" | "serve-no-worker";
  /** Points count from the first claim on, or from the line `arm` on stdin. */
  armedBy: "claim" | "line";
  orders: Order[];
}

/** What an instrumented process writes, one JSON a line, on file descriptor 3. */
export type Report =
  /** All is loaded; it waits for the line `start`. */
  | { type: "loaded" }
  | { type: "armed" }
  | ({ type: "passed" } & PassedPoint)
  | ({ type: "reached" } & Order)
  /** It looks for a job, so it has room for one. */
  | { type: "looks" };

export function pointKey({ name, occurrence }: Point): string {
  return occurrence === 1 ? name : `${name} (${occurrence})`;
}
