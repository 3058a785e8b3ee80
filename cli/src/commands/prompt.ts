import { readFileSync } from "node:fs";
import { CommandError } from "../failure.ts";
import type { Terminal } from "../terminal.ts";

/** The instruction: the argument, a file's text, or stdin for `-`. */
export async function readPrompt(
  terminal: Terminal,
  argument: string | undefined,
  file: string | undefined,
): Promise<string> {
  if (argument !== undefined && file !== undefined) {
    throw new CommandError("The instruction is given twice.", "Pass it as an argument or with --file, not both.");
  }
  const prompt = file === undefined ? (argument === "-" ? await terminal.readInput() : argument) : readFile(file);
  if (prompt === undefined || prompt.trim() === "") {
    throw new CommandError(
      "There is no instruction.",
      'Pass it as an argument: "fix broken links". Or --file PATH, or - for stdin.',
    );
  }
  return prompt;
}

function readFile(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new CommandError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}
