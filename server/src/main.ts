import "./version-guard.ts";
import { pino } from "pino";
import { parseConfig, type Config, type ConfigOverrides } from "./config.ts";
import { createLog } from "./log.ts";
import { createService, type RunningService } from "./service.ts";
import { StartError } from "./start-error.ts";
import { writeBanner } from "./banner.ts";

/** Everything has stopped within this time, or the process ends as it is: what was acknowledged is stored by then. */
const STOP_MS_MAX = 20_000;
/** For the log's last word, which says so. */
const STOP_MS_GRACE = 1_000;

/** For whoever judges documentation without the service: `docent eval`. */
export { viewDocs } from "./workspace/docs-view.ts";

export interface ServeOptions {
  port?: number | undefined;
  host?: string | undefined;
  data?: string | undefined;
  /** False: leave the jobs to `docent worker` processes. */
  worker?: boolean | undefined;
}

/** `docent serve`: runs until SIGINT or SIGTERM, then ends the process. */
export function runServe({ worker = true, ...overrides }: ServeOptions): Promise<void> {
  return run({ ...overrides, process: worker ? "serve" : "serve-no-worker" });
}

/** `docent worker`: runs until SIGINT or SIGTERM, then ends the process. */
export function runWorker({ data }: { data?: string | undefined }): Promise<void> {
  return run({ data, process: "worker" });
}

async function run(overrides: ConfigOverrides): Promise<void> {
  let config: Config;
  let running: RunningService;
  let lose = (_reason: string): void => {};
  const lost = new Promise<string>((resolve) => (lose = resolve));
  // Taken before anything starts: a signal during the start stops what stands so far.
  const stopSignal = nextSignal();
  // Also when the start itself hangs, as on a file system that does not answer.
  void stopSignal.then(() => setTimeout(() => process.exit(1), STOP_MS_MAX + STOP_MS_GRACE).unref());
  try {
    config = parseConfig(process.env, overrides);
    const log = createLog(config.logLevel, pino.destination({ fd: 2, sync: true }));
    const service = createService(config, { log, onLost: lose });
    running = await service.start();
    writeBanner(process.stdout, config, running);
    const reason = await Promise.race([stopSignal, lost.then((cause) => `lost: ${cause}`)]);
    log.info({ reason }, "stopping");
    setTimeout(() => {
      log.error(`did not stop within ${STOP_MS_MAX / 1000} s`);
      process.exit(1);
    }, STOP_MS_MAX).unref();
    await service.stop();
    log.info("stopped");
    process.exit(reason.startsWith("lost") ? 1 : 0);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

function nextSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve(signal));
  });
}
