import { CodeHostError, type CodeHost, type PullRequest, type PullRequestCreation } from "../codehost.ts";
import type { CodeHostConnection } from "../connection.ts";
import { shortenBody } from "../shorten.ts";
import { createGiteaApi, type GiteaPullRequest, type GiteaRepository } from "./api.ts";
import { findLabelIds } from "./labels.ts";
import { toPullRequest, toTitle } from "./pull-request.ts";
import { describeRefusal, GiteaRefusal } from "./refusal.ts";

/**
 * Gitea keeps what it is sent. What limits it is the proxy before it: nginx takes 1 MB unless told otherwise, and a
 * character takes up to three bytes, or six when JSON escapes it.
 */
const BODY_CHARACTERS_MAX = 262_144;

/**
 * Gitea or Forgejo, also under a path of its own. `repository` is `owner/name`. Works with an access token of the
 * scopes `write:repository`, `write:issue` and `read:user`.
 */
export function createGiteaHost(connection: CodeHostConnection): CodeHost {
  const { url, credential } = connection;
  if (credential.type !== "token") {
    throw new CodeHostError("credential_refused", "Gitea and Forgejo take an access token. Give the project one.");
  }
  const { token } = credential;
  // Whether it is Gitea or Forgejo, its address does not tell.
  const product = `The code host at ${url}`;
  const api = createGiteaApi(connection, token, product);
  let ownLogin: Promise<string> | undefined;

  /** Runs an operation; what Gitea refuses becomes a sentence for the project's owner. */
  async function on<Result>(repository: string, run: (path: string) => Promise<Result>): Promise<Result> {
    try {
      return await run(pathOf(repository));
    } catch (error) {
      throw error instanceof GiteaRefusal ? describeRefusal(error, { product, repository }) : error;
    }
  }

  const show = (path: string): Promise<GiteaRepository> => api.ask("GET", path);

  /** Gitea says of a missing pull request what it says of a missing repository. */
  async function orMissing<Found>(path: string, asked: Promise<Found>): Promise<Found | undefined> {
    try {
      return await asked;
    } catch (error) {
      if (!(error instanceof GiteaRefusal) || error.status !== 404) throw error;
      await show(path);
      return undefined;
    }
  }

  async function hasBranch(path: string, branch: string): Promise<boolean> {
    const name = branch.split("/").map(encodeURIComponent).join("/");
    return (await orMissing(path, api.ask("GET", `${path}/branches/${name}`))) !== undefined;
  }

  async function findOwnLogin(): Promise<string> {
    ownLogin ??= api.ask<{ login: string }>("GET", "/user").then(({ login }) => login);
    try {
      return await ownLogin;
    } catch (error) {
      ownLogin = undefined;
      throw error;
    }
  }

  /** The API filters by base branch and author, not by head branch: pages are looked through, newest first. */
  async function findFrom(path: string, headBranch: string): Promise<PullRequest | undefined> {
    for await (const page of api.pages<GiteaPullRequest>(`${path}/pulls`, { state: "all" })) {
      const found = page
        .filter(({ head, base }) => head.label === headBranch && head.repo_id === base.repo_id)
        .toSorted((a, b) => b.number - a.number)[0];
      if (found !== undefined) return toPullRequest(found);
    }
    return undefined;
  }

  async function refusedCreation(
    error: unknown,
    { repository, path, creation }: { repository: string; path: string; creation: PullRequestCreation },
  ): Promise<unknown> {
    if (!(error instanceof GiteaRefusal)) return error;
    const { headBranch, baseBranch } = creation;
    if (error.status === 409) return exists(repository, headBranch);
    // 404 for whatever is missing: the repository, or one of the branches.
    if (error.status !== 404) return error;
    if (!(await hasBranch(path, baseBranch))) {
      return new CodeHostError(
        "base_branch_missing",
        `${repository} has no branch ${baseBranch} any more to open a pull request against. Restore it, or create a job on a branch that exists.`,
      );
    }
    return (await hasBranch(path, headBranch))
      ? error
      : new CodeHostError("not_found", `${repository} has no branch ${headBranch}.`);
  }

  /** One by one: one who may not read the repository would refuse them all. */
  async function askReviewers(path: string, number: number, reviewers: readonly string[]): Promise<void> {
    const asked = reviewers.map((login) =>
      api.ask("POST", `${path}/pulls/${number}/requested_reviewers`, { reviewers: [login] }),
    );
    await Promise.allSettled(asked);
  }

  return {
    repositoryUrl: (repository) => `${url}/${repository}`,
    async remote(repository) {
      // docs.gitea.com "API usage": the token is the password, whoever the user is.
      const basic = Buffer.from(`docent:${token}`).toString("base64");
      return { url: `${url}/${repository}.git`, authorization: `Basic ${basic}` };
    },
    getRepository: (repository) =>
      on(repository, async (path) => {
        const { html_url, default_branch, archived, permissions } = await show(path);
        return {
          url: html_url,
          defaultBranch: default_branch,
          isArchived: archived,
          mayPush: permissions?.push ?? null,
        };
      }),
    getPullRequest: (repository, number) =>
      on(repository, async (path) => {
        const found = await orMissing(path, api.ask<GiteaPullRequest>("GET", `${path}/pulls/${number}`));
        return found && toPullRequest(found);
      }),
    findPullRequest: (repository, headBranch) => on(repository, (path) => findFrom(path, headBranch)),
    createPullRequest: (repository, creation) =>
      on(repository, async (path) => {
        const { headBranch, baseBranch, title, body, draft = false, labels = [], reviewers = [] } = creation;
        const labelIds = await findLabelIds(api, { path, owner: repository.split("/")[0] ?? "" }, labels);
        let created: GiteaPullRequest;
        try {
          created = await api.ask("POST", `${path}/pulls`, {
            head: headBranch,
            base: baseBranch,
            title: toTitle(title, draft),
            body: shortenBody(body, BODY_CHARACTERS_MAX),
            ...(labelIds.length === 0 ? {} : { labels: labelIds }),
          });
        } catch (error) {
          throw await refusedCreation(error, { repository, path, creation });
        }
        await askReviewers(path, created.number, reviewers);
        return toPullRequest(created);
      }),
    updatePullRequest: (repository, number, { title, body }) =>
      on(repository, async (path) => {
        const current = await orMissing(path, api.ask<GiteaPullRequest>("GET", `${path}/pulls/${number}`));
        if (current === undefined) throw missing(repository, number);
        // Whether it is a draft is its people's by now, and a part of the title.
        const updated = await api.ask<GiteaPullRequest>("PATCH", `${path}/pulls/${number}`, {
          title: toTitle(title, current.draft),
          body: shortenBody(body, BODY_CHARACTERS_MAX),
        });
        return toPullRequest(updated);
      }),
    comment: (repository, number, { body, marker }) =>
      on(repository, async (path) => {
        const sign = `<!-- docent:${marker} -->`;
        const comments = `${path}/issues/${number}/comments`;
        // Not in pages: the answer has them all.
        const said = await orMissing(
          path,
          api.ask<{ user: { login: string } | null; body: string }[]>("GET", comments),
        );
        if (said === undefined) throw missing(repository, number);
        const own = await findOwnLogin();
        if (said.some((comment) => comment.user?.login === own && comment.body.includes(sign))) return;
        await api.ask("POST", comments, { body: `${shortenBody(body, BODY_CHARACTERS_MAX)}\n\n${sign}` });
      }),
    mayPush: (repository, login) =>
      on(repository, async (path) => {
        const asked = api.ask<{ permission: string }>(
          "GET",
          `${path}/collaborators/${encodeURIComponent(login)}/permission`,
        );
        try {
          const found = await orMissing(path, asked);
          return found !== undefined && ["write", "admin", "owner"].includes(found.permission);
        } catch (error) {
          if (!(error instanceof GiteaRefusal) || error.status !== 403 || /scope/i.test(error.text)) throw error;
          const { owner } = await show(path);
          if (owner.login.toLowerCase() === login.toLowerCase()) return true;
          throw new CodeHostError(
            "permission_missing",
            `${product} tells only administrators of ${repository} who may write to it. Make the token's account one, so that Docent can heed comments.`,
          );
        }
      }),
  };
}

function pathOf(repository: string): string {
  const [owner, name, more] = repository.split("/");
  if (owner === undefined || name === undefined || more !== undefined) {
    throw new CodeHostError("not_found", `${JSON.stringify(repository)} names no repository; it must be owner/name.`);
  }
  return `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(name)}`;
}

function exists(repository: string, headBranch: string): CodeHostError {
  return new CodeHostError(
    "pull_request_exists",
    `There is an open pull request from ${headBranch} in ${repository} already.`,
  );
}

function missing(repository: string, number: number): CodeHostError {
  return new CodeHostError("not_found", `${repository} has no pull request #${number}.`);
}
