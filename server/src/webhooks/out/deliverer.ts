import type { Kysely } from "kysely";
import type { Notifications } from "../../database/notifications.ts";
import type { Schema } from "../../database/schema.ts";
import type { CheckedRequest } from "../../network/network.ts";
import { claimDelivery, recordAttempt, releaseDelivery, type ClaimedDelivery } from "./claim-delivery.ts";
import { DELIVERIES_CHANNEL } from "./outbox.ts";
import { webhookUrlProblem, type PrivateReceivers } from "./receiver.ts";
import { sendDelivery, type Attempt } from "./send.ts";
import type { SigningSecrets } from "./signing-secrets.ts";

/** How often due retries are looked for; new deliveries wake by themselves. */
export const POLL_MS = 2_000;
const PATIENCE_MS = 3_000;
const CONCURRENCY = 32;
/** A receiver that answers slowly holds up no more than these of the attempts at once. */
const PER_PROJECT_MAX = 4;

export interface DelivererDependencies {
  database: Kysely<Schema>;
  notifications: Pick<Notifications, "listen">;
  secrets: Pick<SigningSecrets, "current">;
  /** To no address that webhooks may not go to. */
  request: CheckedRequest;
  privateReceivers: PrivateReceivers;
  clock: () => Date;
  random?: () => number;
  /** Of one attempt. */
  timeoutMs?: number;
  /** How long a stop waits for attempts under way, before it breaks them off. */
  patienceMs?: number;
  log: { warn(context: object, message: string): void };
}

/** Delivers what the outbox holds. Any number of processes may do it at once, and each may die at any moment. */
export interface Deliverer {
  start(): void;
  /** Begins an attempt for each delivery that is due, as far as there is room. */
  tick(): Promise<void>;
  /** Until no attempt is under way here. */
  idle(): Promise<void>;
  stop(): Promise<void>;
}

export function createDeliverer(dependencies: DelivererDependencies): Deliverer {
  const { database, notifications, secrets, request, privateReceivers, clock, timeoutMs, log } = dependencies;
  const patienceMs = dependencies.patienceMs ?? PATIENCE_MS;
  const random = dependencies.random ?? Math.random;
  const underWay = new Map<Promise<void>, { projectId: string }>();
  const stopping = new AbortController();
  let isStopping = false;
  let ticking: Promise<void> | undefined;
  let tickAgain = false;
  let releases: (() => void)[] = [];

  function busyProjects(): string[] {
    const attempts = new Map<string, number>();
    for (const { projectId } of underWay.values()) attempts.set(projectId, (attempts.get(projectId) ?? 0) + 1);
    return [...attempts].filter(([, count]) => count >= PER_PROJECT_MAX).map(([projectId]) => projectId);
  }

  async function beginAttempts(): Promise<void> {
    while (!isStopping && underWay.size < CONCURRENCY) {
      const delivery = await claimDelivery(database, { now: clock(), busyProjects: busyProjects() });
      if (delivery === undefined) return;
      const attempt = deliver(delivery)
        // Its lease ends, and it is tried again.
        .catch((error: unknown) => log.warn({ err: error, deliveryId: delivery.id }, "a webhook was not recorded"))
        .finally(() => {
          underWay.delete(attempt);
          void deliverer.tick();
        });
      underWay.set(attempt, { projectId: delivery.project_id });
    }
  }

  async function deliver(delivery: ClaimedDelivery): Promise<void> {
    let attempt: Attempt;
    try {
      attempt = await send(delivery);
    } catch (error) {
      if (stopping.signal.aborted) return releaseDelivery(database, delivery);
      // A secret that cannot be opened, for one. Uncounted, it would be tried each minute for ever.
      log.warn({ err: error, deliveryId: delivery.id }, "a webhook could not be sent");
      const reason = "Docent could not send it; the server's log has the details.";
      attempt = { failed: { error: reason, status: null, retryAfterMs: null, isGone: false } };
    }
    await recordAttempt(database, delivery, attempt, { now: clock(), random });
  }

  async function send(delivery: ClaimedDelivery): Promise<Attempt> {
    if (delivery.url === null) return giveUp("The project has no webhook URL any more.");
    const problem = webhookUrlProblem(delivery.url, privateReceivers);
    if (problem !== undefined) return giveUp(problem);
    return sendDelivery({ request, clock, timeoutMs }, delivery, {
      url: new URL(delivery.url),
      secrets: await secrets.current(delivery.project_id),
      signal: stopping.signal,
    });
  }

  const deliverer: Deliverer = {
    start() {
      const tick = (): void => void deliverer.tick();
      const poll = setInterval(tick, POLL_MS);
      releases = [() => clearInterval(poll), notifications.listen(DELIVERIES_CHANNEL, tick)];
    },

    async tick() {
      tickAgain = true;
      ticking ??= (async () => {
        while (tickAgain && !isStopping) {
          tickAgain = false;
          try {
            await beginAttempts();
          } catch (error) {
            log.warn({ err: error }, "could not look for webhooks to deliver");
          }
        }
      })().finally(() => (ticking = undefined));
      return ticking;
    },

    async idle() {
      for (;;) {
        await ticking;
        if (underWay.size === 0) return;
        await Promise.all(underWay.keys());
      }
    },

    async stop() {
      isStopping = true;
      for (const release of releases) release();
      await ticking;
      const patience = setTimeout(() => stopping.abort(), patienceMs);
      await Promise.all(underWay.keys());
      clearTimeout(patience);
    },
  };
  return deliverer;
}

function giveUp(error: string): Attempt {
  return { failed: { error, status: null, retryAfterMs: null, isGone: true } };
}
