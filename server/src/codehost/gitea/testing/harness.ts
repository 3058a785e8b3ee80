import type { TestRepository } from "../../../git/testing/repository.ts";
import type { CodeHost } from "../../codehost.ts";
import type { CodeHostHarness, HostedRepository } from "../../testing/harness.ts";
import { createHostedRepository, mergeAsPerson } from "../../testing/hosted.ts";
import { createGiteaHost } from "../gitea.ts";
import { startGiteaServer, type GiteaServer } from "./server.ts";
import { createState, isDraft, type GiteaState, type StoredPullRequest, type StoredRepository } from "./state.ts";

export interface GiteaTestRepository extends HostedRepository {
  /** The hosted repository itself, for what people do in it. */
  git: TestRepository;
}

export interface GiteaHarness extends CodeHostHarness {
  server: GiteaServer;
  state: GiteaState;
  /** The token of `host`. */
  token: string;
  addRepository(): Promise<GiteaTestRepository>;
  /** Another one like it. */
  addToken(): string;
  connectWith(token: string): CodeHost;
  stored(repository: string): StoredRepository;
}

const OWNER = "handbook";

/** Gitea under a path of its own, with repositories of an organization, and an account that administers them. */
export async function createGiteaHarness(): Promise<GiteaHarness> {
  const state = createState();
  const server = await startGiteaServer(state);
  const docent = state.addAccount("docent-bot");
  const ada = state.addAccount("ada-everywhere");
  const token = "gitea-everything-that-docent-does";
  const scopes = ["write:repository", "write:issue", "read:user"];
  state.tokens.set(token, { account: docent, scopes });
  state.tokens.set("gitea-reads-only", { account: docent, scopes: ["read:repository", "read:issue", "read:user"] });
  let count = 0;

  function addToken(): string {
    const added = `gitea-another-${state.nextId()}`;
    state.tokens.set(added, { account: docent, scopes });
    return added;
  }

  const connectWith: GiteaHarness["connectWith"] = (given) =>
    createGiteaHost({
      url: server.url,
      credential: { type: "token", token: given },
      fetch: globalThis.fetch,
      clock: () => new Date(),
    });

  function storedAs(repository: string): StoredRepository {
    const found = state.repositories.find(({ name }) => name === repository);
    if (found === undefined) throw new Error(`There is no repository ${repository}.`);
    return found;
  }

  async function addRepository(): Promise<GiteaTestRepository> {
    const repository = await createHostedRepository();
    count += 1;
    const stored: StoredRepository = {
      id: state.nextId(),
      name: `${OWNER}/docs-${count}`,
      repository,
      isArchived: false,
      permissions: new Map([
        [docent, "admin"],
        [ada, "write"],
      ]),
      labels: [],
      pullRequests: [],
    };
    state.repositories.push(stored);
    const numbered = (number: number): StoredPullRequest => {
      const found = stored.pullRequests.find((each) => each.number === number);
      if (found === undefined) throw new Error(`There is no pull request #${number}.`);
      return found;
    };
    return {
      name: stored.name,
      git: repository,
      gitDir: repository.directory,
      async merge(number) {
        const merged = numbered(number);
        await mergeAsPerson(repository, merged.base, merged.head);
        merged.state = "closed";
        merged.merged = true;
      },
      async close(number) {
        numbered(number).state = "closed";
      },
      async archive() {
        stored.isArchived = true;
      },
      async addPerson(access) {
        const account = state.addAccount(`person-${state.nextId()}`);
        if (access !== "none") stored.permissions.set(account, access);
        return account.login;
      },
      async say(number, body) {
        numbered(number).comments.push({ id: state.nextId(), author: ada, body });
      },
      async openFromFork(headBranch) {
        const forked: StoredPullRequest = {
          number: stored.pullRequests.length + 1,
          title: "From a fork",
          body: "",
          state: "open",
          merged: false,
          head: headBranch,
          base: "main",
          headRepository: state.nextId(),
          labels: [],
          reviewers: [],
          author: ada,
          comments: [],
        };
        stored.pullRequests.push(forked);
        return forked.number;
      },
      async look(number) {
        const found = numbered(number);
        return {
          isDraft: isDraft(found),
          labels: found.labels.map(({ name }) => name),
          reviewers: found.reviewers.map(({ login }) => login),
          comments: found.comments.map(({ body }) => body),
        };
      },
      countPullRequests: async () => stored.pullRequests.length,
    };
  }

  return {
    host: connectWith(token),
    lacks: [],
    server,
    state,
    token,
    addToken,
    connectWith,
    stored: storedAs,
    addRepository,
    connect: async (credential) => connectWith(credential === "refused" ? "gitea-nobody-knows" : "gitea-reads-only"),
    verify: () => server.verify(),
    async close() {
      await server.close();
      for (const { repository } of state.repositories) await repository.remove();
    },
  };
}
