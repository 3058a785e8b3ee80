import { createHmac, randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createLimits } from "../../access/limits.ts";
import { createGiteaHarness, type GiteaHarness } from "../../codehost/gitea/testing/harness.ts";
import type { ProductRepository } from "../../codehost/testing/product-harness.ts";
import type { ProjectSettings } from "../../database/schema.ts";
import { createId } from "../../ids.ts";
import { takeUnread } from "../../jobs/messages.ts";
import { createWebhookSetup, type WebhookSetup } from "../testing/setup.ts";
import { connectCodeHostWebhook } from "./code-host-secret.ts";
import { createIncomingWebhooks, type IncomingAnswer, type IncomingDependencies } from "./incoming.ts";

const NUMBER = 7;

let setup: WebhookSetup;
let harness: GiteaHarness;
let repository: ProductRepository;
let writer: string;
let project: { id: string; secret: string };
let jobId: string;

beforeAll(async () => {
  setup = await createWebhookSetup();
  harness = await createGiteaHarness();
  repository = await harness.addRepository();
  writer = await repository.addPerson("write");
});
afterAll(async () => {
  harness.verify();
  await harness.close();
  await setup.close();
});
beforeEach(async () => {
  project = await addProject({});
  jobId = await addJob();
});

async function addProject(settings: ProjectSettings): Promise<{ id: string; secret: string }> {
  const id = await setup.addProject(settings);
  const place = { code_host: "gitea", code_host_url: harness.server.url, repository: repository.name } as const;
  await setup.database.updateTable("projects").set(place).where("id", "=", id).execute();
  const { database, credentials } = setup;
  const webhook = await connectCodeHostWebhook({ database, credentials, publicUrl: "https://docent.test" }, id);
  if (webhook === undefined || "refused" in webhook) throw new Error("not connected");
  expect(webhook.url).toBe(`https://docent.test/v1/webhooks/${id}/gitea`);
  return { id, secret: webhook.secret };
}

/** A job that rests, with a pull request. */
async function addJob(status: "completed" | "archived" = "completed"): Promise<string> {
  const id = createId("job", setup.clock.now);
  await setup.database
    .insertInto("jobs")
    .values({
      id,
      project_id: project.id,
      status,
      model: "docent:offline",
      repository_url: "u",
      ref: "main",
      pull_request_number: NUMBER,
      pull_request_url: "u",
      pull_request_state: "open",
      ...(status === "archived" ? { archived_at: setup.clock.now } : {}),
    })
    .execute();
  return id;
}

const incoming = (changes: Partial<IncomingDependencies> = {}) =>
  createIncomingWebhooks({
    database: setup.database,
    codeHosts: { of: async () => harness.host },
    credentials: setup.credentials,
    limits: createLimits({ database: setup.database, clock: () => setup.clock.now }),
    messagesPerHour: 0,
    handles: ["docent"],
    clock: () => setup.clock.now,
    ...changes,
  });

const comment = (body: string, login = writer, changes: object = {}) => ({
  action: "created",
  is_pull: true,
  repository: { full_name: repository.name },
  issue: { number: NUMBER },
  comment: { id: randomUUID(), body, user: { login }, html_url: `https://code.test/pulls/7#${randomUUID()}` },
  ...changes,
});
const review = (content: string, login = writer) => ({
  action: "reviewed",
  id: randomUUID(),
  repository: { full_name: repository.name },
  pull_request: { number: NUMBER, html_url: "https://code.test/pulls/7" },
  review: { type: "pull_request_review_rejected", content },
  sender: { login },
});
const ended = (action: string, merged = false) => ({
  action,
  id: randomUUID(),
  repository: { full_name: repository.name },
  pull_request: { number: NUMBER, merged },
});

function request(payload: object, { secret = project.secret, id }: { secret?: string; id?: string } = {}) {
  const body = Buffer.from(JSON.stringify(payload));
  const signature = createHmac("sha256", secret).update(body).digest("hex");
  return { headers: { "x-gitea-delivery": id ?? randomUUID(), "x-gitea-signature": signature }, body };
}

const tell = (payload: object, changes?: Partial<IncomingDependencies>): Promise<IncomingAnswer> =>
  incoming(changes).receive(project.id, "gitea", request(payload));

const messages = (id = jobId) =>
  setup.database
    .selectFrom("job_messages")
    .select(["prompt", "origin"])
    .where("job_id", "=", id)
    .orderBy("sequence")
    .execute();
const job = () => setup.database.selectFrom("jobs").selectAll().where("id", "=", jobId).executeTakeFirstOrThrow();
const ignored = (reason: RegExp) => ({ outcomes: [{ type: "ignored", reason: expect.stringMatching(reason) }] });
const acted = { outcomes: [{ type: "message", jobId: expect.any(String) }] };

test("a comment that mentions Docent becomes a message that says who, where and what", async () => {
  const payload = comment("@docent shorten\u0000 the introduction\uD83D");
  expect(await tell(payload)).toEqual({ outcomes: [{ type: "message", jobId }] });
  const url = payload.comment.html_url;
  expect(await messages()).toEqual([
    {
      prompt: `@${writer} says on the pull request (${url}):\n\n@docent shorten\uFFFD the introduction\uFFFD`,
      origin: { type: "comment", url, author: writer },
    },
  ]);
  expect(await job()).toMatchObject({ status: "active" });
  const events = await setup.database
    .selectFrom("job_events")
    .select(["type", "data"])
    .where("job_id", "=", jobId)
    .execute();
  expect(events).toMatchObject([
    { type: "message", data: { origin: { type: "comment", author: writer } } },
    { type: "status", data: { status: "active" } },
  ]);
});

test("what a person says at one go is one message, and the job waits for the rest of a review", async () => {
  await tell(review("Too long."));
  const { run_at: runAt } = await job();
  expect(runAt.getTime() - Date.now()).toBeGreaterThan(1_000);
  await tell(review("And say Relay."));
  await tell(comment("@docent both, please"));
  const other = await repository.addPerson("admin");
  await tell(review("I disagree.", other));
  const stored = await messages();
  expect(stored.map(({ origin }) => origin?.author)).toEqual([writer, other]);
  expect(stored[0]?.prompt).toMatch(/Too long\.\n\n@.*And say Relay\.\n\n@.*both, please$/s);
  // What has been read is not changed any more.
  await setup.database.transaction().execute((transaction) => takeUnread(transaction, jobId));
  await tell(review("One more thing.", other));
  expect(await messages()).toHaveLength(3);
});

test.each<[string, () => object | Promise<object>, RegExp]>([
  ["no mention", () => comment("What do you think?"), /does not mention @docent/],
  ["a mention and nothing else", () => comment("@docent"), /says nothing/],
  ["somebody who may only read", async () => comment("@docent x", await repository.addPerson("read")), /may not push/],
  ["somebody without access", async () => review("x", await repository.addPerson("none")), /may not push/],
  ["somebody who does not exist", () => comment("@docent x", "nobody-at-all"), /may not push/],
  ["a bot", () => comment("@docent x", "gitea-actions"), /not a person/],
  ["Docent itself", () => comment("I could not, @docent.\n<!-- docent:answer -->"), /itself/],
  ["an edit", () => comment("@docent x", writer, { action: "edited" }), /edited/],
  ["another repository", () => comment("@docent x", writer, { repository: { full_name: "a/b" } }), /not a\/b/],
  ["another pull request", () => comment("@docent x", writer, { issue: { number: 8 } }), /No job has/],
])("%s is ignored, with the reason", async (_what, payload, reason) => {
  expect(await tell(await payload())).toEqual(ignored(reason));
  expect(await messages()).toEqual([]);
  expect(await job()).toMatchObject({ status: "completed" });
});

test("a project can ignore comments altogether; archived jobs do", async () => {
  project = await addProject({ comments: "ignore" });
  jobId = await addJob();
  expect(await tell(review("x"))).toEqual(ignored(/settings/));
  project = await addProject({});
  jobId = await addJob("archived");
  expect(await tell(review("x"))).toEqual(ignored(/archived/));
  expect(await messages()).toEqual([]);
});

test("a delivery is acted on once, under its id and under any other, also when it comes many times at once", async () => {
  const once = comment("@docent x");
  const { body, headers } = request(once);
  const webhooks = incoming();
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_each, index) => {
      const id = index % 2 === 0 ? headers["x-gitea-delivery"] : randomUUID();
      return webhooks.receive(project.id, "gitea", { body, headers: { ...headers, "x-gitea-delivery": id } });
    }),
  );
  expect(answers.filter((answer) => "outcomes" in answer && answer.outcomes[0]?.type === "message")).toHaveLength(1);
  expect(await messages()).toHaveLength(1);
  expect(await webhooks.receive(project.id, "gitea", { body, headers })).toEqual(ignored(/before/));
  const receipts = await setup.database.selectFrom("webhook_receipts").selectAll().execute();
  const ids = receipts.filter(({ project_id: id }) => id === project.id).map((each) => each.delivery_id);
  expect(ids).toHaveLength(2);
  const used = ids.find((id) => id.startsWith("id "))?.slice(3) ?? "";
  const other = request(comment("@docent y"), { id: used });
  expect(await webhooks.receive(project.id, "gitea", other)).toEqual(ignored(/before/));
});

test("what was ignored counts when it is sent again and its reason is gone", async () => {
  const reader = await repository.addPerson("read");
  const { body, headers } = request(comment("@docent x", reader));
  expect(await incoming().receive(project.id, "gitea", { body, headers })).toEqual(ignored(/may not push/));
  const account = harness.state.accounts.find(({ login }) => login === reader);
  if (account !== undefined) harness.stored(repository.name).permissions.set(account, "write");
  expect(await incoming().receive(project.id, "gitea", { body, headers })).toEqual(acted);
});

test.each<["merged" | "closed", ProjectSettings, string]>([
  ["merged", { archiveOnMerge: true }, "archived"],
  ["merged", { archiveOnClose: true }, "completed"],
  ["closed", { archiveOnClose: true }, "archived"],
  ["closed", { archiveOnMerge: true }, "completed"],
])("a pull request that was %s is so for the job; with %j, the job is %s", async (state, settings, status) => {
  project = await addProject(settings);
  jobId = await addJob();
  expect(await tell(ended("closed", state === "merged"))).toEqual({ outcomes: [{ type: "pull-request", jobId }] });
  expect(await job()).toMatchObject({ status, pull_request_state: state });
  expect(await tell(ended("closed", state === "merged"))).toEqual(ignored(/knows already/));
});

test("a closed pull request can be opened again, a merged one cannot", async () => {
  await tell(ended("closed"));
  await tell(ended("reopened"));
  expect(await job()).toMatchObject({ pull_request_state: "open" });
  await tell(ended("closed", true));
  expect(await tell(ended("reopened"))).toEqual(ignored(/knows already/));
  expect(await job()).toMatchObject({ pull_request_state: "merged" });
});

test("nobody learns why a delivery is not accepted", async () => {
  const payload = comment("@docent x");
  const webhooks = incoming();
  const unauthorized = { refused: "unauthorized" };
  expect(await webhooks.receive(project.id, "gitea", request(payload, { secret: "wrong" }))).toEqual(unauthorized);
  expect(await webhooks.receive(project.id, "github", request(payload))).toEqual(unauthorized);
  expect(await webhooks.receive("prj_none", "gitea", request(payload))).toEqual(unauthorized);
  const without = await setup.addProject({});
  await setup.database.updateTable("projects").set({ code_host: "gitea" }).where("id", "=", without).execute();
  expect(await webhooks.receive(without, "gitea", request(payload))).toEqual(unauthorized);
  expect([await webhooks.expects(project.id, "gitea"), await webhooks.expects(without, "gitea")]).toEqual([
    true,
    false,
  ]);
  const { database, credentials } = setup;
  await connectCodeHostWebhook({ database, credentials, publicUrl: "https://docent.test" }, project.id);
  expect(await webhooks.receive(project.id, "gitea", request(payload))).toEqual(unauthorized);
  expect(await messages()).toEqual([]);
});

test("comments count as messages for the hourly limit, and those that join one do not", async () => {
  const limited = { messagesPerHour: 2 };
  const other = await repository.addPerson("write");
  expect(await tell(review("One."), limited)).toEqual(acted);
  expect(await tell(review("Two."), limited)).toEqual(acted);
  expect(await tell(review("Three.", other), limited)).toEqual(acted);
  const { body, headers } = request(review("Four."));
  const refused = await incoming(limited).receive(project.id, "gitea", { body, headers });
  expect(refused).toMatchObject({ refused: "rate_limited", limit: { allowed: false, limit: 2 } });
  setup.clock.advance(3_600_000);
  expect(await incoming(limited).receive(project.id, "gitea", { body, headers })).toEqual(acted);
});

test("while the code host cannot say who the author is, nothing is done, and the delivery may come again", async () => {
  const refused = await harness.connect("refused");
  const { body, headers } = request(comment("@docent x"));
  const away = incoming({ codeHosts: { of: async () => refused } });
  expect(await away.receive(project.id, "gitea", { body, headers })).toMatchObject({ refused: "unavailable" });
  expect(await messages()).toEqual([]);
  expect(await incoming().receive(project.id, "gitea", { body, headers })).toEqual(acted);
});

test("a comment beyond what a message holds is cut, and says so", async () => {
  await tell(comment(`@docent ${"😀".repeat(120_000)}`));
  const [message] = await messages();
  expect([...(message?.prompt ?? "")]).toHaveLength(100_000);
  expect(message?.prompt).toMatch(/left out: it is too long\.\)$/);
  // What no longer fits into it is a message of its own.
  await tell(review("Shorter."));
  expect(await messages()).toHaveLength(2);
});
