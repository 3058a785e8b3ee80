import { join } from "node:path";
import { createAnalytics, type Analytics } from "./analytics/analytics.ts";
import { connectStore, requireStore } from "./analytics/store/connect.ts";
import type { Engine } from "./analytics/store/engine.ts";
import { createUnavailableAnalytics } from "./analytics/unavailable.ts";
import type { Config } from "./config.ts";
import type { ControlDatabase } from "./control-database.ts";
import { claimOwnership, type Ownership } from "./database/ownership.ts";
import { createId } from "./ids.ts";
import type { Log } from "./log.ts";

/** How soon another process folds when the one that did is gone. */
const CLAIM_EVERY_MS = 10_000;

type Release = () => Promise<void>;

export interface OpenAnalyticsOptions {
  releases: Release[];
  clock: () => Date;
  log: Log;
  /** Instead of the configured one. */
  engine: Engine | undefined;
  onLost: (reason: string) => void;
}

/**
 * Opens the store of the visits and begins to count: chDB under the data directory, which one process alone may use, or the ClickHouse of
 * `CLICKHOUSE_URL`. Pushes what has to be released, also when it throws half-way.
 * @throws StartError when the store cannot be used
 */
export async function openAnalytics(
  config: Config,
  control: ControlDatabase,
  { releases, clock, log, engine: given, onLost }: OpenAnalyticsOptions,
): Promise<Analytics> {
  const isShared = config.clickhouseUrl !== null;
  if (!isShared && !control.isEmbedded) {
    const ownership = await claimOwnership({ connection: control.connection, name: "visits", onLost });
    if ("ownedBy" in ownership) {
      const reason = `The visits are kept by another "docent serve" (${ownership.ownedBy}). Several of them need CLICKHOUSE_URL, the same for all.`;
      log.warn(reason);
      return createUnavailableAnalytics(reason);
    }
    releases.push(() => ownership.release());
  }
  const engine = given ?? (await connectStore({ directory: join(config.data, "visits"), ...config }));
  if (engine === null) {
    const reason = `There is no chDB for ${process.platform} on ${process.arch}, so visits are not kept here. Set CLICKHOUSE_URL to a ClickHouse server.`;
    log.warn(reason);
    return createUnavailableAnalytics(reason);
  }
  releases.push(() => engine.close());
  await requireStore(engine, isShared ? "CLICKHOUSE_URL" : "The store of visits under the data directory");
  const owner = createId("srv", clock());
  const analytics = await createAnalytics({
    engine,
    database: control.database,
    owner,
    isAlone: !isShared,
    clock,
    log,
  });
  releases.push(() => analytics.close());
  if (isShared) releases.push(foldWhereNobodyDoes(analytics, control, log));
  else analytics.startFolding();
  return analytics;
}

/** Folds while this process holds the lock for it. Returns what ends that. */
function foldWhereNobodyDoes(analytics: Analytics, control: ControlDatabase, log: Log): Release {
  let ownership: Ownership | undefined;
  let isStopped = false;

  async function claim(): Promise<void> {
    if (ownership !== undefined || isStopped) return;
    const claimed = await claimOwnership({
      connection: control.connection,
      name: "folding",
      onLost(reason) {
        log.warn({ reason }, "another process may fold the visits from now on");
        ownership = undefined;
        void analytics.stopFolding();
      },
    });
    if ("ownedBy" in claimed) return;
    ownership = claimed;
    if (isStopped) await claimed.release();
    else analytics.startFolding();
  }

  let claiming: Promise<void> = Promise.resolve();
  const tryToClaim = (): void => {
    claiming = claiming.then(claim).catch((error: unknown) => log.warn({ err: error }, "folding could not be claimed"));
  };
  tryToClaim();
  const timer = setInterval(tryToClaim, CLAIM_EVERY_MS);
  return async () => {
    isStopped = true;
    clearInterval(timer);
    await claiming;
    await analytics.stopFolding();
    await ownership?.release();
  };
}
