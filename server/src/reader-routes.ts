import type { FastifyPluginAsync } from "fastify";
import type { Kysely } from "kysely";
import type { Authorization } from "./access/authorization.ts";
import type { Analytics } from "./analytics/analytics.ts";
import { describeAgent } from "./analytics/classify/agents.ts";
import { createClassifier } from "./analytics/classify/classify.ts";
import { createCollect } from "./analytics/collect/collect.ts";
import { createCollectSettings } from "./analytics/collect/settings.ts";
import { createLogImports } from "./analytics/import/import.ts";
import type { Schema } from "./database/schema.ts";
import { createAnalyticsRoutes } from "./http/analytics.ts";
import { createCollectRoutes } from "./http/collect.ts";
import { createImportRoutes } from "./http/imports.ts";
import { createVisitRoutes } from "./http/visits.ts";
import type { Log } from "./log.ts";
import type { Projects } from "./projects/project.ts";

/** How views come in, and how they are reported. */
export function createReaderRoutes({
  analytics,
  database,
  projects,
  authorization,
  clock,
  log,
}: {
  analytics: Analytics;
  database: Kysely<Schema>;
  projects: Projects;
  authorization: Authorization;
  clock: () => Date;
  log: Log;
}): FastifyPluginAsync[] {
  const { visits, salts, reports } = analytics;
  const classify = createClassifier();
  const settings = createCollectSettings({ database, clock });
  const collect = createCollect({ visits, classify, salts, clock });
  const imports = createLogImports({ database, visits, settings, classify, salts, clock });
  return [
    createCollectRoutes({ collect, settings, authorization }),
    createImportRoutes({ imports, authorization }),
    createAnalyticsRoutes({ reports, describeAgent, authorization, clock }),
    createVisitRoutes({ analytics, salts, projects, authorization, log: (line) => log.error(line) }),
  ];
}
