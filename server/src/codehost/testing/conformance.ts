import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { GitError } from "../../git/git.ts";
import type { CodeHost } from "../codehost.ts";
import { cloneOf, type Clone } from "./clone.ts";
import type { CodeHostFeature, CodeHostHarness, HostedRepository } from "./harness.ts";

/** More than any product puts on one page. */
const COMMENTS_OF_OTHERS = 105;

const content = { title: "Say hello", body: "A summary.\n\n- one\n- two" };

/**
 * What every code host must do, on a product with state and with git behind it.
 *
 * To run it on another one, write a harness: a server on the loopback address that keeps the product's state, answers
 * as the product does (quirks included), serves each repository with `git http-backend` to who sends the right
 * credential, and holds every request against the product's published description. `createHarness` starts it and
 * connects the adapter; `addRepository` gives each test a repository of its own; `verify`, called after each test,
 * throws for requests that the description does not allow. People's actions (`merge`, `say`, …) change the server's
 * state directly, never through the adapter. What a product does not have stands in `lacks`.
 */
export function describeCodeHost(name: string, createHarness: () => Promise<CodeHostHarness>): void {
  describe(name, () => {
    let harness: CodeHostHarness;
    let host: CodeHost;
    const clones: Clone[] = [];

    beforeAll(async () => {
      harness = await createHarness();
      host = harness.host;
    });
    afterEach(() => harness.verify());
    afterAll(async () => {
      for (const clone of clones) await clone.remove();
      await harness.close();
    });

    /** A test that is skipped where the product does not have what it is about. */
    const testWith = (feature: CodeHostFeature, title: string, run: () => Promise<void>) =>
      test(title, async (context) => {
        if (harness.lacks.includes(feature)) context.skip();
        await run();
      });

    /** A repository whose branch `work` adds a page, pushed through the adapter. */
    async function withBranch(branch = "work") {
      const repository = await harness.addRepository();
      const clone = await cloneOf(repository.gitDir);
      clones.push(clone);
      const head = await pushBranch(repository, clone, branch);
      return { repository, clone, head };
    }

    async function pushBranch(repository: HostedRepository, clone: Clone, branch: string): Promise<string> {
      await clone.git("branch", "--force", branch, "main");
      const head = await clone.commit(branch, { [`${branch}.md`]: "# Hello\n" });
      await clone.at(await host.remote(repository.name, "write"), "push", "--quiet", "origin", branch);
      return head;
    }

    const open = (repository: HostedRepository, headBranch = "work") =>
      host.createPullRequest(repository.name, { ...content, headBranch, baseBranch: "main" });

    test("describes a repository", async () => {
      const { name: repository } = await harness.addRepository();
      const described = await host.getRepository(repository);
      expect(described).toMatchObject({ defaultBranch: "main", isArchived: false });
      expect(described.mayPush).not.toBe(false);
      expect(host.repositoryUrl(repository)).toContain(described.url);
    });

    test("says that a repository is not there, or not for this credential", async () => {
      const missing = "nobody/nothing";
      await expect(host.getRepository(missing)).rejects.toMatchObject({ code: "not_found" });
      const creation = { ...content, headBranch: "work", baseBranch: "main" };
      await expect(host.createPullRequest(missing, creation)).rejects.toMatchObject({ code: "not_found" });
    });

    test("git reads and writes with what is minted for it", async () => {
      const { repository, clone, head } = await withBranch();
      const listed = await clone.at(
        await host.remote(repository.name, "read"),
        "ls-remote",
        "origin",
        "refs/heads/work",
      );
      expect(listed).toBe(`${head}\trefs/heads/work`);
      const { url } = await host.remote(repository.name, "write");
      expect(new URL(url).username + new URL(url).password).toBe("");
    });

    test("opens a pull request, finds it, and changes it", async () => {
      const { repository } = await withBranch();
      expect(await host.findPullRequest(repository.name, "work")).toBeUndefined();
      const opened = await open(repository);
      expect(opened).toEqual({
        ...content,
        number: opened.number,
        url: expect.stringMatching(/^http/),
        state: "open",
        headBranch: "work",
        baseBranch: "main",
      });
      expect(await host.getPullRequest(repository.name, opened.number)).toEqual(opened);
      expect(await host.findPullRequest(repository.name, "work")).toEqual(opened);
      expect(await host.findPullRequest(repository.name, "wor")).toBeUndefined();
      expect(await host.getPullRequest(repository.name, opened.number + 1000)).toBeUndefined();
      const changed = { title: "Greet", body: "Other words, with “quotes” and *stars*." };
      expect(await host.updatePullRequest(repository.name, opened.number, changed)).toEqual({ ...opened, ...changed });
      expect(await host.getPullRequest(repository.name, opened.number)).toEqual({ ...opened, ...changed });
      await expect(host.updatePullRequest(repository.name, opened.number + 1000, changed)).rejects.toMatchObject({
        code: "not_found",
      });
    });

    test("branches with a slash are branches", async () => {
      const { repository } = await withBranch("docent/say-hello");
      const opened = await open(repository, "docent/say-hello");
      expect(await host.findPullRequest(repository.name, "docent/say-hello")).toEqual(opened);
    });

    test("refuses a second open pull request from the same branch, also at once", async () => {
      const { repository } = await withBranch();
      const settled = await Promise.allSettled(Array.from({ length: 4 }, () => open(repository)));
      const reasons = settled.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
      expect(reasons.map(({ code }) => code)).toEqual(Array(3).fill("pull_request_exists"));
      await expect(open(repository)).rejects.toMatchObject({ code: "pull_request_exists" });
      expect(await repository.countPullRequests()).toBe(1);
    });

    test("tells a closed one, and finds the newest once there is another", async () => {
      const { repository } = await withBranch();
      const first = await open(repository);
      await repository.close(first.number);
      expect(await host.findPullRequest(repository.name, "work")).toEqual({ ...first, state: "closed" });
      const second = await open(repository);
      expect(second.number).toBeGreaterThan(first.number);
      expect(await host.findPullRequest(repository.name, "work")).toEqual(second);
      expect(await host.getPullRequest(repository.name, first.number)).toMatchObject({ state: "closed" });
    });

    test("tells a merged one", async () => {
      const { repository, clone, head } = await withBranch();
      const opened = await open(repository);
      await repository.merge(opened.number);
      expect(await host.getPullRequest(repository.name, opened.number)).toEqual({ ...opened, state: "merged" });
      expect(await host.findPullRequest(repository.name, "work")).toMatchObject({ state: "merged" });
      await clone.at(await host.remote(repository.name, "read"), "fetch", "--quiet", "origin", "main");
      await clone.git("merge-base", "--is-ancestor", head, "FETCH_HEAD");
    });

    test("keeps many branches apart", async () => {
      const { repository, clone } = await withBranch("one");
      await pushBranch(repository, clone, "two");
      const one = await open(repository, "one");
      const two = await open(repository, "two");
      expect(await host.findPullRequest(repository.name, "one")).toEqual(one);
      expect(await host.findPullRequest(repository.name, "two")).toEqual(two);
    });

    testWith("forks", "does not take a fork's branch of that name for its own", async () => {
      const { repository } = await withBranch();
      const foreign = await repository.openFromFork("work");
      expect(await host.findPullRequest(repository.name, "work")).toBeUndefined();
      const opened = await open(repository);
      expect(opened.number).not.toBe(foreign);
      expect(await host.findPullRequest(repository.name, "work")).toEqual(opened);
    });

    test("says which branch is missing", async () => {
      const { repository } = await withBranch();
      const create = (headBranch: string, baseBranch: string) =>
        host.createPullRequest(repository.name, { ...content, headBranch, baseBranch });
      await expect(create("work", "next")).rejects.toMatchObject({
        code: "base_branch_missing",
        message: expect.stringContaining("next"),
      });
      await expect(create("gone", "main")).rejects.toMatchObject({
        code: "not_found",
        message: expect.stringContaining("gone"),
      });
    });

    testWith("drafts", "opens a draft, whose title is as it was given", async () => {
      const { repository } = await withBranch();
      const creation = { ...content, headBranch: "work", baseBranch: "main", draft: true };
      const opened = await host.createPullRequest(repository.name, creation);
      expect(opened).toMatchObject({ title: content.title, state: "open" });
      expect(await repository.look(opened.number)).toMatchObject({ isDraft: true });
      const changed = await host.updatePullRequest(repository.name, opened.number, { title: "Greet", body: "b" });
      expect(changed.title).toBe("Greet");
      expect(await repository.look(opened.number)).toMatchObject({ isDraft: true });
    });

    testWith("labels", "sets labels, and makes those that are not there", async () => {
      const { repository } = await withBranch();
      const labels = ["docs", "from: Docent"];
      const creation = { ...content, headBranch: "work", baseBranch: "main", labels };
      const { number } = await host.createPullRequest(repository.name, creation);
      expect((await repository.look(number)).labels.toSorted()).toEqual(labels);
    });

    testWith("reviewers", "asks reviewers, and leaves out who cannot be asked", async () => {
      const { repository } = await withBranch();
      const ada = await repository.addPerson("write");
      const creation = { ...content, headBranch: "work", baseBranch: "main", reviewers: ["nobody-of-this-name", ada] };
      const { number } = await host.createPullRequest(repository.name, creation);
      expect((await repository.look(number)).reviewers).toEqual([ada]);
    });

    test("says something once", async () => {
      const { repository } = await withBranch();
      const { number } = await open(repository);
      const say = (marker: string) => host.comment(repository.name, number, { body: `About ${marker}.`, marker });
      await say("one");
      await say("one");
      await say("one-more");
      await say("one");
      const { comments } = await repository.look(number);
      expect(comments.map((comment) => comment.replaceAll(/<!--.*?-->/gs, "").trim())).toEqual([
        "About one.",
        "About one-more.",
      ]);
      await expect(host.comment(repository.name, number + 1000, { body: "b", marker: "m" })).rejects.toMatchObject({
        code: "not_found",
      });
    });

    testWith("accounts", "says it once below many comments, and whatever others quote", async () => {
      const { repository } = await withBranch();
      const { number } = await open(repository);
      const say = () => host.comment(repository.name, number, { body: "Merged?", marker: "question" });
      await say();
      const [own = ""] = (await repository.look(number)).comments;
      for (let index = 0; index < COMMENTS_OF_OTHERS; index += 1) await repository.say(number, `Comment ${index}`);
      await say();
      expect((await repository.look(number)).comments).toHaveLength(COMMENTS_OF_OTHERS + 1);
      // Somebody who copies Docent's comment, marker included, silences nothing.
      await repository.say(number, own.replaceAll("question", "copied"));
      await host.comment(repository.name, number, { body: "Copied?", marker: "copied" });
      expect((await repository.look(number)).comments).toHaveLength(COMMENTS_OF_OTHERS + 3);
    });

    testWith("accounts", "knows who may push", async () => {
      const repository = await harness.addRepository();
      const accesses = ["none", "read", "write", "admin"] as const;
      const logins = await Promise.all(accesses.map((access) => repository.addPerson(access)));
      const answers = await Promise.all(logins.map((login) => host.mayPush(repository.name, login)));
      expect(answers).toEqual([false, false, true, true]);
      expect(await host.mayPush(repository.name, "nobody-of-this-name")).toBe(false);
    });

    testWith("archiving", "says that a repository is archived", async () => {
      const { repository } = await withBranch();
      await repository.archive();
      expect(await host.getRepository(repository.name)).toMatchObject({ isArchived: true });
      await expect(open(repository)).rejects.toMatchObject({ code: "repository_archived" });
    });

    testWith("credentials", "says that a token is refused, and never which", async () => {
      const { repository, clone } = await withBranch();
      const { number } = await open(repository);
      const refused = await harness.connect("refused");
      const attempts = [
        refused.getRepository(repository.name),
        refused.findPullRequest(repository.name, "work"),
        refused.getPullRequest(repository.name, number),
        refused.createPullRequest(repository.name, { ...content, headBranch: "work", baseBranch: "main" }),
        refused.updatePullRequest(repository.name, number, content),
        refused.comment(repository.name, number, { body: "b", marker: "m" }),
        refused.mayPush(repository.name, "ada"),
      ];
      for (const attempt of await Promise.allSettled(attempts)) {
        expect(attempt).toMatchObject({ status: "rejected", reason: { code: "credential_refused" } });
      }
      const { url, authorization = "" } = await refused.remote(repository.name, "read");
      const password =
        Buffer.from(authorization.split(" ")[1] ?? "", "base64")
          .toString()
          .split(":")[1] ?? "";
      for (const attempt of await Promise.allSettled(attempts)) {
        const reason: unknown = attempt.status === "rejected" ? attempt.reason : undefined;
        expect(password.length).toBeGreaterThan(5);
        expect(String(reason)).not.toContain(password);
      }
      await expect(clone.at({ url, authorization }, "ls-remote", "origin")).rejects.toThrow(GitError);
    });

    testWith("credentials", "says that a token may not do it", async () => {
      const { repository, clone } = await withBranch();
      const readOnly = await harness.connect("read-only");
      const creation = { ...content, headBranch: "work", baseBranch: "main" };
      expect(await readOnly.findPullRequest(repository.name, "work")).toBeUndefined();
      await expect(readOnly.createPullRequest(repository.name, creation)).rejects.toMatchObject({
        code: "permission_missing",
      });
      await clone.commit("work", { "more.md": "# More\n" });
      const remote = await readOnly.remote(repository.name, "write");
      await expect(clone.at(remote, "push", "--quiet", "origin", "work")).rejects.toThrow(GitError);
      expect(await repository.countPullRequests()).toBe(0);
    });

    test("a branch that moved is not pushed over", async () => {
      const { repository, clone, head } = await withBranch();
      await clone.git("branch", "--force", "other", "main");
      await clone.commit("other", { "other.md": "# Other\n" });
      const remote = await host.remote(repository.name, "write");
      await expect(clone.at(remote, "push", "--quiet", "origin", "other:work")).rejects.toThrow(GitError);
      expect(await clone.at(remote, "ls-remote", "origin", "refs/heads/work")).toContain(head);
    });
  });
}
