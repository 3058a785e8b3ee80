import { join } from "node:path";
import { runCli } from "../../cli/src/cli.ts";
import type { CommandContext } from "../../cli/src/commands/context.ts";
import { formatCount } from "../../cli/src/report-text.ts";
import type { Terminal } from "../../cli/src/terminal.ts";
import type { Screen } from "./screen.ts";

const SAMPLE_LOG = "examples/access.log.gz";
const ROWS_SHOWN = 8;

/**
 * Imports the sample log and shows who read the documentation, with the commands that do it.
 * @throws Error when a command fails.
 */
export async function showReaders(
  terminal: Terminal,
  screen: Screen,
  { root, env, signal }: { root: string; env: CommandContext["env"]; signal: AbortSignal },
): Promise<void> {
  async function run(args: readonly string[], shownOn: Terminal): Promise<void> {
    const context = { terminal: shownOn, env, fetch: globalThis.fetch, now: () => new Date(), signal };
    const code = await runCli(args, context);
    signal.throwIfAborted();
    if (code !== 0) throw new Error(`docent ${args.join(" ")} failed.`);
  }

  screen.command(`./docent import ${SAMPLE_LOG}`);
  let report = "";
  const quiet = { ...terminal, live: false, write: (text: string) => void (report += text) };
  await run(["import", join(root, SAMPLE_LOG), "--json"], quiet);
  const { lines, views }: { lines: number; views: number } = JSON.parse(report);
  const rest = `${formatCount(lines - views)} others are assets, redirects and the like`;
  screen.done(`${formatCount(lines)} lines of a made-up log: ${formatCount(views)} page views; ${rest}`);

  const visitors = ["visitors", "--limit", String(ROWS_SHOWN)];
  screen.command(`./docent ${visitors.join(" ")}`);
  await run(visitors, terminal);
}
