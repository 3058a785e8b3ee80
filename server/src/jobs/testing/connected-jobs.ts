import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { CodeHostHarness, HostedRepository } from "../../codehost/testing/harness.ts";
import type { ApiRequest } from "../../codehost/testing/product.ts";
import type { ProductHarness } from "../../codehost/testing/product-harness.ts";
import { holdTimeouts } from "../../codehost/testing/timeouts.ts";
import type { CodeHostName, ProjectSettings } from "../../database/schema.ts";
import type { TestRepository } from "../../git/testing/repository.ts";
import type { Job } from "../job.ts";
import { edit, finish, page, read, scriptByPrompt, write } from "./script.ts";
import { startScriptedService, type ConnectedProject, type ScriptedService } from "./scripted-service.ts";

type ConnectedRepository = HostedRepository & { git: TestRepository };

/** A product that jobs can be run against. */
interface ConnectedHarness extends CodeHostHarness {
  server: { url: string };
  /** The token of `host`. */
  token: string;
  addRepository(): Promise<ConnectedRepository>;
}

/** How opening a pull request goes wrong once it is open. */
interface LostAnswers<Harness> {
  /** Each by its name; `silent` ones end when their time does. */
  ways: readonly { name: string; silent?: boolean }[];
  /** Loses the next one; resolves when that has happened. */
  lose(harness: Harness, repository: string, way: string): Promise<void>;
  /** How many pull requests were asked for in the repository so far. */
  count(harness: Harness, repository: string): number;
}

interface JobsContext<Harness> {
  harness: () => Harness;
  scripted: () => ScriptedService;
  /** A repository that holds the documentation. */
  addDocs(): Promise<ConnectedRepository>;
  connect(repository: ConnectedRepository, settings?: ProjectSettings, credential?: object): Promise<ConnectedProject>;
}

interface Options<Harness extends ConnectedHarness> {
  codeHost: Exclude<CodeHostName, "builtin">;
  createHarness: () => Promise<Harness>;
  lostAnswers: LostAnswers<NoInfer<Harness>>;
  /** The path of a pull request's page below its repository's. */
  pagePath(number: number): string;
  /** Another token like the harness's own. */
  makeToken(harness: Harness): string;
  /** Makes the product refuse it from now on, as one that expired or was taken back. */
  endToken(harness: Harness, token: string): void;
  /** What the job then says of it. */
  endedReason: RegExp;
  /** After each test, before the product's requests are verified. */
  reset?(harness: Harness): void;
  /** What this code host alone can show. */
  more?(context: JobsContext<Harness>): void;
}

/** The answers that a product of our own making can lose. */
export function loseProductAnswers(isCreation: (request: ApiRequest) => boolean): LostAnswers<ProductHarness> {
  const ways = [{ name: "cut" }, { name: "hold", silent: true }] as const;
  return {
    ways,
    lose: ({ server }, _repository, way) =>
      new Promise((resolve) => {
        let isLost = false;
        server.failOn((request) => {
          if (isLost || !isCreation(request)) return undefined;
          isLost = true;
          return { when: "after", how: way === "hold" ? "hold" : "cut", onDone: resolve };
        });
      }),
    count: ({ server }, repository) =>
      server.requests.filter(
        (request) => isCreation(request) && decodeURIComponent(request.path).includes(`${repository}/`),
      ).length,
  };
}

const FILES = {
  "docs.json": JSON.stringify({ navigation: { pages: ["index", "install"] } }),
  "index.mdx": page("Start", "Welcome to the Hub."),
  "install.mdx": page("Install", "One.\n\nTwo.\n\nThree."),
};

/** The files that a pull request shows: since the branch left the base. */
export async function changedFiles({ git }: ConnectedRepository, branch: string | null): Promise<string[]> {
  return (await git.git("diff", "--name-only", `main...${branch ?? ""}`)).split("\n");
}

const numberOf = (job: Job): number => job.pullRequest?.number ?? 0;

/** Whole jobs through the service, on a code host outside of it: its API and its git over HTTP. */
export function describeConnectedJobs<Harness extends ConnectedHarness>(options: Options<Harness>): void {
  const { codeHost, lostAnswers } = options;

  describe(`jobs on ${codeHost}`, () => {
    let harness: Harness;
    let scripted: ScriptedService;

    beforeAll(async () => {
      harness = await options.createHarness();
      scripted = await startScriptedService({
        script: scriptByPrompt({
          "say relay": [[read("index.mdx")], [edit("index.mdx", "the Hub", "Relay"), finish("Say Relay")]],
          "number the steps": [[read("install.mdx")], [edit("install.mdx", "Two.", "2."), finish("Number the steps")]],
          "write a page": [[write("faq.mdx", page("FAQ", "Why?")), finish("Write an FAQ")]],
        }),
      });
    });
    afterEach(() => {
      options.reset?.(harness);
      harness.verify();
    });
    afterAll(async () => {
      await scripted.close();
      await harness.close();
    });

    async function addDocs(): Promise<ConnectedRepository> {
      const repository = await harness.addRepository();
      await repository.git.commit("main", FILES);
      return repository;
    }

    const connect: JobsContext<Harness>["connect"] = (
      repository,
      settings = {},
      credential = { token: harness.token },
    ) =>
      scripted.connectProject({
        repository: repository.name,
        codeHost,
        codeHostUrl: harness.server.url,
        credential,
        settings,
      });

    test("an instruction becomes a pushed branch and a pull request", async () => {
      const repository = await addDocs();
      const reviewer = await repository.addPerson("write");
      const pullRequests = { labels: ["docs", "docent"], reviewers: [reviewer] };
      const project = await connect(repository, { pullRequests });
      const job = await project.createJob("say relay", { draft: true });
      const done = await job.rest();
      const url = `${harness.server.url}/${repository.name}`;
      expect(done).toMatchObject({
        status: "completed",
        failureReason: null,
        prLink: `${url}${options.pagePath(1)}`,
        pullRequest: { number: 1, state: "open" },
        source: { repository: url, ref: "main" },
      });
      expect(await repository.git.git("show", `${done.branch ?? ""}:index.mdx`)).toContain("Welcome to Relay.");
      expect(await changedFiles(repository, done.branch)).toEqual(["index.mdx"]);
      expect(await repository.git.git("rev-list", "--count", `main..${done.branch ?? ""}`)).toBe("1");
      const opened = await harness.host.getPullRequest(repository.name, 1);
      expect(opened).toMatchObject({ title: "Say Relay", headBranch: done.branch, baseBranch: "main", state: "open" });
      expect(opened?.body).toContain("say relay");
      expect(await repository.look(1)).toMatchObject({
        isDraft: true,
        labels: ["docs", "docent"],
        reviewers: [reviewer],
      });

      const events = await job.eventsUntil(({ type }) => type === "status");
      const seen = JSON.stringify([events, done, scripted.model.requests, await project.createJob("write a page")]);
      expect(seen + scripted.log()).not.toContain(harness.token);
    });

    test("a follow-up goes on with the branch, on top of what a person pushed, while the base moves on", async () => {
      const repository = await addDocs();
      const project = await connect(repository);
      const job = await project.createJob("say relay", { draft: true });
      const first = await job.rest();
      const branch = first.branch ?? "";
      const theirs = await repository.git.commit(branch, { "index.mdx": page("Start", "Welcome to Relay, says Ada.") });
      await repository.git.commit("main", { "other.mdx": page("Other", "Meanwhile.") });

      await job.message("number the steps");
      const second = await job.rest();
      expect(second).toMatchObject({ status: "completed", branch, prLink: first.prLink });
      expect(await repository.git.git("show", `${branch}:index.mdx`)).toContain("says Ada");
      expect(await repository.git.git("rev-list", "--parents", "-1", branch)).toContain(` ${theirs}`);
      expect(await changedFiles(repository, branch)).toEqual(["index.mdx", "install.mdx"]);
      expect(await repository.countPullRequests()).toBe(1);
      const found = await harness.host.getPullRequest(repository.name, numberOf(first));
      expect(found?.title).toBe("Say Relay");
      expect(found?.body).toContain("Number the steps");
      expect(await repository.look(numberOf(first))).toMatchObject({ isDraft: true });
    });

    test.each(["merge", "close"] as const)("after its pull request's %s, a follow-up starts afresh", async (how) => {
      const repository = await addDocs();
      const project = await connect(repository);
      const job = await project.createJob("say relay");
      const first = await job.rest();
      await repository[how](numberOf(first));

      await job.message("number the steps");
      const second = await job.rest();
      expect(second).toMatchObject({ status: "completed", pullRequest: { state: "open", number: 2 } });
      expect(second.branch).not.toBe(first.branch);
      expect(await changedFiles(repository, second.branch)).toEqual(["install.mdx"]);
      const index = await repository.git.git("show", `${second.branch ?? ""}:index.mdx`);
      expect(index).toContain(how === "merge" ? "Relay" : "the Hub");
    });

    test.each(lostAnswers.ways)(
      "a pull request that was opened with its answer lost ($name) stays the only one",
      async ({ name, silent }) => {
        const timeouts = holdTimeouts();
        const repository = await addDocs();
        const project = await connect(repository, { pullRequests: { labels: ["docs"] } });
        const lost = lostAnswers.lose(harness, repository.name, name);
        const job = await project.createJob("say relay");
        await lost;
        expect(await repository.countPullRequests()).toBe(1);
        if (silent === true) timeouts.pass();
        timeouts.release();
        const done = await job.rest();
        expect(done).toMatchObject({ status: "completed", pullRequest: { number: 1, state: "open" } });
        expect(await repository.countPullRequests()).toBe(1);
        expect(lostAnswers.count(harness, repository.name)).toBe(1);
      },
    );

    test("a repository that was archived meanwhile fails the job with a reason to act on", async () => {
      const repository = await addDocs();
      const project = await connect(repository);
      const job = await project.createJob("say relay");
      const first = await job.rest();
      await repository.archive();
      await job.message("number the steps");
      const second = await job.rest();
      expect(second).toMatchObject({ status: "failed", pullRequest: { number: numberOf(first) } });
      expect(second.failureReason).toContain("archived");
    });

    test("a token that is not taken any more fails the job with a reason to act on", async () => {
      const token = options.makeToken(harness);
      const project = await connect(await addDocs(), {}, { token });
      const job = await project.createJob("say relay");
      await job.rest();
      options.endToken(harness, token);
      await job.message("number the steps");
      const second = await job.rest();
      expect(second).toMatchObject({ status: "failed", pullRequest: { state: "open" } });
      expect(second.failureReason).toMatch(/credential|token/);
      expect(second.failureReason).toMatch(options.endedReason);
      expect(`${second.failureReason ?? ""}${scripted.log()}`).not.toContain(token);
    });

    options.more?.({ harness: () => harness, scripted: () => scripted, addDocs, connect });
  });
}
