import type { Transaction } from "kysely";
import type { Schema } from "../../database/schema.ts";
import type { ProjectViews } from "../view.ts";

/** Where classified views go. */
export interface Visits {
  /**
   * Stores views for good, all of them or none; what is stored counts in every report from then on. Waits for others and
   * is stored together with them (group commit).
   * @param within runs in the transaction that makes the views count, with whatever has to become true together with them; when it
   * throws, none of these views count and the promise rejects with its error.
   * @throws VisitsBusyError when too much waits to be stored, or the store fails.
   */
  add(project: ProjectViews, within?: (transaction: Transaction<Schema>) => Promise<void>): Promise<void>;
}

/** Nothing of this was stored, since the buffer is full or the store failed; the sender should come back. */
export class VisitsBusyError extends Error {
  override name = "VisitsBusyError";
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number, reason = "Too many views wait to be stored.") {
    super(`${reason} Send these again in ${retryAfterSeconds} s.`);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
