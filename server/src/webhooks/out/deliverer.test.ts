import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { addMessage } from "../../jobs/add-message.ts";
import { jobOf } from "../../jobs/testing/records.ts";
import { startReceiver, type Received, type Receiver } from "../testing/receiver.ts";
import { createWebhookSetup, type WebhookSetup } from "../testing/setup.ts";
import { createDeliveries } from "./deliveries.ts";
import type { Deliverer } from "./deliverer.ts";

let setup: WebhookSetup;
let receiver: Receiver;
let projectId: string;
let deliverer: Deliverer;

beforeAll(async () => {
  setup = await createWebhookSetup();
});
afterAll(() => setup.close());
beforeEach(async () => {
  await setup.database.deleteFrom("webhook_deliveries").execute();
  setup.clock.now = new Date();
  receiver = await startReceiver();
  projectId = await setup.addProject({ webhookUrl: receiver.url });
  deliverer = setup.createDeliverer();
});
afterEach(async () => {
  await deliverer.stop();
  await receiver.close();
});

const createJob = async (project = projectId) => jobOf(await setup.jobs.create(project, { prompt: "Fix it." }));

async function deliver(by = deliverer): Promise<void> {
  await by.tick();
  await by.idle();
}

const list = async (project = projectId) =>
  (await createDeliveries({ database: setup.database, clock: () => setup.clock.now }).list(project, { limit: 100 }))
    ?.deliveries ?? [];

const parse = ({ body }: Received) => JSON.parse(body) as { type: string; timestamp: string; data: { id: string } };

test("each change of status arrives in order, signed, with the job as the API answers it", async () => {
  const created = await createJob();
  const archived = await setup.jobs.archive(projectId, created.id);
  await deliver();
  expect(receiver.received.map(parse)).toMatchObject([
    { type: "job.active", data: created },
    { type: "job.archived", data: archived },
  ]);
  const [secret = ""] = await setup.secrets.current(projectId);
  for (const { body, headers } of receiver.received) {
    expect(headers).toMatchObject({ "content-type": "application/json", "user-agent": "Docent" });
    const { type, timestamp } = new Webhook(secret).verify(body, headers as Record<string, string>) as ReturnType<
      typeof parse
    >;
    expect(type).toMatch(/^job\./);
    expect(Math.abs(Date.parse(timestamp) - Date.now())).toBeLessThan(60_000);
  }
  expect(await list()).toMatchObject([
    { type: "job.archived", state: "delivered", attempts: 1, responseStatus: 204, error: null },
    { type: "job.active", state: "delivered", id: receiver.received[0]?.headers["webhook-id"] },
  ]);
});

test("what was not committed is not told, and neither is a message to a job that is active anyhow", async () => {
  const { id } = await createJob();
  await setup.jobs.message(projectId, id, { prompt: "And this." });
  await setup.database.updateTable("jobs").set({ status: "completed" }).where("id", "=", id).execute();
  const rolledBack = setup.database.transaction().execute(async (transaction) => {
    const job = await transaction.selectFrom("jobs").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
    await addMessage(transaction, job, { prompt: "Never said." }, { now: setup.clock.now });
    throw new Error("rolled back");
  });
  await expect(rolledBack).rejects.toThrow("rolled back");
  await deliver();
  expect(receiver.received.map((each) => parse(each).type)).toEqual(["job.active"]);
});

test("a project without a URL tells nobody", async () => {
  const silent = await setup.addProject({});
  await createJob(silent);
  expect(await list(silent)).toEqual([]);
});

test("failures are tried again eight times over a day, with the same id and a fresh signature, and then given up", async () => {
  receiver.answer = (response) => response.writeHead(500).end("private details");
  await createJob();
  const waits: number[] = [];
  for (;;) {
    await deliver();
    const [delivery] = await list();
    if (delivery?.nextAttemptAt == null) break;
    const wait = Date.parse(delivery.nextAttemptAt) - setup.clock.now.getTime();
    waits.push(wait / 1000);
    setup.clock.advance(wait - 1);
    await deliver();
    setup.clock.advance(1);
  }
  expect(waits).toEqual([5, 60, 600, 3600, 10_800, 28_800, 43_200]);
  expect(receiver.received).toHaveLength(8);
  expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  expect(new Set(receiver.received.map(({ headers }) => headers["webhook-signature"])).size).toBe(8);
  expect(await list()).toMatchObject([
    { state: "failed", attempts: 8, responseStatus: 500, error: "It answered 500.", endedAt: expect.any(String) },
  ]);
});

test("what cannot even be sent is given up after as many attempts, and its reason is for the log alone", async () => {
  await createJob();
  const log: object[] = [];
  const broken = setup.createDeliverer({
    secrets: { current: () => Promise.reject(new Error("It was sealed with another secret.")) },
    log: { warn: (context) => void log.push(context) },
  });
  for (let attempt = 1; attempt <= 8; attempt += 1) {
    await deliver(broken);
    setup.clock.advance(86_400_000);
  }
  await broken.stop();
  expect(await list()).toMatchObject([
    { state: "failed", attempts: 8, error: expect.stringContaining("server's log") },
  ]);
  expect(log).toHaveLength(8);
});

test("the receiver's own wish counts where it is longer than the usual wait", async () => {
  receiver.answer = (response) => response.writeHead(429, { "retry-after": "7200" }).end();
  await createJob();
  await deliver();
  setup.clock.advance(7_199_000);
  await deliver();
  expect(receiver.received).toHaveLength(1);
  setup.clock.advance(1_000);
  receiver.answer = (response) => response.writeHead(200).end();
  await deliver();
  expect(await list()).toMatchObject([{ state: "delivered", attempts: 2 }]);
});

test.each([
  [410, "failed", "wants no more"],
  [302, "waiting", "a redirect, which is not followed"],
  [404, "waiting", "It answered 404."],
])("an answer of %i leaves it %s: %s", async (status, state, error) => {
  receiver.answer = (response) => response.writeHead(status, { location: "/elsewhere" }).end();
  await createJob();
  await deliver();
  expect(receiver.received.map(({ path }) => path)).toEqual(["/hook"]);
  expect(await list()).toMatchObject([{ state, responseStatus: status, error: expect.stringContaining(error) }]);
});

test("no answer, a broken connection and a receiver that is not there are told apart", async () => {
  const quick = setup.createDeliverer({ timeoutMs: 50 });
  receiver.answer = () => undefined;
  await createJob();
  await deliver(quick);
  expect(await list()).toMatchObject([{ responseStatus: null, error: /: no answer within 0.05 s\.$/ }]);
  receiver.answer = (response) => response.destroy();
  setup.clock.advance(60_000);
  await deliver();
  expect(await list()).toMatchObject([{ error: /: the connection broke\.$/, attempts: 2 }]);
  await setup.database
    .updateTable("projects")
    .set({ settings: JSON.stringify({ webhookUrl: "http://127.0.0.1:9/hook" }) })
    .where("id", "=", projectId)
    .execute();
  setup.clock.advance(3_600_000);
  await deliver();
  expect(await list()).toMatchObject([{ error: "127.0.0.1:9: the connection was refused.", attempts: 3 }]);
});

test("nothing is sent to private addresses unless they are allowed", async () => {
  const { port } = receiver;
  for (const webhookUrl of [
    `https://127.0.0.1:${port}/`,
    `https://localhost:${port}/`,
    `https://[::ffff:7f00:1]:${port}/`,
  ]) {
    const project = await setup.addProject({ webhookUrl });
    await createJob(project);
    await deliver(setup.createDeliverer({ receivers: "refuse" }));
    expect(await list(project)).toMatchObject([{ state: "waiting", error: /it leads to a private address/ }]);
  }
  const insecure = await setup.addProject({ webhookUrl: "http://hooks.example.com/" });
  await createJob(insecure);
  await deliver(setup.createDeliverer({ receivers: "refuse" }));
  expect(await list(insecure)).toMatchObject([{ state: "failed", error: /https:/ }]);
  await createJob();
  await deliver(setup.createDeliverer({ receivers: ["10.0.0.0/8"] }));
  expect(await list()).toMatchObject([{ state: "waiting", error: /private address/ }]);
  expect(receiver.received).toEqual([]);
  setup.clock.advance(60_000);
  await deliver(setup.createDeliverer({ receivers: ["10.0.0.0/8", "127.0.0.0/8"] }));
  expect(await list()).toMatchObject([{ state: "delivered" }]);
});

test("a receiver that does not answer holds up nobody else", async () => {
  const slow = await startReceiver();
  const open: (() => void)[] = [];
  slow.answer = (response) => void open.push(() => response.writeHead(204).end());
  const slowProject = await setup.addProject({ webhookUrl: slow.url });
  for (let count = 0; count < 40; count += 1) await createJob(slowProject);
  await createJob();
  await deliverer.tick();
  await expect.poll(() => receiver.received.length).toBe(1);
  await expect.poll(() => open.length).toBe(4);
  slow.answer = (response) => response.writeHead(204).end();
  for (const answer of open) answer();
  await deliver();
  expect(slow.received).toHaveLength(40);
  await slow.close();
});

test("what comes later in a job waits for what was before it, but not for ever", async () => {
  receiver.answer = (response, request) => response.writeHead(parse(request).type === "job.active" ? 500 : 204).end();
  const { id } = await createJob();
  await setup.jobs.archive(projectId, id);
  for (const wait of [0, 5_000, 60_000]) {
    setup.clock.advance(wait);
    await deliver();
  }
  expect(receiver.received.map((each) => parse(each).type)).toEqual([
    "job.active",
    "job.active",
    "job.active",
    "job.archived",
  ]);
});

test("a stop hands back what it breaks off, and it is not counted", async () => {
  receiver.answer = () => undefined;
  const stopped = setup.createDeliverer({ timeoutMs: 600_000, patienceMs: 0 });
  await createJob();
  await stopped.tick();
  await expect.poll(() => receiver.received.length).toBe(1);
  await stopped.stop();
  expect(await list()).toMatchObject([{ state: "waiting", attempts: 0 }]);
  receiver.answer = (response) => response.writeHead(204).end();
  await deliver();
  expect(await list()).toMatchObject([{ state: "delivered", attempts: 1 }]);
});

test("deliveries are listed in pages, sent once more on demand, and forgotten after 30 days", async () => {
  const deliveries = createDeliveries({ database: setup.database, clock: () => setup.clock.now });
  for (let count = 0; count < 3; count += 1) await createJob();
  await deliver();
  const first = await deliveries.list(projectId, { limit: 2 });
  expect(first?.deliveries).toHaveLength(2);
  const second = await deliveries.list(projectId, { limit: 2, cursor: first?.nextCursor ?? "" });
  expect(second).toMatchObject({ deliveries: [{ state: "delivered" }], nextCursor: null });
  expect(await deliveries.list(projectId, { limit: 2, state: "waiting" })).toEqual({
    deliveries: [],
    nextCursor: null,
  });
  expect(await deliveries.list("prj_none", { limit: 2 })).toBeUndefined();

  const [delivery] = first?.deliveries ?? [];
  expect(await deliveries.redeliver("prj_none", delivery?.id ?? "")).toBeUndefined();
  expect(await deliveries.redeliver(projectId, delivery?.id ?? "")).toMatchObject({ state: "waiting", attempts: 0 });
  await deliver();
  expect(receiver.received).toHaveLength(4);
  expect(receiver.received.filter(({ headers }) => headers["webhook-id"] === delivery?.id)).toHaveLength(2);

  receiver.answer = (response) => response.writeHead(500).end();
  await createJob();
  await deliver();
  setup.clock.advance(31 * 86_400_000);
  await deliveries.forget();
  expect(await list()).toMatchObject([{ state: "waiting" }]);
});
