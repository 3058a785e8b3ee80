import type { TestRepository } from "../../git/testing/repository.ts";
import type { CodeHost } from "../codehost.ts";
import type { CodeHostConnection } from "../connection.ts";
import type { CodeHostHarness, HostedRepository, PullRequestLook } from "./harness.ts";
import { createHostedRepository, mergeAsPerson } from "./hosted.ts";
import type { Product } from "./product.ts";

export interface ProductRepository extends HostedRepository {
  /** The hosted repository itself, for what people do in it. */
  git: TestRepository;
}

/** A product of our own making, whose state a test can look into and change. */
export interface ProductHarness<Server extends Product = Product> extends CodeHostHarness {
  server: Server;
  /** The token of `host`. */
  token: string;
  addRepository(): Promise<ProductRepository>;
  /** Another one like it. */
  addToken(): string;
  connectWith(token: string): CodeHost;
}

/** How a product keeps one repository. */
interface StoredParts<PullRequest> {
  name: string;
  /** Undefined when there is none with this number. */
  find(number: number): PullRequest | undefined;
  count(): number;
  /** `inGit` merges the branch named second into the one named first. */
  merge(pullRequest: PullRequest, inGit: (base: string, head: string) => Promise<void>): Promise<void>;
  close(pullRequest: PullRequest): void;
  archive(): void;
  /** Gives the login name. */
  addPerson(access: "none" | "read" | "write" | "admin"): string;
  say(pullRequest: PullRequest, body: string): void;
  /** Gives the number. */
  openFromFork(headBranch: string): number;
  look(pullRequest: PullRequest): PullRequestLook;
}

interface ProductParts<Server extends Product, PullRequest> {
  server: Server & { verify(): void };
  createHost(connection: CodeHostConnection): CodeHost;
  /** Tokens begin with it. */
  tokenPrefix: string;
  /** Makes the product accept the token of Docent's account. */
  storeToken(token: string, access: "everything" | "reads-only"): void;
  /** Makes the product keep a repository, the `count`th. */
  storeRepository(repository: TestRepository, count: number): StoredParts<PullRequest>;
}

/** The adapter for a product on a server of its own, with repositories of real git. */
export function createProductHarness<Server extends Product, PullRequest>(
  parts: ProductParts<Server, PullRequest>,
): ProductHarness<Server> {
  const { server, tokenPrefix, storeToken } = parts;
  const repositories: TestRepository[] = [];
  let tokens = 0;
  const token = `${tokenPrefix}-everything-that-docent-does`;
  storeToken(token, "everything");
  storeToken(`${tokenPrefix}-reads-only`, "reads-only");

  const connectWith = (given: string): CodeHost =>
    parts.createHost({
      url: server.url,
      credential: { type: "token", token: given },
      fetch: globalThis.fetch,
      clock: () => new Date(),
    });

  return {
    host: connectWith(token),
    lacks: [],
    server,
    token,
    connectWith,
    addToken() {
      const added = `${tokenPrefix}-another-${(tokens += 1)}`;
      storeToken(added, "everything");
      return added;
    },
    async addRepository() {
      const repository = await createHostedRepository();
      repositories.push(repository);
      const stored = parts.storeRepository(repository, repositories.length);
      const numbered = (number: number): PullRequest => {
        const found = stored.find(number);
        if (found === undefined) throw new Error(`${stored.name} has no pull request ${number}.`);
        return found;
      };
      return {
        name: stored.name,
        git: repository,
        gitDir: repository.directory,
        merge: (number) => stored.merge(numbered(number), (base, head) => mergeAsPerson(repository, base, head)),
        close: async (number) => stored.close(numbered(number)),
        archive: async () => stored.archive(),
        addPerson: async (access) => stored.addPerson(access),
        say: async (number, body) => stored.say(numbered(number), body),
        openFromFork: async (headBranch) => stored.openFromFork(headBranch),
        look: async (number) => stored.look(numbered(number)),
        countPullRequests: async () => stored.count(),
      };
    },
    connect: async (credential) =>
      connectWith(`${tokenPrefix}-${credential === "refused" ? "nobody-knows" : "reads-only"}`),
    verify: () => server.verify(),
    async close() {
      await server.close();
      for (const repository of repositories) await repository.remove();
    },
  };
}
