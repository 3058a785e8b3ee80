import { createSecret } from "../../access/secret.ts";
import type { ProjectSettings } from "../../database/schema.ts";
import { createTestDatabase, type TestDatabase } from "../../database/testing/postgres.ts";
import type { Jobs } from "../../jobs/job.ts";
import { createTestJobs, insertProject } from "../../jobs/testing/records.ts";
import { openNetwork, type Network } from "../../network/network.ts";
import { createProjectCredentials, type ProjectCredentials } from "../../projects/credentials.ts";
import { createDeliverer, type Deliverer, type DelivererDependencies } from "../out/deliverer.ts";
import { createReceiverRule, type PrivateReceivers } from "../out/receiver.ts";
import { createSigningSecrets, type SigningSecrets } from "../out/signing-secrets.ts";

export interface WebhookSetup {
  database: TestDatabase["database"];
  jobs: Jobs;
  credentials: ProjectCredentials;
  secrets: SigningSecrets;
  network: Network;
  /** Stands until it is moved. */
  clock: { now: Date; advance(milliseconds: number): void };
  addProject(settings: ProjectSettings): Promise<string>;
  createDeliverer(options?: Partial<DelivererDependencies> & { receivers?: PrivateReceivers }): Deliverer;
  close(): Promise<void>;
}

/** The real parts over a database of their own. */
export async function createWebhookSetup(): Promise<WebhookSetup> {
  const testing = await createTestDatabase();
  const { database } = testing;
  const moment = {
    now: new Date(),
    advance: (milliseconds: number) => void (moment.now = new Date(moment.now.getTime() + milliseconds)),
  };
  const clock = () => moment.now;
  const credentials = createProjectCredentials({ database, secret: createSecret(Buffer.alloc(32, 7)), clock });
  const secrets = createSigningSecrets({ database, credentials, clock });
  const network = openNetwork({ httpProxy: null, httpsProxy: null, noProxy: null });
  return {
    database,
    jobs: createTestJobs(database, clock),
    credentials,
    secrets,
    network,
    clock: moment,
    async addProject(settings) {
      const id = await insertProject(database);
      await database
        .updateTable("projects")
        .set({ settings: JSON.stringify(settings) })
        .where("id", "=", id)
        .execute();
      return id;
    },
    createDeliverer: ({ receivers = "allow", ...options } = {}) =>
      createDeliverer({
        database,
        notifications: { listen: () => () => {} },
        secrets,
        request: network.checked(createReceiverRule(receivers)),
        privateReceivers: receivers,
        clock,
        random: () => 0,
        log: { warn: () => {} },
        ...options,
      }),
    async close() {
      await network.close();
      await testing.close();
    },
  };
}
