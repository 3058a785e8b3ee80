import { createAccounts, type Accounts } from "./account.ts";
import { createAnalytics, type Analytics } from "./analytics.ts";
import { createAuditLogs, type AuditLogs } from "./audit-log.ts";
import { createCredentials, type Credentials } from "./credentials.ts";
import { createImports, type Imports } from "./imports.ts";
import { createInvitations, type Invitations } from "./invitations.ts";
import { createJobs, type Jobs } from "./jobs.ts";
import { createKeys, type Keys } from "./keys.ts";
import { createMembers, type Members } from "./members.ts";
import { createProjects, type Projects } from "./projects.ts";
import { createPulls, type Pulls } from "./pulls.ts";
import { createRequester, type DocentOptions } from "./request.ts";
import { createSessions, type Sessions } from "./session.ts";
import { createVisits, type Visits } from "./visits.ts";
import { createWebhooks, type Webhooks } from "./webhooks.ts";

export { DocentError } from "./error.ts";
export type { DocentOptions } from "./request.ts";
export type {
  Analytics,
  Based,
  PathReportName,
  ReportBasis,
  ReportDays,
  ReportName,
  ReportPage,
  ReportRows,
} from "./analytics.ts";
export type {
  Account,
  AgentsReport,
  ApiKey,
  ChangedFile,
  CommentAnswer,
  AuditEntry,
  AuditLog,
  BotsReport,
  Counts,
  FileContents,
  ImportChunkBody as LogChunk,
  Invitation,
  Job,
  JobChanges,
  JobEvent,
  JobList,
  ListedPullRequest,
  LogChunkResult,
  LogImport,
  Member,
  NewApiKey,
  NewInvitation,
  NotFoundReport,
  OfferedInvitation,
  OpenSession,
  PathCounts,
  Project,
  ProjectSettings,
  PullRequest,
  PullRequestComment,
  PullRequestList,
  Session,
  TimeseriesReport,
  User,
  ViewsReport,
  VisitorsReport,
  WebhookDelivery,
} from "./generated.ts";
export type { CredentialName } from "./credentials.ts";
export type { JobDelta } from "./job-events.ts";
export type { JobFilter, JobStatus } from "./jobs.ts";
export type { KeyScope } from "./keys.ts";
export type { Visitor } from "./visits.ts";

export interface Docent {
  projects: Projects;
  keys: Keys;
  credentials: Credentials;
  jobs: Jobs;
  pulls: Pulls;
  analytics: Analytics;
  visits: Visits;
  imports: Imports;
  webhooks: Webhooks;
  session: Sessions;
  account: Accounts;
  invitations: Invitations;
  members: Members;
  auditLog: AuditLogs;
}

/**
 * A client of a Docent service. Uses nothing but `fetch` and web streams, so it runs in Node 20 and later, browsers
 * and edge runtimes. Every failed request throws a `DocentError`.
 *
 *     const docent = createDocent({ baseUrl: "http://127.0.0.1:4000", apiKey });
 *     const job = await docent.jobs.create(projectId, { prompt: "fix broken links" });
 *     const done = await docent.jobs.waitFor(projectId, job.id);
 *     console.log(done.prLink ?? done.failureReason);
 */
export function createDocent(options: DocentOptions): Docent {
  const requester = createRequester(options);
  return {
    projects: createProjects(requester),
    keys: createKeys(requester),
    credentials: createCredentials(requester),
    jobs: createJobs(requester),
    pulls: createPulls(requester),
    analytics: createAnalytics(requester),
    visits: createVisits(requester),
    imports: createImports(requester),
    webhooks: createWebhooks(requester),
    session: createSessions(requester),
    account: createAccounts(requester),
    invitations: createInvitations(requester),
    members: createMembers(requester),
    auditLog: createAuditLogs(requester),
  };
}
