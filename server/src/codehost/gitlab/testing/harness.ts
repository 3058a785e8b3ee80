import type { TestRepository } from "../../../git/testing/repository.ts";
import type { CodeHost } from "../../codehost.ts";
import type { CodeHostHarness, HostedRepository } from "../../testing/harness.ts";
import { createHostedRepository, mergeAsPerson } from "../../testing/hosted.ts";
import { createGitLabHost } from "../gitlab.ts";
import { startGitLabServer, type GitLabServer } from "./server.ts";
import { createState, isDraft, LEVELS, type GitLabState, type Project, type StoredMergeRequest } from "./state.ts";

export interface GitLabTestRepository extends HostedRepository {
  /** The hosted repository itself, for what people do in it. */
  git: TestRepository;
}

export interface GitLabHarness extends CodeHostHarness {
  server: GitLabServer;
  state: GitLabState;
  /** The token of `host`. */
  token: string;
  addRepository(): Promise<GitLabTestRepository>;
  /** Another one like it. */
  addToken(): string;
  connectWith(token: string): CodeHost;
  projectOf(repository: string): Project;
}

const GROUP = "team/handbook";

/** GitLab under a path of its own, with projects in nested groups, and an account that is Developer in the group. */
export async function createGitLabHarness(): Promise<GitLabHarness> {
  const state = createState();
  const server = await startGitLabServer(state);
  const docent = state.addAccount("docent-bot");
  const ada = state.addAccount("ada-everywhere");
  const token = "glpat-everything-that-docent-does";
  state.tokens.set(token, { account: docent, scopes: ["api"], state: "active" });
  state.tokens.set("glpat-reads-only", { account: docent, scopes: ["read_api", "read_repository"], state: "active" });
  state.groupLevels.set(GROUP, new Map([[docent, LEVELS.write]]));
  let count = 0;

  function addToken(): string {
    const added = `glpat-another-${state.nextId()}`;
    state.tokens.set(added, { account: docent, scopes: ["api"], state: "active" });
    return added;
  }

  const connectWith: GitLabHarness["connectWith"] = (given) =>
    createGitLabHost({
      url: server.url,
      credential: { type: "token", token: given },
      fetch: globalThis.fetch,
      clock: () => new Date(),
    });

  function projectOf(repository: string): Project {
    const project = state.projects.find(({ path }) => path === repository);
    if (project === undefined) throw new Error(`There is no project ${repository}.`);
    return project;
  }

  async function addRepository(): Promise<GitLabTestRepository> {
    const repository = await createHostedRepository();
    count += 1;
    const project: Project = {
      id: state.nextId(),
      path: `${GROUP}/docs-${count}`,
      repository,
      isArchived: false,
      isPublic: false,
      levels: new Map([[ada, LEVELS.write]]),
      labels: new Set(),
      mergeRequests: [],
    };
    state.projects.push(project);
    const numbered = (number: number): StoredMergeRequest => {
      const found = project.mergeRequests.find(({ iid }) => iid === number);
      if (found === undefined) throw new Error(`There is no merge request !${number}.`);
      return found;
    };
    return {
      name: project.path,
      git: repository,
      gitDir: repository.directory,
      async merge(number) {
        const merged = numbered(number);
        merged.state = "locked";
        await mergeAsPerson(repository, merged.target_branch, merged.source_branch);
        merged.state = "merged";
      },
      async close(number) {
        numbered(number).state = "closed";
      },
      async archive() {
        project.isArchived = true;
      },
      async addPerson(access) {
        const account = state.addAccount(`person-${state.nextId()}`);
        if (access === "write") state.groupLevels.get(GROUP)?.set(account, LEVELS.write);
        else if (access !== "none") project.levels.set(account, LEVELS[access]);
        return account.username;
      },
      async say(number, body) {
        numbered(number).notes.push({ id: state.nextId(), author: ada, body, system: false });
      },
      async openFromFork(headBranch) {
        const forked: StoredMergeRequest = {
          iid: project.mergeRequests.length + 1,
          title: "From a fork",
          description: "",
          state: "opened",
          source_branch: headBranch,
          target_branch: "main",
          source_project_id: state.nextId(),
          labels: [],
          reviewers: [],
          author: ada,
          notes: [],
          merge_status: "unchecked",
        };
        project.mergeRequests.push(forked);
        return forked.iid;
      },
      async look(number) {
        const found = numbered(number);
        return {
          isDraft: isDraft(found),
          labels: found.labels.filter((label) => project.labels.has(label)),
          reviewers: found.reviewers.map(({ username }) => username),
          comments: found.notes.filter(({ system }) => !system).map(({ body }) => body),
        };
      },
      countPullRequests: async () => project.mergeRequests.length,
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
    projectOf,
    addRepository,
    connect: async (credential) => connectWith(credential === "refused" ? "glpat-nobody-knows" : "glpat-reads-only"),
    verify: () => server.verify(),
    async close() {
      await server.close();
      for (const { repository } of state.projects) await repository.remove();
    },
  };
}
