import { afterAll, beforeAll, expect, test } from "vitest";
import { createWebhookSetup, type WebhookSetup } from "../testing/setup.ts";

let setup: WebhookSetup;
beforeAll(async () => {
  setup = await createWebhookSetup();
});
afterAll(() => setup.close());

test("several processes that need the first secret at once agree on one", async () => {
  const project = await setup.addProject({});
  const made = await Promise.all(Array.from({ length: 6 }, () => setup.secrets.current(project)));
  expect(new Set(made.map((each) => each.join())).size).toBe(1);
  expect(made[0]).toEqual([expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/)]);
  expect(await setup.secrets.current("prj_none")).toEqual([]);
});

test("after a rotation both secrets sign for a day, then the new one alone", async () => {
  const project = await setup.addProject({});
  const first = await setup.secrets.rotate(project);
  expect(first?.previousUntil).toBeNull();
  const second = await setup.secrets.rotate(project);
  expect(second?.previousUntil).toEqual(new Date(setup.clock.now.getTime() + 86_400_000));
  expect(await setup.secrets.current(project)).toEqual([second?.secret, first?.secret]);
  setup.clock.advance(86_400_000);
  expect(await setup.secrets.current(project)).toEqual([second?.secret]);
  expect(await setup.secrets.rotate("prj_none")).toBeUndefined();
});

test("what is stored shows no secret", async () => {
  const project = await setup.addProject({});
  const rotated = await setup.secrets.rotate(project);
  const { sealed } = await setup.database
    .selectFrom("project_credentials")
    .select("sealed")
    .where("project_id", "=", project)
    .executeTakeFirstOrThrow();
  expect(sealed.toString("latin1")).not.toContain(rotated?.secret);
  expect(await setup.credentials.list(project)).toMatchObject([{ name: "webhook" }]);
});
