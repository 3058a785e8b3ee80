import { randomBytes } from "node:crypto";
import type { CodeHostCredential } from "../../connection.ts";
import type { TestRepository } from "../../../git/testing/repository.ts";
import type { CodeHostHarness, HostedRepository } from "../../testing/harness.ts";
import { mergeBranch } from "../../builtin/merge.ts";
import { createGitHubHost } from "../github.ts";
import type { HostedPullRequest } from "./rules.ts";
import { ACCOUNT, PEOPLE, startGitHubServer, type GitHubServer } from "./server.ts";

const EVERYTHING = { contents: "write", pull_requests: "write" };
const READING = { contents: "read", pull_requests: "read" };

export interface GitHubTestRepository extends HostedRepository {
  /** The hosted repository itself, for what people do in it. */
  git: TestRepository;
}

export interface GitHubHarness extends CodeHostHarness {
  server: GitHubServer;
  /** One that may do everything Docent does. */
  token: string;
  addRepository(): Promise<GitHubTestRepository>;
}

/** The adapter for GitHub on a server of its own, connected with a token, or as what `credential` makes of it. */
export async function createGitHubHarness(
  options: { appKey?: string; appPermissions?: Record<string, string>; credential?: CodeHostCredential } = {},
): Promise<GitHubHarness> {
  const server = await startGitHubServer({
    appKey: options.appKey ?? "unused",
    appPermissions: { metadata: "read", ...(options.appPermissions ?? EVERYTHING) },
  });
  const { url } = server;
  let repositories = 0;
  let people = 0;

  const host = (credential: CodeHostCredential) =>
    createGitHubHost({ url, credential, fetch, clock: () => new Date() });
  function makeToken(permissions: Readonly<Record<string, string>>): string {
    const token = `github_pat_${randomBytes(16).toString("hex")}`;
    server.identities.set(token, { login: ACCOUNT, permissions });
    return token;
  }
  const token = makeToken(EVERYTHING);

  return {
    server,
    token,
    host: host(options.credential ?? { type: "token", token }),
    lacks: [],

    async addRepository() {
      const repository = await server.addRepository(`docs-${(repositories += 1)}`);
      const { name } = repository;
      const path = `/repos/${name}`;
      const gitDir = repository.git.directory;
      const get = (number: number) => server.as<HostedPullRequest>(ACCOUNT, "GET", `${path}/pulls/${number}`);
      return {
        name,
        git: repository.git,
        gitDir,
        async merge(number) {
          const { head, base } = await get(number);
          const author = { name: "Ada", email: "ada@example.com" };
          const branches = { headBranch: head.ref, baseBranch: base.ref, expectedHead: undefined };
          const merged = await mergeBranch(gitDir, { ...branches, message: "Merge", author, now: new Date() });
          if ("refused" in merged) throw new Error(merged.refused);
          await server.as(ACCOUNT, "PUT", `${path}/pulls/${number}/merge`, {});
        },
        close: (number) => server.as(ACCOUNT, "PATCH", `${path}/pulls/${number}`, { state: "closed" }),
        async archive() {
          repository.isArchived = true;
          await server.as(ACCOUNT, "PATCH", path, { archived: true });
        },
        async addPerson(access) {
          const login = PEOPLE[(people += 1)] ?? "";
          const permission = { none: undefined, read: "pull", write: "push", admin: "admin" }[access];
          if (permission !== undefined) {
            await server.as(ACCOUNT, "PUT", `${path}/collaborators/${login}`, { permission });
          }
          return login;
        },
        async say(number, body) {
          const login = PEOPLE[0] ?? "";
          await server.as(ACCOUNT, "PUT", `${path}/collaborators/${login}`, { permission: "push" });
          await server.as(login, "POST", `${path}/issues/${number}/comments`, { body });
        },
        async openFromFork(headBranch) {
          const login = PEOPLE.at(-1) ?? "";
          await server.as(ACCOUNT, "PUT", `${path}/collaborators/${login}`, { permission: "pull" });
          const fork = await server.as<{ full_name: string }>(login, "POST", `${path}/forks`, {});
          const permission = { permission: "push" };
          await server.as(login, "PUT", `/repos/${fork.full_name}/collaborators/${ACCOUNT}`, permission);
          const creation = { title: "From a fork", head: `${login}:${headBranch}`, base: "main" };
          return (await server.as<HostedPullRequest>(ACCOUNT, "POST", `${path}/pulls`, creation)).number;
        },
        async look(number) {
          const { draft, labels, requested_reviewers: users, requested_teams: teams } = await get(number);
          const comments: { body: string }[] = [];
          for (let page = 1; comments.length === (page - 1) * 100; page += 1) {
            const query = `per_page=100&page=${page}`;
            const some = await server.as<{ body: string }[]>(
              ACCOUNT,
              "GET",
              `${path}/issues/${number}/comments?${query}`,
            );
            comments.push(...some);
          }
          return {
            isDraft: draft,
            labels: labels.map((label) => label.name),
            reviewers: [...users.map(({ login }) => login), ...teams.map(({ slug }) => `team:${slug}`)],
            comments: comments.map(({ body }) => body),
          };
        },
        async countPullRequests() {
          return (await server.as<unknown[]>(ACCOUNT, "GET", `${path}/pulls?state=all&per_page=100`)).length;
        },
      };
    },

    connect: (kind) =>
      Promise.resolve(host({ type: "token", token: kind === "read-only" ? makeToken(READING) : "github_pat_0ld" })),

    verify() {
      const found = server.violations.splice(0);
      if (found.length > 0) throw new Error(`Requests that GitHub's description does not allow:\n${found.join("\n")}`);
    },
    close: server.close,
  };
}
