import type { Kysely, Selectable } from "kysely";
import { createHash } from "node:crypto";
import type { LimitAnswer, Limits } from "../../access/limits.ts";
import { CodeHostError, type CodeHost } from "../../codehost/codehost.ts";
import type { CodeHosts } from "../../codehost/codehosts.ts";
import { readGiteaWebhook } from "../../codehost/gitea/webhook.ts";
import { readGitHubWebhook } from "../../codehost/github/webhook.ts";
import { readGitLabWebhook } from "../../codehost/gitlab/webhook.ts";
import type { CodeHostDelivery, CodeHostEvent, ReadCodeHostWebhook } from "../../codehost/webhook.ts";
import type { CodeHostName, JobsTable, ProjectsTable, Schema } from "../../database/schema.ts";
import { takeOverPullRequestState } from "../../jobs/pull-request-state.ts";
import type { ProjectCredentials } from "../../projects/credentials.ts";
import { mentions } from "./mentions.ts";
import type { Comment } from "./prompt.ts";
import { findOpenMessage, storeComment } from "./store-comment.ts";

export type WebhookHost = Exclude<CodeHostName, "builtin">;

const READERS: Record<WebhookHost, ReadCodeHostWebhook> = {
  github: readGitHubWebhook,
  gitlab: readGitLabWebhook,
  gitea: readGiteaWebhook,
};

/** What an event led to. */
export type Outcome =
  | { type: "message"; jobId: string }
  | { type: "pull-request"; jobId: string }
  | { type: "ignored"; reason: string };

export type IncomingAnswer =
  | { outcomes: Outcome[] }
  /** No such project on this host, no secret, no signature, a wrong one: nobody is told which. */
  | { refused: "unauthorized" }
  | { refused: "rate_limited"; limit: LimitAnswer }
  /** The code host could not be asked who the author is. */
  | { refused: "unavailable"; message: string; retryAfterMs: number | null };

export interface IncomingWebhooks {
  /** Whether a body is worth reading: the project is there and has a secret. */
  expects(projectId: string, host: WebhookHost): Promise<boolean>;
  receive(
    projectId: string,
    host: WebhookHost,
    request: { headers: Readonly<Record<string, string | undefined>>; body: Buffer },
  ): Promise<IncomingAnswer>;
}

export interface IncomingDependencies {
  database: Kysely<Schema>;
  codeHosts: Pick<CodeHosts, "of">;
  credentials: Pick<ProjectCredentials, "read">;
  limits: Limits;
  /** 0 stands for no limit. */
  messagesPerHour: number;
  /** What people call Docent by, without the `@`. */
  handles: readonly string[];
  clock: () => Date;
}

type Project = Selectable<ProjectsTable>;
type Job = Selectable<JobsTable>;

/** Undoes a transaction that finds that its delivery has been acted on. */
class ReplayError extends Error {}

/** Stops a delivery for a reason that its sender may try again for. */
class RefusedError extends Error {
  readonly answer: IncomingAnswer;
  constructor(answer: IncomingAnswer) {
    super("refused");
    this.answer = answer;
  }
}

/** What was found out about an event before anything is written. */
type Plan =
  | { type: "message"; job: Job; comment: Comment }
  | { type: "pull-request"; job: Job; event: Extract<CodeHostEvent, { type: "pull-request" }> }
  | { type: "ignored"; reason: string };

/**
 * Acts on what code hosts tell of a project's pull requests. Comments by people who may push become messages to the
 * job, ended pull requests end as the project says. Acting and the receipt of the delivery are one transaction.
 */
export function createIncomingWebhooks(dependencies: IncomingDependencies): IncomingWebhooks {
  const { database, codeHosts, credentials, limits, messagesPerHour, handles, clock } = dependencies;

  async function findProject(id: string, host: WebhookHost): Promise<Project | undefined> {
    return database
      .selectFrom("projects")
      .selectAll()
      .where("id", "=", id)
      .where("code_host", "=", host)
      .where("deleted_at", "is", null)
      .executeTakeFirst();
  }

  async function plan(project: Project, event: CodeHostEvent): Promise<Plan> {
    if (event.type === "ignored") return event;
    if (event.repository.toLowerCase() !== project.repository.toLowerCase()) {
      return ignored(`The project's repository is ${project.repository}, not ${event.repository}.`);
    }
    if (event.type === "comment") {
      const reason = reasonToIgnore(project, event, handles);
      if (reason !== undefined) return ignored(reason);
    }
    const job = await database
      .selectFrom("jobs")
      .selectAll()
      .where("project_id", "=", project.id)
      .where("pull_request_number", "=", event.pullRequest)
      .orderBy("id", "desc")
      .limit(1)
      .executeTakeFirst();
    if (job === undefined) return ignored(`No job has the pull request ${event.pullRequest}.`);
    if (event.type === "pull-request") return { type: "pull-request", job, event };
    if (job.status === "archived") return ignored(ARCHIVED);
    if (!(await mayPush(project, event.author.login))) {
      return ignored(`@${event.author.login} may not push to ${project.repository}.`);
    }
    return { type: "message", job, comment: event };
  }

  async function mayPush(project: Project, login: string): Promise<boolean> {
    try {
      const host: CodeHost = await codeHosts.of(project);
      return await host.mayPush(project.repository, login);
    } catch (error) {
      if (!(error instanceof CodeHostError)) throw error;
      const { message, retryAfterMs } = error;
      throw new RefusedError({ refused: "unavailable", message, retryAfterMs });
    }
  }

  /** A comment that joins a message that waits is no further message. */
  async function applyLimit(project: Project, { job, comment }: Extract<Plan, { type: "message" }>): Promise<void> {
    if ((await findOpenMessage(database, job.id, comment.author.login)) !== undefined) return;
    const limit = await limits.take(`message-job ${project.id}`, messagesPerHour);
    if (limit !== undefined && !limit.allowed) throw new RefusedError({ refused: "rate_limited", limit });
  }

  async function carryOut(transaction: Kysely<Schema>, step: Plan): Promise<Outcome> {
    if (step.type === "ignored") return step;
    const jobId = step.job.id;
    if (step.type === "pull-request") {
      const { pullRequest: number, state } = step.event;
      const changed = await takeOverPullRequestState(transaction, { jobId, number, state }, clock);
      return changed ? { type: "pull-request", jobId } : ignored(`The job knows already that it is ${state}.`);
    }
    const job = await transaction
      .selectFrom("jobs")
      .selectAll()
      .where("id", "=", jobId)
      .forUpdate()
      .executeTakeFirstOrThrow();
    if (job.status === "archived") return ignored(ARCHIVED);
    await storeComment(transaction, job, step.comment, clock());
    return { type: "message", jobId };
  }

  /** By the delivery's id, and by its content: what is signed is the content, and a replay could give another id. */
  async function isKnown(executor: Kysely<Schema>, projectId: string, receipts: readonly string[]): Promise<boolean> {
    const found = await executor
      .selectFrom("webhook_receipts")
      .select("delivery_id")
      .where("project_id", "=", projectId)
      .where("delivery_id", "in", [...receipts])
      .executeTakeFirst();
    return found !== undefined;
  }

  async function act(project: Project, delivery: CodeHostDelivery, receipts: readonly string[]): Promise<Outcome[]> {
    if (await isKnown(database, project.id, receipts)) return [REPLAY];
    const plans: Plan[] = [];
    for (const event of delivery.events) plans.push(await plan(project, event));
    for (const step of plans) if (step.type === "message") await applyLimit(project, step);
    try {
      return await database.transaction().execute(async (transaction) => {
        const outcomes: Outcome[] = [];
        // What was ignored leaves no receipt: sent again, when its reason is gone, it counts.
        if (plans.some(({ type }) => type !== "ignored")) await insertReceipts(transaction, project.id, receipts);
        for (const step of plans) outcomes.push(await carryOut(transaction, step));
        return outcomes;
      });
    } catch (error) {
      if (error instanceof ReplayError) return [REPLAY];
      throw error;
    }
  }

  async function insertReceipts(transaction: Kysely<Schema>, projectId: string, receipts: readonly string[]) {
    const inserted = await transaction
      .insertInto("webhook_receipts")
      .values(receipts.map((id) => ({ project_id: projectId, delivery_id: id, received_at: clock() })))
      .onConflict((conflict) => conflict.doNothing())
      .returning("delivery_id")
      .execute();
    if (inserted.length < receipts.length) throw new ReplayError();
  }

  return {
    async expects(projectId, host) {
      if ((await findProject(projectId, host)) === undefined) return false;
      return (await credentials.read(projectId, "code-host-webhook")) !== undefined;
    },

    async receive(projectId, host, { headers, body }) {
      const project = await findProject(projectId, host);
      const secret = project && (await credentials.read(projectId, "code-host-webhook"));
      if (project === undefined || secret === undefined) return { refused: "unauthorized" };
      const delivery = await READERS[host]({ headers, body, secret });
      if ("refused" in delivery) return { refused: "unauthorized" };
      const content = createHash("sha256").update(body).digest("hex");
      try {
        return { outcomes: await act(project, delivery, [`id ${delivery.id.slice(0, 200)}`, `sha256 ${content}`]) };
      } catch (error) {
        if (error instanceof RefusedError) return error.answer;
        throw error;
      }
    },
  };
}

const ARCHIVED = "The job is archived.";
const REPLAY: Outcome = { type: "ignored", reason: "This delivery was acted on before." };

/** What needs no look-up. */
function reasonToIgnore(project: Project, comment: Comment, handles: readonly string[]): string | undefined {
  const { author, text, isReview } = comment;
  if (project.settings.comments === "ignore") return "The project's settings say that comments are ignored.";
  if (author.isBot) return `@${author.login} is not a person.`;
  // Where Docent acts with a person's token, its own comments are that person's.
  if (/<!--\s*docent:/.test(text)) return "Docent said it itself.";
  if (!isReview && !mentions(text, handles))
    return `It does not mention ${handles.map((each) => `@${each}`).join(" or ")}.`;
  const words = text.replaceAll(/@[\w-]+/g, "").trim();
  return words === "" ? "It says nothing." : undefined;
}

function ignored(reason: string): { type: "ignored"; reason: string } {
  return { type: "ignored", reason };
}
