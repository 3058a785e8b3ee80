import type { CodeHost } from "../codehost.ts";
import type { CodeHostConnection } from "../connection.ts";
import { createAccess } from "./access.ts";
import { requestReviews, setLabels } from "./dressing.ts";
import { statusOf } from "./failure.ts";
import { parseRepositoryName } from "./names.ts";
import { comesFrom, describeRefusedCreation, fit, fitBody, refusesDrafts, toPullRequest } from "./pull-request.ts";

/**
 * GitHub.com or a GitHub Enterprise Server, with a token or as a GitHub App. `repository` is `owner/name`. Routes and
 * their permissions: docs.github.com/rest.
 */
export function createGitHubHost(connection: CodeHostConnection): CodeHost {
  const access = createAccess(connection);

  return {
    repositoryUrl: (repository) => `${connection.url}/${repository}`,

    async remote(repository, kind) {
      parseRepositoryName(repository);
      const token = await access.token(repository, kind === "read" ? "git read" : "git write");
      return {
        url: `${connection.url}/${repository}.git`,
        authorization: `Basic ${Buffer.from(`x-access-token:${token}`).toString("base64")}`,
      };
    },

    getRepository: (repository) =>
      access.run(repository, "api read", async (octokit, name) => {
        const { data } = await octokit.rest.repos.get({ ...name });
        return {
          url: data.html_url,
          defaultBranch: data.default_branch,
          isArchived: data.archived,
          mayPush: await access.mayPush(repository, data.permissions?.push),
        };
      }),

    getPullRequest: (repository, number) =>
      access.run(repository, "api read", async (octokit, name) => {
        try {
          return toPullRequest((await octokit.rest.pulls.get({ ...name, pull_number: number })).data);
        } catch (error) {
          if (statusOf(error) !== 404) throw error;
          // The repository may be what is missing, which is another matter.
          await octokit.rest.repos.get({ ...name });
          return undefined;
        }
      }),

    findPullRequest: (repository, headBranch) =>
      access.run(repository, "api read", async (octokit, name) => {
        const { data } = await octokit.rest.pulls.list({
          ...name,
          head: `${name.owner}:${headBranch}`,
          state: "all",
          sort: "created",
          direction: "desc",
          per_page: 100,
        });
        const own = data.filter((each) => comesFrom(each, headBranch));
        const newest = own.toSorted((a, b) => b.number - a.number)[0];
        return newest && toPullRequest(newest);
      }),

    createPullRequest: (repository, creation) =>
      access.run(repository, "api write", async (octokit, name) => {
        const { headBranch: head, baseBranch: base } = creation;
        const create = (draft: boolean) =>
          octokit.rest.pulls.create({ ...name, ...fit(creation), head, base, ...(draft ? { draft } : {}) });
        const { data } = await create(creation.draft === true)
          .catch((error: unknown) => {
            if (creation.draft !== true || !refusesDrafts(error)) throw error;
            return create(false);
          })
          .catch((error: unknown) => {
            throw describeRefusedCreation(error, creation) ?? error;
          });
        await setLabels(octokit, name, data.number, creation.labels ?? []);
        await requestReviews(octokit, name, data.number, creation.reviewers ?? []);
        return toPullRequest(data);
      }),

    updatePullRequest: (repository, number, content) =>
      access.run(repository, "api write", async (octokit, name) => {
        const { data } = await octokit.rest.pulls.update({ ...name, pull_number: number, ...fit(content) });
        return toPullRequest(data);
      }),

    comment: (repository, number, { body, marker }) =>
      access.run(repository, "api write", async (octokit, name) => {
        const mark = `<!-- docent:${encodeURIComponent(marker)} -->`;
        const isOwn = await access.ownComments(octokit);
        const pages = octokit.paginate.iterator(octokit.rest.issues.listComments, {
          ...name,
          issue_number: number,
          per_page: 100,
        });
        for await (const { data } of pages) {
          if (data.some((comment) => isOwn(comment) && comment.body?.includes(mark) === true)) return;
        }
        // In front, where nothing is cut off.
        await octokit.rest.issues.createComment({ ...name, issue_number: number, body: fitBody(`${mark}\n${body}`) });
      }),

    mayPush: (repository, login) =>
      access.run(repository, "api read", async (octokit, name) => {
        try {
          const { data } = await octokit.rest.repos.getCollaboratorPermissionLevel({ ...name, username: login });
          // "maintain" and roles of an organization's own that can push are answered as "write".
          return data.permission === "admin" || data.permission === "write";
        } catch (error) {
          if (statusOf(error) === 404) return false;
          throw error;
        }
      }),
  };
}
