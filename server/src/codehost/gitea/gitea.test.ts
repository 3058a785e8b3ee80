import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { CodeHostError } from "../codehost.ts";
import type { Fault } from "../testing/product.ts";
import { describeProductCases } from "../testing/product-cases.ts";
import { addWithBranch, CREATION, refusalOf } from "../testing/creation.ts";
import { createGiteaHost } from "./gitea.ts";
import { createGiteaHarness, type GiteaHarness } from "./testing/harness.ts";
import type { Account } from "./testing/state.ts";

let gitea: GiteaHarness;
beforeAll(async () => {
  gitea = await createGiteaHarness();
});
afterEach(() => {
  gitea.server.failOn(() => undefined);
  gitea.state.organizationLabels.clear();
  gitea.verify();
});
afterAll(() => gitea.close());

const SCOPES = ["write:repository", "write:issue", "read:user"];

/** The host with a token of this account. */
function connectAs(account: Account, scopes = SCOPES) {
  const token = `gitea-${account.login}-${scopes.join("-")}`;
  gitea.state.tokens.set(token, { account, scopes });
  return gitea.connectWith(token);
}

function docent(): Account {
  const token = gitea.state.tokens.get(gitea.token);
  if (token === undefined) throw new Error("There is no such token.");
  return token.account;
}

describeProductCases({
  harness: () => gitea,
  createHost: createGiteaHost,
  isCreation: ({ method, path }) => method === "POST" && path.endsWith("/pulls"),
  authorization: (token) => `token ${token}`,
  repositoryPath: (name) => `/repos/${name}`,
  firstOf: ({ stored }, repository) => stored(repository).pullRequests[0],
  draft: { prefix: "WIP:", otherPrefix: "[wip]" },
});

describe("what is refused says what to do", () => {
  test.each([
    [["write:issue", "read:user"], "write:repository"],
    [["write:repository", "read:user"], "write:issue"],
    [["write:repository", "write:issue"], "read:user"],
  ])("a token with %j lacks %s, and is told", async (scopes, missing) => {
    const { name } = await addWithBranch(gitea);
    const { number } = await gitea.host.createPullRequest(name, CREATION);
    const host = connectAs(docent(), scopes);
    const refusals = await Promise.all(
      [
        host.updatePullRequest(name, number, { title: "Greet", body: "" }),
        host.comment(name, number, { body: "b", marker: "m" }),
      ].map((run) => run.catch((error: unknown) => error)),
    );
    expect(refusals).toContainEqual(
      expect.objectContaining({
        code: "permission_missing",
        message: expect.stringMatching(new RegExp(`asks for (read|write):${missing.split(":")[1] ?? ""}`)),
      }),
    );
  });

  test("as Forgejo and versions before 1.24 name scopes", async () => {
    const { name } = await gitea.addRepository();
    const message = "token does not have at least one of required scope(s): [read:repository]";
    gitea.server.failOn(() => ({ when: "before", how: { status: 403, body: { message } } }));
    expect((await refusalOf(gitea.host.getRepository(name))).message).toContain("asks for read:repository.");
  });

  test("a name that is none", async () => {
    for (const name of ["docs", "a/b/c", ""]) {
      expect(await refusalOf(gitea.host.getRepository(name))).toMatchObject({ code: "not_found" });
    }
  });

  test("who may write is told to administrators; the owner is known anyway", async () => {
    const { name } = await gitea.addRepository();
    const writer = gitea.state.addAccount("writer");
    gitea.stored(name).permissions.set(writer, "write");
    const host = connectAs(writer);
    expect(await host.mayPush(name, "writer")).toBe(true);
    expect(await host.mayPush(name, "Handbook")).toBe(true);
    expect(await refusalOf(host.mayPush(name, "ada-everywhere"))).toMatchObject({
      code: "permission_missing",
      message: expect.stringContaining("only administrators"),
    });
  });

  test.each<[string, Fault["how"], Partial<CodeHostError>]>([
    ["a limit", { status: 429, headers: { "retry-after": "42" } }, { code: "unavailable", retryAfterMs: 42_000 }],
    ["a proxy's page", { status: 502, body: "<h1>502</h1>" }, { code: "unavailable", retryAfterMs: null }],
    ["a lost connection", "cut", { code: "unavailable", retryAfterMs: null }],
    ["a proxy that takes no long bodies", { status: 413, body: "<h1>413</h1>" }, { code: "invalid" }],
    ["a page of something else", { status: 200, body: "<p>Welcome</p>" }, { code: "invalid" }],
    ["a repository that moved", { status: 301, headers: { location: "https://other.example/" } }, { code: "invalid" }],
  ])("%s", async (_name, how, expected) => {
    const { name } = await gitea.addRepository();
    gitea.server.failOn(() => ({ when: "before", how }));
    expect(await refusalOf(gitea.host.getRepository(name))).toMatchObject(expected);
  });
});

describe("finding a pull request", () => {
  test("behind two pages of others, newest first", async () => {
    const repository = await addWithBranch(gitea);
    const own = await gitea.host.createPullRequest(repository.name, CREATION);
    for (let count = 0; count < 120; count += 1) await repository.openFromFork(`branch-${count}`);
    const before = gitea.server.requests.length;
    expect(await gitea.host.findPullRequest(repository.name, "work")).toEqual(own);
    expect(gitea.server.requests).toHaveLength(before + 3);
    expect(await gitea.host.findPullRequest(repository.name, "none")).toBeUndefined();
  });

  test("whose branch was deleted when it was merged", async () => {
    const repository = await addWithBranch(gitea);
    const opened = await gitea.host.createPullRequest(repository.name, CREATION);
    await repository.merge(opened.number);
    await repository.git.git("update-ref", "-d", "refs/heads/work");
    expect(await gitea.host.findPullRequest(repository.name, "work")).toEqual({ ...opened, state: "merged" });
  });
});

describe("labels", () => {
  test("the organization's are taken where the token may see them", async () => {
    const repository = await addWithBranch(gitea);
    gitea.state.organizationLabels.set("handbook", [{ id: 7, name: "docs", color: "00ff00" }]);
    const host = connectAs(docent(), [...SCOPES, "read:organization"]);
    const { number } = await host.createPullRequest(repository.name, { ...CREATION, labels: ["docs"] });
    expect((await repository.look(number)).labels).toEqual(["docs"]);
    expect(gitea.stored(repository.name).labels).toEqual([]);
  });

  test("are left out where the account may not make them", async () => {
    const repository = await addWithBranch(gitea);
    const reader = gitea.state.addAccount("reader");
    gitea.stored(repository.name).permissions.set(reader, "read");
    const opened = await connectAs(reader).createPullRequest(repository.name, { ...CREATION, labels: ["docs"] });
    expect((await repository.look(opened.number)).labels).toEqual([]);
  });

  test("are found behind a page of others", async () => {
    const repository = await addWithBranch(gitea);
    const { labels } = gitea.stored(repository.name);
    for (let id = 1000; id < 1080; id += 1) labels.push({ id, name: `label-${id}`, color: "000000" });
    const { number } = await gitea.host.createPullRequest(repository.name, { ...CREATION, labels: ["label-1079"] });
    expect((await repository.look(number)).labels).toEqual(["label-1079"]);
    expect(labels).toHaveLength(80);
  });
});

test("what is too long is cut, and says so", async () => {
  const { name } = await addWithBranch(gitea);
  const opened = await gitea.host.createPullRequest(name, {
    ...CREATION,
    title: "é".repeat(400),
    body: "🙂".repeat(200_000),
  });
  expect(opened.title).toHaveLength(255);
  expect(opened.body.length).toBeLessThanOrEqual(262_144);
  expect(opened.body).toMatch(/🙂\n\n… This was cut here/);
});
