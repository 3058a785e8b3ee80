import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { claimOwnership, type Ownership } from "./ownership.ts";
import { createTestDatabase, type TestDatabase } from "./testing/postgres.ts";

async function open(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  onTestFinished(() => database.close());
  return database;
}

function owned(claim: Ownership | { ownedBy: string }): Ownership {
  if ("ownedBy" in claim) throw new Error(`owned by ${claim.ownedBy}`);
  return claim;
}

const neverLost = (reason: string): void => expect.unreachable(reason);

test("a second claim is refused and told who the owner is, until the first is released", async () => {
  const { url } = await open();
  const first = owned(await claimOwnership({ connection: url, name: "serve", onLost: neverLost }));
  const second = await claimOwnership({ connection: url, name: "serve", onLost: neverLost });
  expect(second).toEqual({ ownedBy: expect.stringMatching(new RegExp(`^process ${process.pid} on .+`)) });
  await first.release();
  await owned(await claimOwnership({ connection: url, name: "serve", onLost: neverLost })).release();
});

test("other names and other databases are owned apart", async () => {
  const [one, other] = [await open(), await open()];
  const claims = await Promise.all([
    claimOwnership({ connection: one.url, name: "serve", onLost: neverLost }),
    claimOwnership({ connection: one.url, name: "fold", onLost: neverLost }),
    claimOwnership({ connection: other.url, name: "serve", onLost: neverLost }),
  ]);
  for (const claim of claims) await owned(claim).release();
});

test("kill -9 of the owner lets the next one in", async () => {
  const { url } = await open();
  const child = spawn(
    process.execPath,
    [
      "--input-type=module",
      "-e",
      `import { claimOwnership } from ${JSON.stringify(import.meta.resolve("./ownership.ts"))};
       await claimOwnership({ connection: ${JSON.stringify(url)}, name: "serve", onLost() {} });
       console.log("owned"); setInterval(() => {}, 1000);`,
    ],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  await once(child.stdout, "data");
  const refused = await claimOwnership({ connection: url, name: "serve", onLost: neverLost });
  expect(refused).toEqual({ ownedBy: expect.stringContaining(`process ${child.pid} on`) });
  child.kill("SIGKILL");
  await once(child, "exit");
  await owned(await claimOwnership({ connection: url, name: "serve", onLost: neverLost })).release();
});

test("an owner whose connection breaks is told so, once", async () => {
  const { url, pool } = await open();
  const reasons: string[] = [];
  const told = Promise.withResolvers<void>();
  await claimOwnership({
    connection: url,
    name: "serve",
    onLost(reason) {
      reasons.push(reason);
      told.resolve();
    },
  });
  await pool.query("select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'");
  await told.promise;
  await owned(await claimOwnership({ connection: url, name: "serve", onLost: neverLost })).release();
  expect(reasons).toHaveLength(1);
});
