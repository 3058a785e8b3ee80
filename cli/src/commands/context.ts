import type { Environment } from "../connection.ts";
import type { Terminal } from "../terminal.ts";

/** What a command stands on. */
export interface CommandContext {
  terminal: Terminal;
  env: Environment;
  fetch: typeof globalThis.fetch;
  now: () => Date;
  /** Aborted when the user wants to stop watching. */
  signal: AbortSignal;
}
