import { join } from "node:path";
import { startChild, type Child } from "./child.ts";

const CLI = join(import.meta.dirname, "../../../cli/src/main.ts");

/** Starts `docent …` as its users do, and resolves when it says that it is ready. */
export async function startDocent(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Child> {
  const child = startDocentUnawaited(args, env);
  await child.line(1, isReady);
  return child;
}

/** The same without waiting. */
export function startDocentUnawaited(args: readonly string[], env: Readonly<Record<string, string>>): Child {
  return startChild([CLI, ...args], env);
}

export function isReady(line: string): boolean {
  return line.startsWith("Docent is ready at ") || line === "Docent works on jobs.";
}

/** Ends a process, stopped or not, and waits for its end. */
export async function endChild(child: Child): Promise<void> {
  child.kill("SIGKILL");
  await child.ended;
}
