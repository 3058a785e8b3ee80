import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { CodeHostError } from "../codehost.ts";
import type { ApiAnswer } from "../testing/product.ts";
import { describeProductCases } from "../testing/product-cases.ts";
import { addWithBranch, CREATION, refusalOf } from "../testing/creation.ts";
import { createGitLabHost } from "./gitlab.ts";
import { createGitLabHarness, type GitLabHarness } from "./testing/harness.ts";
import { LEVELS } from "./testing/state.ts";

let gitlab: GitLabHarness;
beforeAll(async () => {
  gitlab = await createGitLabHarness();
});
afterEach(() => {
  gitlab.server.failOn(() => undefined);
  gitlab.state.isBeforeBranchChecks = false;
  gitlab.state.branchesUnseen.clear();
  gitlab.verify();
});
afterAll(() => gitlab.close());

describeProductCases({
  harness: () => gitlab,
  createHost: createGitLabHost,
  isCreation: ({ method, path }) => method === "POST" && path.endsWith("/merge_requests"),
  authorization: (token) => `Bearer ${token}`,
  repositoryPath: (name) => `/projects/${encodeURIComponent(name)}`,
  firstOf: ({ projectOf }, repository) => projectOf(repository).mergeRequests[0],
  draft: { prefix: "Draft:", otherPrefix: "[DRAFT]" },
});

describe("what is refused says what to do", () => {
  test.each([
    ["expired", "it has expired"],
    ["revoked", "it was revoked"],
  ] as const)("a token that is %s", async (state, words) => {
    const { name } = await gitlab.addRepository();
    const [{ account } = { account: gitlab.state.addAccount("x") }] = gitlab.state.tokens.values();
    gitlab.state.tokens.set("glpat-dead", { account, scopes: ["api"], state });
    const refusal = await refusalOf(gitlab.connectWith("glpat-dead").getRepository(name));
    expect(refusal.code).toBe("credential_refused");
    expect(refusal.message).toContain(words);
    expect(refusal.message).toContain("scope api");
  });

  test("a token without the scope, by its name", async () => {
    const { name } = await addWithBranch(gitlab);
    const refusal = await refusalOf((await gitlab.connect("read-only")).createPullRequest(name, CREATION));
    expect(refusal).toMatchObject({ code: "permission_missing", message: expect.stringContaining("asks for api") });
  });

  test("an account whose role is too low, and one that is no member", async () => {
    const { name } = await addWithBranch(gitlab);
    const reporter = gitlab.state.addAccount("reporter");
    gitlab.projectOf(name).levels.set(reporter, LEVELS.read);
    gitlab.state.tokens.set("glpat-reporter", { account: reporter, scopes: ["api"], state: "active" });
    const low = await refusalOf(gitlab.connectWith("glpat-reporter").createPullRequest(name, CREATION));
    expect(low).toMatchObject({ code: "permission_missing", message: expect.stringContaining("role Developer") });

    const stranger = gitlab.state.addAccount("stranger");
    gitlab.state.tokens.set("glpat-stranger", { account: stranger, scopes: ["api"], state: "active" });
    const missing = await refusalOf(gitlab.connectWith("glpat-stranger").findPullRequest(name, "work"));
    expect(missing).toMatchObject({ code: "not_found", message: expect.stringContaining("looks missing") });
  });

  const now = () => Math.floor(Date.now() / 1000);
  const faults: [string, () => ApiAnswer | "cut", Partial<CodeHostError>][] = [
    ["a limit with Retry-After", () => ({ status: 429, headers: { "retry-after": "42" } }), { retryAfterMs: 42_000 }],
    ["a limit without a hint", () => ({ status: 429, body: "Retry later" }), { retryAfterMs: 60_000 }],
    [
      "maintenance",
      () => ({ status: 503, body: "Deploy in progress", headers: { "retry-after": "7" } }),
      { retryAfterMs: 7000 },
    ],
    ["a proxy's page", () => ({ status: 502, body: "<h1>502</h1>" }), { retryAfterMs: null }],
    ["a lost connection", () => "cut", { retryAfterMs: null }],
  ];
  test.each(faults)("%s: come back later", async (_name, how, expected) => {
    const { name } = await gitlab.addRepository();
    gitlab.server.failOn(() => ({ when: "before", how: how() }));
    expect(await refusalOf(gitlab.host.getRepository(name))).toMatchObject({ code: "unavailable", ...expected });
    expect(gitlab.server.requests.at(-1)?.path).toContain("/projects/");
  });

  test("a limit that tells when it ends", async () => {
    const { name } = await gitlab.addRepository();
    gitlab.server.failOn(() => ({
      when: "before",
      how: { status: 429, headers: { "ratelimit-reset": String(now() + 90) } },
    }));
    const { retryAfterMs } = await refusalOf(gitlab.host.getRepository(name));
    expect(retryAfterMs).toBeGreaterThan(80_000);
    expect(retryAfterMs).toBeLessThanOrEqual(90_000);
  });

  test("each fault is met by one request: waiting is not this one's to do", async () => {
    const { name } = await gitlab.addRepository();
    const before = gitlab.server.requests.length;
    gitlab.server.failOn(() => ({ when: "before", how: { status: 502 } }));
    await refusalOf(gitlab.host.getRepository(name));
    expect(gitlab.server.requests).toHaveLength(before + 1);
  });

  test("an address where no GitLab is, and one that sends on", async () => {
    const { name } = await gitlab.addRepository();
    gitlab.server.failOn(() => ({ when: "before", how: { status: 200, body: "<p>Welcome</p>" } }));
    expect((await refusalOf(gitlab.host.getRepository(name))).message).toContain("its address");
    const headers = { location: "https://elsewhere.example/api/v4/projects/1?private=1" };
    gitlab.server.failOn(() => ({ when: "before", how: { status: 301, headers } }));
    const moved = await refusalOf(gitlab.host.getRepository(name));
    expect(moved).toMatchObject({ code: "invalid", message: expect.stringContaining("https://elsewhere.example/api") });
    expect(moved.message).not.toContain("private");
  });
});

test("a branch that GitLab does not see yet is asked for again", async () => {
  const { name } = await addWithBranch(gitlab);
  gitlab.state.branchesUnseen.add("work");
  expect(await refusalOf(gitlab.host.createPullRequest(name, CREATION))).toMatchObject({
    code: "unavailable",
    retryAfterMs: 2000,
  });
});

test("a version that does not look for branches opens no merge request without one", async () => {
  const repository = await addWithBranch(gitlab);
  gitlab.state.isBeforeBranchChecks = true;
  const gone = { ...CREATION, headBranch: "gone" };
  expect(await refusalOf(gitlab.host.createPullRequest(repository.name, gone))).toMatchObject({ code: "not_found" });
  expect(await repository.countPullRequests()).toBe(0);
});

test("a title that begins like a draft's makes none", async () => {
  const { name } = await addWithBranch(gitlab);
  const opened = await gitlab.host.createPullRequest(name, { ...CREATION, title: "Draft: a page on drafts" });
  expect(opened.title).toBe("a page on drafts");
  expect(gitlab.projectOf(name).mergeRequests[0]?.title).toBe("a page on drafts");
});

test("what is too long is cut, and says so", async () => {
  const { name } = await addWithBranch(gitlab);
  const long = { ...CREATION, title: "é".repeat(400), body: "🙂".repeat(600_000), draft: true };
  const opened = await gitlab.host.createPullRequest(name, long);
  const [stored] = gitlab.projectOf(name).mergeRequests;
  expect(stored?.title).toHaveLength(255);
  expect(stored?.title.startsWith("Draft: é")).toBe(true);
  expect(opened.body.length).toBeLessThanOrEqual(1_048_576);
  expect(opened.body).toMatch(/🙂\n\n… This was cut here/);
});

test("labels that GitLab cannot have are left out", async () => {
  const repository = await addWithBranch(gitlab);
  const labels = ["docs", "one, two", "area::guides"];
  const { number } = await gitlab.host.createPullRequest(repository.name, { ...CREATION, labels });
  expect((await repository.look(number)).labels).toEqual(["docs", "area::guides"]);
});

test("its own merge request is found behind a hundred from forks", async () => {
  const repository = await addWithBranch(gitlab);
  const own = await gitlab.host.createPullRequest(repository.name, CREATION);
  for (let count = 0; count < 130; count += 1) await repository.openFromFork("work");
  expect(await gitlab.host.findPullRequest(repository.name, "work")).toEqual(own);
});

test("a merge request in the middle of being merged is open", async () => {
  const { name } = await addWithBranch(gitlab);
  const { number } = await gitlab.host.createPullRequest(name, CREATION);
  const [stored] = gitlab.projectOf(name).mergeRequests;
  if (stored !== undefined) stored.state = "locked";
  expect(await gitlab.host.getPullRequest(name, number)).toMatchObject({ state: "open" });
});

test("tells whether it may push where GitLab tells its role", async () => {
  const { name } = await gitlab.addRepository();
  // The role is the group's, which GitLab does not always tell.
  expect(await gitlab.host.getRepository(name)).toMatchObject({ mayPush: null });
  const account = gitlab.state.tokens.get(gitlab.token)?.account;
  for (const [level, mayPush] of [
    [LEVELS.read, false],
    [LEVELS.write, true],
  ] as const) {
    if (account !== undefined) gitlab.projectOf(name).levels.set(account, level);
    expect(await gitlab.host.getRepository(name)).toMatchObject({ mayPush });
  }
});
