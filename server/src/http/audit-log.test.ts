import { afterAll, beforeAll, expect, test } from "vitest";
import { openPage, type PageAnswer } from "../testing/page.ts";
import { addPerson, signIn } from "../testing/people.ts";
import { startTestService, type TestService } from "../testing/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  await addPerson(service, "owner@example.com", "owner");
});
afterAll(() => service.close());

interface Entry {
  id: string;
  action: string;
  actor: object;
  subject: object | null;
  details: object;
}

const asAdministrator = (method: string, path: string, body?: object): Promise<PageAnswer> =>
  openPage(service.url).request(method, path, body, { authorization: `Bearer ${service.adminToken}` });

async function read(query: string): Promise<{ entries: Entry[]; nextCursor: string | null }> {
  const { status, body } = await asAdministrator("GET", `/v1/audit-log?${query}`);
  expect(status).toBe(200);
  return body;
}

test("everything that changes what a project lets in is there, and no secret of it", async () => {
  const owner = await signIn(service, "owner@example.com");
  const { id } = (await owner.request("POST", "/v1/projects", { name: "Docs" })).body;
  const path = `/v1/projects/${id}`;
  const key = (await owner.request("POST", `${path}/keys`, { name: "ci", scope: "write" })).body;
  await owner.request("DELETE", `${path}/keys/${key.id}`);
  await owner.request("PUT", `${path}/credentials/model-openai`, { value: "sk-of-a-test" });
  await owner.request("DELETE", `${path}/credentials/model-openai`);
  await owner.request("PATCH", path, { name: "Handbook", settings: { docsPath: "docs", instructions: "Be kind." } });
  await owner.request("PATCH", path, { settings: { docsPath: "docs" } });
  await asAdministrator("POST", `${path}/webhook-secret`);
  await asAdministrator("DELETE", path);

  const { entries } = await read(`projectId=${id}`);
  expect(entries.map(({ action, subject, details }) => [action, subject, details])).toEqual([
    ["project.deleted", { id, name: "Handbook" }, {}],
    ["credential.stored", { id: null, name: "webhook" }, {}],
    ["project.changed", { id, name: "Handbook" }, { changes: "settings.instructions" }],
    ["project.changed", { id, name: "Handbook" }, { changes: "name, settings.docsPath, settings.instructions" }],
    ["credential.removed", { id: null, name: "model-openai" }, {}],
    ["credential.stored", { id: null, name: "model-openai" }, {}],
    ["key.revoked", { id: key.id, name: "ci" }, { scope: "write" }],
    ["key.created", { id: key.id, name: "ci" }, { scope: "write" }],
    ["project.created", { id, name: "Docs" }, {}],
  ]);
  const person = { type: "user", id: expect.stringMatching(/^usr_/), name: "Test owner" };
  const administrator = { type: "administrator", id: null, name: "the administrator" };
  const actors = entries.map(({ actor }) => actor);
  expect(actors).toEqual([administrator, administrator, ...Array.from({ length: 7 }, () => person)]);
  const text = JSON.stringify(entries);
  for (const secret of [key.key, "sk-of-a-test", "Be kind."]) expect(text).not.toContain(secret);
});

test("what is refused, and what changes nothing, leaves no entry", async () => {
  const { id } = (await asAdministrator("POST", "/v1/projects", { name: "Docs" })).body;
  const path = `/v1/projects/${id}`;
  expect(await asAdministrator("POST", `${path}/keys`, { name: "x", cidrs: ["nowhere"] })).toMatchObject({
    status: 400,
  });
  expect(await asAdministrator("DELETE", `${path}/keys/key_0`)).toMatchObject({ status: 404 });
  expect(await asAdministrator("PATCH", path, { ref: "nope" })).toMatchObject({ status: 400 });
  expect(await asAdministrator("PATCH", path, { name: "Docs", settings: {} })).toMatchObject({ status: 200 });
  expect((await read(`projectId=${id}`)).entries.map(({ action }) => action)).toEqual(["project.created"]);
});

test("its pages hold every entry once, newest first", async () => {
  for (let count = 0; count < 7; count += 1) await asAdministrator("POST", "/v1/projects", { name: `Docs ${count}` });
  const all = (await read("limit=100")).entries.map(({ id }) => id);
  expect(all).toEqual(all.toSorted().toReversed());
  const paged: string[] = [];
  let cursor: string | null = null;
  do {
    const page: { entries: Entry[]; nextCursor: string | null } = await read(
      `limit=3${cursor === null ? "" : `&cursor=${cursor}`}`,
    );
    paged.push(...page.entries.map(({ id }) => id));
    cursor = page.nextCursor;
  } while (cursor !== null);
  expect(paged).toEqual(all);
  expect(await asAdministrator("GET", "/v1/audit-log?limit=0")).toMatchObject({ status: 400 });
});
