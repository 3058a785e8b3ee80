import { DocentError } from "@docent/sdk";
import type { Terminal } from "./terminal.ts";

/** A command that cannot go on: what is wrong, and what to do about it. */
export class CommandError extends Error {
  readonly hint: string | undefined;
  constructor(message: string, hint?: string) {
    super(message);
    this.name = "CommandError";
    this.hint = hint;
  }
}

/** Prints what went wrong and what to do: one line each. */
export function reportFailure(terminal: Terminal, error: unknown): void {
  // Anything else is a fault in Docent itself: whoever reports it needs the stack.
  const expected = error instanceof CommandError || error instanceof DocentError;
  const message = error instanceof Error ? (expected ? error.message : (error.stack ?? error.message)) : String(error);
  terminal.writeError(`${terminal.styleError("red", "Error:")} ${message}\n`);
  if (error instanceof DocentError) {
    for (const detail of error.details) {
      if (!message.includes(detail.message)) terminal.writeError(`  ${detail.message}\n`);
    }
  }
  const hint = hintFor(error);
  if (hint !== undefined) terminal.writeError(`${terminal.styleError("dim", hint)}\n`);
}

function hintFor(error: unknown): string | undefined {
  if (error instanceof CommandError) return error.hint;
  if (!(error instanceof DocentError)) return undefined;
  if (error.code === "unreachable")
    return "Is the service running? Start it with: docent serve. Elsewhere: set DOCENT_URL.";
  if (error.code === "unexpected_answer")
    return "Check DOCENT_URL: it should be the address that `docent serve` prints.";
  if (error.code === "unauthorized")
    return "Check DOCENT_API_KEY (jobs, reports) or DOCENT_ADMIN_TOKEN and --data (projects and keys).";
  if (error.code === "forbidden")
    return "Check that DOCENT_API_KEY belongs to this project and that its scope allows this.";
  // The service's answer for any id that it does not know; other ones name what is missing.
  if (error.code === "not_found" && error.message === "There is nothing here.")
    return "Check the ids. These show what is there: docent project list, docent job list, docent webhook list.";
  if (error.code === "rate_limited" && error.retryAfter !== undefined) return `Try again in ${error.retryAfter} s.`;
  if (error.status >= 500 && error.requestId !== undefined) return `The service's log has it under ${error.requestId}.`;
  return undefined;
}
