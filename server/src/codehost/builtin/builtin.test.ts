import { afterAll, beforeAll, expect, test } from "vitest";
import { runGit } from "../../git/git.ts";
import { createBuiltinHost } from "./builtin.ts";
import { commitFiles, createTestHost, git, type TestHost } from "./testing/host.ts";

let testing: TestHost;
beforeAll(async () => {
  testing = await createTestHost();
});
afterAll(() => testing.close());

const content = { title: "Say hello", body: "A summary." };

/** A repository with a pushed branch `work` that adds a page. */
async function withBranch(name: string) {
  const { gitDir, clone } = await testing.addRepository(name);
  await git(clone, "checkout", "--quiet", "-b", "work");
  const head = await commitFiles(clone, { "hello.mdx": "# Hello\n" }, "Add a page");
  await git(clone, "push", "--quiet", "origin", "work");
  return { gitDir, clone, head };
}

const open = (name: string, headBranch = "work") =>
  testing.host.createPullRequest(name, { ...content, headBranch, baseBranch: "main" });

const tip = async (gitDir: string, ref: string) =>
  (await runGit(["rev-parse", ref], { gitDir })).stdout.toString().trim();

test("a pull request is created once, found, changed, and told with what it changes", async () => {
  const { head } = await withBranch("once");
  const pullRequest = await open("once");
  expect(pullRequest).toEqual({
    ...content,
    number: 1,
    url: "http://docent.test/projects/once/pull/1",
    state: "open",
    headBranch: "work",
    baseBranch: "main",
  });
  await expect(open("once")).rejects.toMatchObject({ code: "pull_request_exists" });
  expect(await testing.host.findPullRequest("once", "work")).toEqual(pullRequest);
  expect(await testing.host.findPullRequest("once", "other")).toBeUndefined();
  expect(await testing.host.getPullRequest("once", 2)).toBeUndefined();
  const changed = await testing.host.updatePullRequest("once", 1, { title: "Greet", body: "" });
  expect(changed).toMatchObject({ title: "Greet", body: "", state: "open" });
  await expect(testing.host.updatePullRequest("once", 9, content)).rejects.toMatchObject({ code: "not_found" });
  const details = await testing.host.getPullRequestDetails("once", 1);
  expect(details?.comparison?.commits).toMatchObject([{ oid: head, title: "Add a page", authorName: "Ada" }]);
  expect(details?.comparison?.files).toMatchObject([
    { path: "hello.mdx", status: "added", additions: 1, deletions: 0 },
  ]);
  expect(details?.merge).toEqual({ conflicts: [] });
});

test("branches that do not exist are refused", async () => {
  await testing.addRepository("missing");
  await expect(open("missing")).rejects.toMatchObject({ code: "not_found", message: expect.stringContaining("work") });
  await expect(open("nowhere")).rejects.toThrow();
  await expect(testing.host.remote("nowhere", "read")).rejects.toMatchObject({ code: "not_found" });
  await expect(open("../escape")).rejects.toMatchObject({ code: "not_found" });
});

test("numbers have no gaps and no duplicates, however many are created at once", async () => {
  const { clone } = await testing.addRepository("numbers");
  const branches = Array.from({ length: 20 }, (_, index) => `branch-${index}`);
  await commitFiles(clone, { "a.mdx": "a\n" }, "Change");
  await git(clone, "push", "--quiet", "origin", ...branches.map((branch) => `HEAD:refs/heads/${branch}`));
  const twice = [...branches, ...branches].map((branch) => open("numbers", branch));
  const settled = await Promise.allSettled(twice);
  const numbers = settled.flatMap((result) => (result.status === "fulfilled" ? [result.value.number] : []));
  expect(numbers.toSorted((a, b) => a - b)).toEqual(branches.map((_, index) => index + 1));
});

test("merging makes a merge commit, and merging again does nothing", async () => {
  const { gitDir, clone, head } = await withBranch("merge");
  await open("merge");
  await git(clone, "checkout", "--quiet", "main");
  const base = await commitFiles(clone, { "other.mdx": "# Other\n" }, "Meanwhile");
  await git(clone, "push", "--quiet", "origin", "main");
  expect(await testing.host.mergePullRequest("merge", 1, { expectedHead: base })).toMatchObject({
    refused: expect.stringContaining("changed since"),
  });
  const merged = await testing.host.mergePullRequest("merge", 1, { expectedHead: head });
  expect(merged).toMatchObject({ pullRequest: { state: "merged" } });
  expect(await tip(gitDir, "main^1")).toBe(base);
  expect(await tip(gitDir, "main^2")).toBe(head);
  const after = await tip(gitDir, "main");
  expect(await testing.host.mergePullRequest("merge", 1)).toMatchObject({ pullRequest: { state: "merged" } });
  expect(await tip(gitDir, "main")).toBe(after);
  expect(await testing.host.closePullRequest("merge", 1)).toMatchObject({ refused: expect.stringContaining("merged") });
  expect(await testing.host.mergePullRequest("merge", 7)).toBeUndefined();
  const details = await testing.host.getPullRequestDetails("merge", 1);
  expect(details).toMatchObject({ state: "merged", merge: null });
  expect(details?.comparison?.files.map(({ path }) => path)).toEqual(["hello.mdx"]);
});

test("a merge that was recorded in git but not in the database is found to be merged", async () => {
  const { gitDir, head } = await withBranch("crash");
  await open("crash");
  await testing.host.refresh("crash");
  // What a crash between the two leaves behind: the base branch moved, the row open.
  const base = await tip(gitDir, "main");
  await testing.host.mergePullRequest("crash", 1);
  await testing.database.database
    .updateTable("builtin_pull_requests")
    .set({ state: "open", head_commit: head, base_commit: base, ended_at: null })
    .where("repository", "=", "crash")
    .execute();
  const after = await tip(gitDir, "main");
  expect(await testing.host.mergePullRequest("crash", 1)).toMatchObject({ pullRequest: { state: "merged" } });
  expect(await tip(gitDir, "main")).toBe(after);
});

test("a conflict is refused with the files, and nothing moves", async () => {
  const { gitDir, clone } = await withBranch("conflict");
  await open("conflict");
  await git(clone, "checkout", "--quiet", "main");
  await commitFiles(clone, { "hello.mdx": "# Other words\n" }, "Meanwhile");
  await git(clone, "push", "--quiet", "origin", "main");
  const before = await tip(gitDir, "main");
  expect(await testing.host.mergePullRequest("conflict", 1)).toMatchObject({
    refused: expect.stringContaining("hello.mdx"),
  });
  expect(await tip(gitDir, "main")).toBe(before);
  const details = await testing.host.getPullRequestDetails("conflict", 1);
  expect(details).toMatchObject({ state: "open", merge: { conflicts: ["hello.mdx"] } });
});

test("a branch that someone merged by a plain push is merged", async () => {
  const { clone } = await withBranch("pushed");
  await open("pushed");
  await git(clone, "push", "--quiet", "origin", "work:main");
  expect(await testing.host.findPullRequest("pushed", "work")).toMatchObject({ state: "merged" });
  const details = await testing.host.getPullRequestDetails("pushed", 1);
  expect(details?.comparison?.files.map(({ path }) => path)).toEqual(["hello.mdx"]);
});

test("a branch that was changed, merged and deleted in one push is merged", async () => {
  const { clone } = await withBranch("at-once");
  await open("at-once");
  await testing.host.refresh("at-once");
  await git(clone, "push", "--quiet", "origin", "work:main", ":work");
  expect(await testing.host.getPullRequest("at-once", 1)).toMatchObject({ state: "merged" });
});

test("a deleted branch closes its pull request, which still shows the change", async () => {
  const { clone, head } = await withBranch("deleted");
  await open("deleted");
  await testing.host.refresh("deleted");
  await git(clone, "push", "--quiet", "origin", ":work");
  expect(await testing.host.getPullRequest("deleted", 1)).toMatchObject({ state: "closed" });
  const details = await testing.host.getPullRequestDetails("deleted", 1);
  expect(details).toMatchObject({ branchDeleted: true, comparison: { to: head } });
  expect(await testing.host.mergePullRequest("deleted", 1)).toMatchObject({ refused: expect.any(String) });
  // Its commits can still be fetched.
  await git(clone, "fetch", "--quiet", "origin", "pull/1/head");
});

test("a branch set back to the base has nothing left to merge", async () => {
  const { clone } = await withBranch("reset");
  await open("reset");
  await testing.host.refresh("reset");
  await git(clone, "push", "--quiet", "--force", "origin", "main:work");
  expect(await testing.host.getPullRequest("reset", 1)).toMatchObject({ state: "closed" });
});

test("a push to an open pull request shows at once; after closing, the branch can have a new one", async () => {
  const { clone } = await withBranch("more");
  await open("more");
  const head = await commitFiles(clone, { "hello.mdx": "# Hello there\n" }, "More words");
  await git(clone, "push", "--quiet", "origin", "work");
  expect((await testing.host.getPullRequestDetails("more", 1))?.comparison).toMatchObject({
    to: head,
    commitsTotal: 2,
  });
  expect(await testing.host.closePullRequest("more", 1)).toMatchObject({ pullRequest: { state: "closed" } });
  expect(await open("more")).toMatchObject({ number: 2 });
  expect(await testing.host.findPullRequest("more", "work")).toMatchObject({ number: 2, state: "open" });
});

test("an open one that a push has meanwhile ended is not in the way of a new one", async () => {
  const { clone } = await withBranch("again");
  await open("again");
  await git(clone, "push", "--quiet", "origin", "work:main");
  await commitFiles(clone, { "second.mdx": "# Second\n" }, "Second");
  // Within one look, the branch was merged and then went on.
  await testing.host.refresh("again");
  await git(clone, "push", "--quiet", "origin", "work");
  expect(await open("again")).toMatchObject({ number: 2 });
});

test("a worker elsewhere gets a URL with a token for this repository only", async () => {
  await testing.addRepository("elsewhere");
  const local = await testing.host.remote("elsewhere", "write");
  expect(local).toMatchObject({ directory: testing.host.repositories?.path("elsewhere") });
  const worker = createBuiltinHost({
    database: testing.database.database,
    repositoriesDirectory: null,
    publicUrl: "http://docent.test",
    secret: testing.secret,
    clock: testing.clock,
  });
  const remote = await worker.remote("elsewhere", "read");
  expect(remote).toMatchObject({ url: "http://docent.test/git/elsewhere.git" });
  expect(remote.directory).toBeUndefined();
  const password =
    Buffer.from(remote.authorization?.split(" ")[1] ?? "", "base64")
      .toString()
      .split(":")[1] ?? "";
  expect(testing.host.verifyGitToken(password, "elsewhere")).toBe("read");
  expect(testing.host.verifyGitToken(password, "other")).toBeUndefined();
  const created = await worker.createPullRequest("elsewhere", { ...content, headBranch: "work", baseBranch: "main" });
  expect(await worker.findPullRequest("elsewhere", "work")).toEqual(created);
});
