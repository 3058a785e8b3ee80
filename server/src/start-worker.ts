import { join } from "node:path";
import type { Models } from "./agent/models/models.ts";
import { createImportNetwork } from "./codehost/builtin/probe.ts";
import type { CodeHosts } from "./codehost/codehosts.ts";
import { reachPublicRepository } from "./codehost/public-repository.ts";
import type { Config } from "./config.ts";
import type { ControlDatabase } from "./control-database.ts";
import { createId } from "./ids.ts";
import { releaseAllJobs } from "./jobs/claim.ts";
import { runJob } from "./jobs/run-job.ts";
import type { JobSignals } from "./jobs/signals.ts";
import { createWorker } from "./jobs/worker.ts";
import type { Log } from "./log.ts";
import { claimMirrorsDirectory } from "./mirrors-directory.ts";
import { modelCalls } from "./open-models.ts";
import type { Network } from "./network/network.ts";
import type { ProjectCredentials } from "./projects/credentials.ts";
import { createMirrors } from "./workspace/mirror.ts";

/** Files beyond this stay on the code host: no page of documentation is that large, and images are not edited. */
const BLOB_BYTES_MAX = 1024 * 1024;

/** Not a job's own signal: its mirror serves the others of the project as well. */
const REACH_MS_MAX = 60_000;

/** Starts this process's worker on the jobs; it and its mirrors are pushed as releases. */
export async function startWorker(
  parts: {
    control: ControlDatabase;
    signals: JobSignals;
    codeHosts: CodeHosts;
    credentials: ProjectCredentials;
    models: Models;
    network: Network;
  },
  config: Config,
  { releases, clock, log }: { releases: (() => Promise<void>)[]; clock: () => Date; log: Log },
): Promise<void> {
  const { signals, codeHosts, credentials, models, network } = parts;
  const { database, connection, isEmbedded } = parts.control;
  const directory = await claimMirrorsDirectory(join(config.data, "mirrors"), connection, releases);
  const mirrors = createMirrors({ directory, blobBytesMax: BLOB_BYTES_MAX, network: network.git });
  releases.push(() => mirrors.close());
  const imports = createImportNetwork(network);
  const limits = {
    stepsMax: config.jobStepsMax,
    tokensMax: config.jobTokensMax,
    turnMinutesMax: config.jobMinutesMax,
    ...(config.jobCostMaxUsd === null ? {} : { costMaxUsd: config.jobCostMaxUsd }),
  };
  const calls = modelCalls(config);
  const worker = createWorker(
    {
      database,
      signals,
      log,
      runJob: (job, signal) =>
        runJob(
          {
            database,
            codeHosts,
            reachPublicRepository: (url) => reachPublicRepository(url, imports, AbortSignal.timeout(REACH_MS_MAX)),
            credentials,
            mirrors,
            models,
            modelCalls: calls,
            limits,
            clock,
          },
          job,
          signal,
        ),
    },
    {
      name: createId("wrk", clock()),
      concurrency: config.jobsConcurrency,
      perProjectMax: config.jobsConcurrencyPerProject,
    },
  );
  // The embedded database has no other worker than this one.
  if (isEmbedded) await releaseAllJobs(database);
  releases.push(() => worker.stop());
  worker.start();
}
