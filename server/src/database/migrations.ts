import type { Migration } from "kysely/migration";
import * as controlData from "./migrations/0001_control_data.ts";
import * as analytics from "./migrations/0002_analytics.ts";
import * as codeHostsAndWebhooks from "./migrations/0003_code_hosts_and_webhooks.ts";
import * as people from "./migrations/0004_people.ts";
import * as invitationPurposes from "./migrations/0005_invitation_purposes.ts";
import * as jobTitlesAndChanges from "./migrations/0006_job_titles_and_changes.ts";

/** Every migration in its order. A name, once released, never changes. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  "0001_control_data": controlData,
  "0002_analytics": analytics,
  "0003_code_hosts_and_webhooks": codeHostsAndWebhooks,
  "0004_people": people,
  "0005_invitation_purposes": invitationPurposes,
  "0006_job_titles_and_changes": jobTitlesAndChanges,
};
