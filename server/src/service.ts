import { access, constants, mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { FastifyPluginAsync } from "fastify";
import { createAuthorization } from "./access/authorization.ts";
import { createInvitations } from "./access/invitations.ts";
import { createKeys } from "./access/keys.ts";
import { createPeople } from "./access/people.ts";
import { createLimits } from "./access/limits.ts";
import { createSecret } from "./access/secret.ts";
import { ensureCredentials } from "./admin-token.ts";
import type { Engine } from "./analytics/store/engine.ts";
import { createBuiltinHost } from "./codehost/builtin/builtin.ts";
import { createUpkeep } from "./codehost/builtin/upkeep.ts";
import { createCodeHosts } from "./codehost/codehosts.ts";
import { readServerCredentials } from "./codehost/server-credentials.ts";
import { localUrl, type Config } from "./config.ts";
import { openControlDatabase, type ControlDatabase } from "./control-database.ts";
import { createNotifications } from "./database/notifications.ts";
import { claimOwnership } from "./database/ownership.ts";
import { requireGit } from "./git/version.ts";
import { createDashboardRoutes } from "./http/dashboard.ts";
import { createGitRoutes, type GitRoutesDependencies } from "./http/git.ts";
import { createHttpServer } from "./http/http.ts";
import { createPullRequestImageRoutes, type PullRequestImageDependencies } from "./http/pull-request-images.ts";
import { createPullRequestRoutes, type PullRequestRoutesDependencies } from "./http/pull-requests.ts";
import { createJobs } from "./jobs/jobs.ts";
import { createMaintenance } from "./jobs/maintenance.ts";
import { createPullRequestComments } from "./jobs/pull-request-comments.ts";
import { createPullRequestJobs } from "./jobs/pull-request-jobs.ts";
import { createJobSignals } from "./jobs/signals.ts";
import { findFreePort, listen } from "./listen.ts";
import type { Log } from "./log.ts";
import { createNetwork } from "./network/network.ts";
import { createProjectCredentials } from "./projects/credentials.ts";
import { createProjects } from "./projects/projects.ts";
import { StartError } from "./start-error.ts";
import { startWorker } from "./start-worker.ts";
import { openAnalytics } from "./open-analytics.ts";
import { webhookUrlProblem } from "./webhooks/out/receiver.ts";
import { modelProblem, openModels } from "./open-models.ts";
import { createWebhookRoutes, startWebhooks } from "./open-webhooks.ts";
import { createPeopleRoutes } from "./people-routes.ts";
import { createReaderRoutes } from "./reader-routes.ts";

const DASHBOARD = fileURLToPath(new URL("../../dashboard/dist", import.meta.url));

export interface ServiceOptions {
  log: Log;
  clock?: () => Date;
  /** Where visits are kept, instead of the configured store. */
  visitsEngine?: Engine;
  /** Where the built dashboard lies, instead of where `npm run build` puts it. */
  dashboard?: string;
  /** Something that the process cannot go on without is gone; it should stop. */
  onLost?: (reason: string) => void;
}

export interface RunningService {
  /** Where it is reached; null for a worker, which serves nothing. */
  url: string | null;
  adminToken: string;
  /** A link that makes the first owner's account; null once there is an owner. */
  firstOwnerUrl: string | null;
}

export interface Service {
  /** @throws StartError when it cannot run like this; whatever it had started is stopped again. */
  start(): Promise<RunningService>;
  /** Stops accepting, hands running jobs back, and stops PostgreSQL last. */
  stop(): Promise<void>;
}

/** Builds every part by hand, in the order in which they need each other; each pushes its own release. */
export function createService(config: Config, options: ServiceOptions): Service {
  const { log } = options;
  const clock = options.clock ?? (() => new Date());
  const onLost = options.onLost ?? (() => {});
  const releases: (() => Promise<void>)[] = [];
  const data = resolve(config.data);

  async function start(): Promise<RunningService> {
    await requireGit();
    await makeDataDirectory(data);
    const network = await createNetwork({ ...config, directory: data });
    releases.push(() => network.close());
    const models = openModels(config, {
      fetch: network.streamFetch,
      readKey: (projectId, provider) => credentials.read(projectId, `model-${provider}`),
    });
    for (const name of [config.model, config.modelFallback]) {
      const missing = name === null ? undefined : models.missingKey(name);
      if (missing !== undefined) log.warn(`Only projects with a key of their own can use ${name}: set ${missing}.`);
    }
    const logLine = (line: string): void => log.info(line);
    const tokens = await ensureCredentials({
      data,
      given: { adminToken: config.adminToken, secret: config.secret },
      log: logLine,
    });
    const control = await openControlDatabase({ ...config, data }, { releases, log: logLine, onLost });
    const { database } = control;
    const secret = createSecret(Buffer.from(tokens.secret));
    const port = config.port === 0 && config.process !== "worker" ? await findFreePort(config.host) : config.port;
    const publicUrl = config.publicUrl ?? localUrl(config.host, port);

    const notifications = createNotifications({ connection: control.connection, log: logLine });
    releases.push(() => notifications.close());
    const signals = createJobSignals(notifications);
    const ownsRepositories = config.process !== "worker" && (await claimRepositories(control));
    const builtinHost = createBuiltinHost({
      database,
      repositoriesDirectory: ownsRepositories ? join(data, "repositories") : null,
      publicUrl,
      secret,
      clock,
    });

    const credentials = createProjectCredentials({ database, secret, clock });
    const codeHosts = createCodeHosts({
      builtinHost,
      readCredential: (projectId) => credentials.read(projectId, "code-host"),
      serverCredentials: readServerCredentials(config),
      fetch: network.fetch,
      clock,
    });
    const work = () =>
      startWorker(
        { control, signals, codeHosts, credentials, models, network },
        { ...config, data },
        { releases, clock, log },
      );

    if (ownsRepositories) {
      const upkeep = createUpkeep({ repositoriesDirectory: join(data, "repositories"), log });
      releases.push(() => upkeep.stop());
      upkeep.start();
    }
    const maintenance = createMaintenance({ database, codeHosts, signals, clock, log });
    releases.push(() => maintenance.stop());
    maintenance.start();
    const webhookParts = { database, credentials, clock };
    startWebhooks({ ...webhookParts, network, notifications }, config, { releases, log });
    if (config.process === "worker") {
      await work();
      return { url: null, adminToken: tokens.adminToken, firstOwnerUrl: null };
    }
    // Before any work begins, since it may refuse to start.
    const analytics = await openAnalytics({ ...config, data }, control, {
      releases,
      clock,
      log,
      engine: options.visitsEngine,
      onLost,
    });
    if (config.process === "serve") await work();

    const keys = createKeys({ database, clock });
    const people = createPeople({ database, secret: tokens.secret, publicUrl, clock, log });
    const passwordSignIn = config.passwordSignIn === "on";
    const invitations = createInvitations({ database, publicUrl, passwordSignIn, clock });
    const authorization = createAuthorization({
      keys,
      people,
      projectExists: async (id) => (await projects.get(id)) !== undefined,
      adminToken: tokens.adminToken,
      publicUrl,
    });
    const projects = createProjects({
      network,
      database,
      builtinHost,
      codeHosts,
      credentials,
      modelProblem: (name) => modelProblem(models, name),
      webhookUrlProblem: (url) => webhookUrlProblem(url, config.webhooksPrivate),
      secret,
      clock,
      log,
    });
    releases.push(() => projects.close());
    if (ownsRepositories) await projects.resumeImports();
    const limits = createLimits({ database, clock });
    const app = await createHttpServer({
      jobs: createJobs({ database, signals, modelName: config.model, repositoryUrl: codeHosts.repositoryUrl, clock }),
      projects,
      credentials,
      keys,
      limits,
      authorization,
      createsPerHour: config.createsPerHour,
      messagesPerHour: config.messagesPerHour,
      trustedProxies: config.trustedProxies,
      clock,
      log: (line) => log.error(line),
      health: async () => {
        await control.pool.query("select 1");
      },
      plugins: [
        createDashboardRoutes(options.dashboard ?? DASHBOARD),
        ...createPeopleRoutes(
          { database, people, invitations, authorization, limits, secret, network, publicUrl, clock, log },
          config,
        ),
        ...createReaderRoutes({ analytics, database, projects, authorization, clock, log }),
        ...createWebhookRoutes({ ...webhookParts, codeHosts, limits, authorization }, { ...config, publicUrl }),
        ...codeHostRoutes({
          builtinHost,
          authenticateKey: authorization.authenticateKey,
          authorize: authorization.requireScopeOrAdministrator,
          callerOf: authorization.callerOf,
          projects,
          jobs: createPullRequestJobs({ database }),
          comments: createPullRequestComments({ database, clock }),
          limits,
          messagesPerHour: config.messagesPerHour,
          log,
        }),
      ],
    });
    releases.push(() => app.close());
    await listen(app, config.host, port);
    const firstOwner = await invitations.inviteFirstOwner();
    return { url: publicUrl, adminToken: tokens.adminToken, firstOwnerUrl: firstOwner?.url ?? null };
  }

  /** The built-in code host lives on one `serve`: with an own database by nature, with a shared one by this lock. */
  async function claimRepositories({ connection, isEmbedded }: ControlDatabase): Promise<boolean> {
    if (isEmbedded) return true;
    const ownership = await claimOwnership({ connection, name: "built-in code host", onLost });
    if ("ownedBy" in ownership) {
      if (config.secret === null || config.adminToken === null) {
        throw new StartError(
          `Another "docent serve" (${ownership.ownedBy}) uses this database. Several of them need DOCENT_SECRET and DOCENT_ADMIN_TOKEN, the same for all.`,
        );
      }
      log.warn(
        { ownedBy: ownership.ownedBy },
        "the built-in code host lives on another process; it is not served here",
      );
      return false;
    }
    releases.push(() => ownership.release());
    return true;
  }

  async function stop(): Promise<void> {
    for (const release of releases.splice(0).toReversed()) {
      try {
        await release();
      } catch (error) {
        log.error({ err: error }, "a part did not stop cleanly");
      }
    }
  }

  return {
    async start() {
      try {
        return await start();
      } catch (error) {
        await stop();
        throw error;
      }
    },
    stop,
  };
}

async function makeDataDirectory(data: string): Promise<void> {
  try {
    await mkdir(data, { recursive: true, mode: 0o700 });
    await access(data, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
    throw new StartError(
      `The data directory ${data} cannot be made or written${code}. Give a directory that this user may write with --data.`,
      { cause: error },
    );
  }
}

/** The built-in code host's routes; none where its repositories are on another process. */
function codeHostRoutes(
  dependencies: GitRoutesDependencies & PullRequestRoutesDependencies & PullRequestImageDependencies,
): FastifyPluginAsync[] {
  if (dependencies.builtinHost.repositories === null) return [];
  return [
    createGitRoutes(dependencies),
    createPullRequestRoutes(dependencies),
    createPullRequestImageRoutes(dependencies),
  ];
}
