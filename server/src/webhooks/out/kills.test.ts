import { afterAll, beforeAll, expect, test } from "vitest";
import { claimJob } from "../../jobs/claim.ts";
import { jobOf } from "../../jobs/testing/records.ts";
import { takeUnread } from "../../jobs/messages.ts";
import { endTurn } from "../../jobs/turn-end.ts";
import { createRandom, type Random } from "../../jobs/torture/random.ts";
import { startReceiver, type Receiver } from "../testing/receiver.ts";
import { createWebhookSetup, type WebhookSetup } from "../testing/setup.ts";
import { LEASE_MS } from "./claim-delivery.ts";
import type { Deliverer } from "./deliverer.ts";
import { createReceiverRule } from "./receiver.ts";

let setup: WebhookSetup;
let receiver: Receiver;
beforeAll(async () => {
  setup = await createWebhookSetup();
  receiver = await startReceiver();
});
afterAll(async () => {
  await receiver.close();
  await setup.close();
});

/** A deliverer whose process may die in any attempt: before it sends, or after the receiver has answered. */
function createMortal(random: Random): { deliverer: Deliverer; died: Promise<void>; isDead: () => boolean } {
  const request = setup.network.checked(createReceiverRule("allow"));
  let dead = false;
  let die = (): void => {};
  const died = new Promise<void>((resolve) => (die = resolve));
  const end = (): Promise<never> => {
    dead = true;
    die();
    return new Promise(() => {});
  };
  const deliverer = setup.createDeliverer({
    random: () => random.between(0, 1),
    request: async (url, options) => {
      if (dead || random.chance(0.05)) return end();
      const answer = await request(url, options);
      return dead || random.chance(0.05) ? end() : answer;
    },
  });
  return { deliverer, died, isDead: () => dead };
}

/** Changes the statuses of some jobs as clients and workers do; some of it is rolled back. */
async function changeStatuses(projectId: string, random: Random): Promise<void> {
  const ids: string[] = [];
  for (let count = 0; count < 25; count += 1) {
    const id = random.pick(ids);
    const choice = random.between(0, 1);
    if (id === undefined || choice < 0.25) {
      ids.push(jobOf(await setup.jobs.create(projectId, { prompt: "Fix it." })).id);
    } else if (choice < 0.5) {
      await setup.jobs.message(projectId, id, { prompt: "And this." });
    } else if (choice < 0.85) {
      const job = await claimJob(setup.database, { worker: "w", perProjectMax: 1000 });
      if (job === undefined) continue;
      await setup.database.transaction().execute((transaction) => takeUnread(transaction, job.id));
      const outcome = random.chance(0.5) ? { completed: null } : { failed: "It could not." };
      await endTurn(setup.database, { jobId: job.id, generation: job.generation }, outcome);
    } else {
      await setup.jobs.archive(projectId, id);
    }
  }
}

test.each([1, 2, 3, 4, 5, 6])(
  "every committed change arrives, whoever dies, and none once its delivery is recorded (seed %i)",
  async (seed) => {
    const random = createRandom(seed);
    const projectId = await setup.addProject({ webhookUrl: receiver.url });
    const arrived = new Map<string, string>();
    const arrivedTooOften: string[] = [];
    receiver.answer = async (response, { headers, body }) => {
      const id = String(headers["webhook-id"]);
      const { state } = await setup.database
        .selectFrom("webhook_deliveries")
        .select("state")
        .where("id", "=", id)
        .executeTakeFirstOrThrow();
      if (state === "delivered") arrivedTooOften.push(id);
      const isAccepted = random.chance(0.8);
      if (isAccepted) arrived.set(id, body);
      response.writeHead(isAccepted ? 204 : 503).end();
    };

    const working = changeStatuses(projectId, random);
    const processes = [createMortal(random), createMortal(random), createMortal(random)];
    const waiting = () =>
      setup.database
        .selectFrom("webhook_deliveries")
        .select("id")
        .where("project_id", "=", projectId)
        .where("state", "=", "waiting")
        .execute();
    await Promise.all([working, ...processes.map(({ deliverer }) => deliverer.tick())]);
    for (let round = 0; round < 200 && (await waiting()).length > 0; round += 1) {
      await Promise.all(
        processes.map(async ({ deliverer, died }, index) => {
          await deliverer.tick();
          await Promise.race([deliverer.idle(), died]);
          if (processes[index]?.isDead() === true) processes[index] = createMortal(random);
        }),
      );
      // Beyond any lease, and any wait that so few attempts lead to.
      setup.clock.advance(Math.max(LEASE_MS, 24 * 3_600_000));
    }

    // What happened, by the log that is written with each change.
    const rows = await setup.database
      .selectFrom("job_events")
      .innerJoin("jobs", "jobs.id", "job_events.job_id")
      .select(["job_events.job_id", "job_events.position", "job_events.data"])
      .where("jobs.project_id", "=", projectId)
      .where("job_events.type", "=", "status")
      .execute();
    const jobs = await setup.database.selectFrom("jobs").select("id").where("project_id", "=", projectId).execute();
    const changes = [
      ...jobs.map(({ id }) => `${id} 0 active`),
      ...rows.map(({ job_id: id, position, data }) => `${id} ${position} ${(data as { status: string }).status}`),
    ];
    const deliveries = await setup.database
      .selectFrom("webhook_deliveries")
      .selectAll()
      .where("project_id", "=", projectId)
      .execute();
    expect(deliveries.map((each) => `${each.job_id} ${each.position} ${each.type.slice(4)}`).toSorted()).toEqual(
      changes.toSorted(),
    );
    expect(deliveries.filter(({ state }) => state === "waiting")).toEqual([]);
    for (const { id, state, payload } of deliveries) {
      // Given up only when no attempt of all was accepted.
      if (state === "delivered") expect(JSON.parse(arrived.get(id) ?? "null")).toEqual(payload);
    }
    expect(deliveries.filter(({ state }) => state === "failed").length).toBeLessThanOrEqual(1);
    expect(arrivedTooOften).toEqual([]);
  },
);
