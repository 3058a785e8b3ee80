import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";

const PATIENCE_MS = 60_000;
const PAUSE_MS = 50;

/** A client of a service that dies and comes back: it asks again with the same `Idempotency-Key` until it is answered. */
export interface PatientClient {
  post(path: string, body: object): Promise<Record<string, unknown>>;
  get(path: string): Promise<Record<string, unknown>>;
  /** How often it was not answered. */
  failures(): number;
}

export function createPatientClient(url: string, key: string): PatientClient {
  let failures = 0;

  async function ask(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
    const headers = {
      authorization: `Bearer ${key}`,
      ...(body === undefined ? {} : { "content-type": "application/json", "idempotency-key": randomUUID() }),
    };
    const deadline = performance.now() + PATIENCE_MS;
    for (;;) {
      try {
        const response = await fetch(new URL(path, url), {
          method,
          headers,
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        const answer = (await response.json()) as Record<string, unknown>;
        if (response.ok) return answer;
        if (response.status !== 503)
          throw new RefusedError(`${method} ${path}: ${response.status} ${String(answer["error"])}`);
      } catch (error) {
        if (error instanceof RefusedError || performance.now() > deadline) throw error;
      }
      failures += 1;
      await delay(PAUSE_MS);
    }
  }

  return { post: (path, body) => ask("POST", path, body), get: (path) => ask("GET", path), failures: () => failures };
}

class RefusedError extends Error {}
