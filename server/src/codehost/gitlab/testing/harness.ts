import { createProductHarness, type ProductHarness } from "../../testing/product-harness.ts";
import { createGitLabHost } from "../gitlab.ts";
import { startGitLabServer, type GitLabServer } from "./server.ts";
import { createState, isDraft, LEVELS, type GitLabState, type Project, type StoredMergeRequest } from "./state.ts";

export interface GitLabHarness extends ProductHarness<GitLabServer> {
  state: GitLabState;
  projectOf(repository: string): Project;
}

const GROUP = "team/handbook";
const SCOPES = { everything: ["api"], "reads-only": ["read_api", "read_repository"] };

/** GitLab under a path of its own, with projects in nested groups, and an account that is Developer in the group. */
export async function createGitLabHarness(): Promise<GitLabHarness> {
  const state = createState();
  const docent = state.addAccount("docent-bot");
  const ada = state.addAccount("ada-everywhere");
  state.groupLevels.set(GROUP, new Map([[docent, LEVELS.write]]));

  const harness = createProductHarness<GitLabServer, StoredMergeRequest>({
    server: await startGitLabServer(state),
    createHost: createGitLabHost,
    tokenPrefix: "glpat",
    storeToken: (token, access) =>
      void state.tokens.set(token, { account: docent, scopes: SCOPES[access], state: "active" }),
    storeRepository(repository, count) {
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
      return {
        name: project.path,
        find: (number) => project.mergeRequests.find(({ iid }) => iid === number),
        count: () => project.mergeRequests.length,
        async merge(mergeRequest, inGit) {
          mergeRequest.state = "locked";
          await inGit(mergeRequest.target_branch, mergeRequest.source_branch);
          mergeRequest.state = "merged";
        },
        close(mergeRequest) {
          mergeRequest.state = "closed";
        },
        archive() {
          project.isArchived = true;
        },
        addPerson(access) {
          const account = state.addAccount(`person-${state.nextId()}`);
          if (access === "write") state.groupLevels.get(GROUP)?.set(account, LEVELS.write);
          else if (access !== "none") project.levels.set(account, LEVELS[access]);
          return account.username;
        },
        say: ({ notes }, body) => void notes.push({ id: state.nextId(), author: ada, body, system: false }),
        openFromFork: (branch) =>
          project.mergeRequests.push({
            iid: project.mergeRequests.length + 1,
            title: "From a fork",
            description: "",
            state: "opened",
            source_branch: branch,
            target_branch: "main",
            source_project_id: state.nextId(),
            labels: [],
            reviewers: [],
            author: ada,
            notes: [],
            merge_status: "unchecked",
          }),
        look: (mergeRequest) => ({
          isDraft: isDraft(mergeRequest),
          labels: mergeRequest.labels.filter((label) => project.labels.has(label)),
          reviewers: mergeRequest.reviewers.map(({ username }) => username),
          comments: mergeRequest.notes.filter(({ system }) => !system).map(({ body }) => body),
        }),
      };
    },
  });

  return {
    ...harness,
    state,
    projectOf(repository) {
      const project = state.projects.find(({ path }) => path === repository);
      if (project === undefined) throw new Error(`There is no project ${repository}.`);
      return project;
    },
  };
}
