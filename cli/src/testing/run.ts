import { Readable } from "node:stream";
import { runCli } from "../cli.ts";
import { createTerminal } from "../terminal.ts";

/** Runs one command line, as in a pipe: with plain text and no terminal. */
export async function runDocent(
  args: readonly string[],
  { env, stdin = "" }: { env: Record<string, string>; stdin?: string },
): Promise<{ code: number; out: string; error: string }> {
  let out = "";
  let error = "";
  const terminal = createTerminal(
    {
      stdin: Readable.from([stdin]),
      stdout: { write: (text: string) => (out += text) },
      stderr: { write: (text: string) => (error += text) },
    },
    {},
  );
  const { signal } = new AbortController();
  const code = await runCli(args, { terminal, env, fetch: globalThis.fetch, now: () => new Date(), signal });
  return { code, out, error };
}
