import { createProductHarness, type ProductHarness } from "../../testing/product-harness.ts";
import { createGiteaHost } from "../gitea.ts";
import { startGiteaServer, type GiteaServer } from "./server.ts";
import { createState, isDraft, type GiteaState, type StoredPullRequest, type StoredRepository } from "./state.ts";

export interface GiteaHarness extends ProductHarness<GiteaServer> {
  state: GiteaState;
  stored(repository: string): StoredRepository;
}

const OWNER = "handbook";
const SCOPES = {
  everything: ["write:repository", "write:issue", "read:user"],
  "reads-only": ["read:repository", "read:issue", "read:user"],
};

/** Gitea under a path of its own, with repositories of an organization, and an account that administers them. */
export async function createGiteaHarness(): Promise<GiteaHarness> {
  const state = createState();
  const docent = state.addAccount("docent-bot");
  const ada = state.addAccount("ada-everywhere");

  const harness = createProductHarness<GiteaServer, StoredPullRequest>({
    server: await startGiteaServer(state),
    createHost: createGiteaHost,
    tokenPrefix: "gitea",
    storeToken: (token, access) => void state.tokens.set(token, { account: docent, scopes: SCOPES[access] }),
    storeRepository(repository, count) {
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
      return {
        name: stored.name,
        find: (number) => stored.pullRequests.find((each) => each.number === number),
        count: () => stored.pullRequests.length,
        async merge(pullRequest, inGit) {
          await inGit(pullRequest.base, pullRequest.head);
          pullRequest.state = "closed";
          pullRequest.merged = true;
        },
        close(pullRequest) {
          pullRequest.state = "closed";
        },
        archive() {
          stored.isArchived = true;
        },
        addPerson(access) {
          const account = state.addAccount(`person-${state.nextId()}`);
          if (access !== "none") stored.permissions.set(account, access);
          return account.login;
        },
        say: ({ comments }, body) => void comments.push({ id: state.nextId(), author: ada, body }),
        openFromFork: (head) =>
          stored.pullRequests.push({
            number: stored.pullRequests.length + 1,
            title: "From a fork",
            body: "",
            state: "open",
            merged: false,
            head,
            base: "main",
            headRepository: state.nextId(),
            labels: [],
            reviewers: [],
            author: ada,
            comments: [],
          }),
        look: (pullRequest) => ({
          isDraft: isDraft(pullRequest),
          labels: pullRequest.labels.map(({ name }) => name),
          reviewers: pullRequest.reviewers.map(({ login }) => login),
          comments: pullRequest.comments.map(({ body }) => body),
        }),
      };
    },
  });

  return {
    ...harness,
    state,
    stored(repository) {
      const found = state.repositories.find(({ name }) => name === repository);
      if (found === undefined) throw new Error(`There is no repository ${repository}.`);
      return found;
    },
  };
}
