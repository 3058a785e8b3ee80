import {
  AccessLevel,
  Branches,
  MergeRequestNotes,
  MergeRequests,
  ProjectMembers,
  Projects,
  Users,
} from "@gitbeaker/rest";
import { CodeHostError, type CodeHost, type PullRequestCreation, type Repository } from "../codehost.ts";
import type { CodeHostConnection } from "../connection.ts";
import { shortenBody } from "../shorten.ts";
import { DESCRIPTION_CHARACTERS_MAX, toPullRequest, toTitle, type MergeRequest } from "./merge-request.ts";
import { describeRefusal, GitLabRefusal } from "./refusal.ts";
import { createRequester } from "./requester.ts";

/** The least role that pushes. */
const DEVELOPER: number = AccessLevel.DEVELOPER;
/** docs.gitlab.com "Comments": the length of a note. */
const NOTE_CHARACTERS_MAX = 1_000_000;
const PAGE_SIZE = 100;
/** GitLab lists branches from a cache that follows a push after moments. */
const BRANCH_RETRY_MS = 2_000;

/**
 * GitLab, gitlab.com or self-managed, also under a path of its own. `repository` is the project's path with its
 * groups: `group/sub/name`. Works with a personal, group or project access token of the scope `api`.
 */
export function createGitLabHost(connection: CodeHostConnection): CodeHost {
  const { url, credential } = connection;
  if (credential.type !== "token") {
    throw new CodeHostError("credential_refused", "GitLab takes an access token. Give the project one.");
  }
  const { token } = credential;
  const product = url === "https://gitlab.com" ? "GitLab" : `GitLab at ${url}`;
  const options = {
    host: url,
    // As OAuth tokens go: what follows a redirect drops `Authorization`, and keeps `PRIVATE-TOKEN`.
    oauthToken: token,
    queryTimeout: null,
    requesterFn: createRequester(connection, product),
  };
  const projects = new Projects(options);
  const branches = new Branches(options);
  const mergeRequests = new MergeRequests(options);
  const notes = new MergeRequestNotes(options);
  const members = new ProjectMembers(options);
  const users = new Users(options);
  let ownId: Promise<number> | undefined;

  /** Runs an operation; what GitLab refuses becomes a sentence for the project's owner. */
  async function on<Result>(repository: string, run: () => Promise<Result>): Promise<Result> {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof GitLabRefusal)) throw error;
      throw (await archivedInstead(error, repository)) ?? describeRefusal(error, { product, repository });
    }
  }

  /** GitLab answers a plain 403 to who writes to an archived project. */
  async function archivedInstead(refusal: GitLabRefusal, repository: string): Promise<CodeHostError | undefined> {
    if (refusal.status !== 403 || refusal.missingScope !== null) return undefined;
    const project = await orMissing(projects.show(repository)).catch(() => undefined);
    if (project?.archived !== true) return undefined;
    return new CodeHostError(
      "repository_archived",
      `${repository} is archived on ${product} and takes no changes. Unarchive it there, or archive this project's jobs.`,
    );
  }

  function findUser(login: string): Promise<{ id: number } | undefined> {
    return users
      .all({ username: login })
      .then((found) => found.find(({ username }) => username.toLowerCase() === login.toLowerCase()));
  }

  async function findOwnId(): Promise<number> {
    ownId ??= users.showCurrentUser().then(({ id }) => id);
    try {
      return await ownId;
    } catch (error) {
      ownId = undefined;
      throw error;
    }
  }

  /** Asked before: versions that do not check open a merge request without a branch. */
  async function requireBranches(repository: string, { headBranch, baseBranch }: PullRequestCreation): Promise<void> {
    const [head, base] = await Promise.all([headBranch, baseBranch].map((branch) => hasBranch(repository, branch)));
    if (base === false) {
      throw new CodeHostError(
        "base_branch_missing",
        `${repository} has no branch ${baseBranch} any more to open a merge request against. Restore it, or create a job on a branch that exists.`,
      );
    }
    if (head === false) throw new CodeHostError("not_found", `${repository} has no branch ${headBranch}.`);
  }

  async function hasBranch(repository: string, branch: string): Promise<boolean> {
    return (await orMissing(branches.show(repository, branch))) !== undefined;
  }

  /** Ids of those who are there; one who is not found costs nothing. */
  async function findReviewers(logins: readonly string[]): Promise<number[]> {
    const found = await Promise.allSettled(logins.map(findUser));
    return found.flatMap((each) => (each.status === "fulfilled" && each.value !== undefined ? [each.value.id] : []));
  }

  function refusedCreation(error: unknown, repository: string, headBranch: string): unknown {
    if (!(error instanceof GitLabRefusal)) return error;
    const { status, text } = error;
    // `Another open merge request already exists for this source branch: !1`
    if (status === 409 || /already exists/i.test(text)) {
      return new CodeHostError(
        "pull_request_exists",
        `There is an open merge request from ${headBranch} in ${repository} already.`,
      );
    }
    if (status === 400 && /branch does not exist/i.test(text)) {
      return new CodeHostError("unavailable", `${product} does not see the branch ${headBranch} yet.`, {
        retryAfterMs: BRANCH_RETRY_MS,
      });
    }
    return error;
  }

  return {
    repositoryUrl: (repository) => `${url}/${repository}`,
    async remote(repository) {
      // docs.gitlab.com "Personal access tokens": as the password, with any user name.
      const basic = Buffer.from(`oauth2:${token}`).toString("base64");
      return { url: `${url}/${repository}.git`, authorization: `Basic ${basic}` };
    },
    getRepository: (repository) =>
      on(repository, async (): Promise<Repository> => {
        const { web_url, default_branch, archived, permissions } = await projects.show(repository);
        return {
          url: web_url,
          defaultBranch: default_branch,
          isArchived: archived,
          mayPush: readMayPush(permissions),
        };
      }),
    getPullRequest: (repository, number) =>
      on(repository, async () => {
        const found = await orMissing(mergeRequests.show(repository, number));
        return found === undefined ? undefined : toPullRequest(found);
      }),
    findPullRequest: (repository, headBranch) =>
      on(repository, async () => {
        const found: MergeRequest[] = await mergeRequests.all({
          projectId: repository,
          sourceBranch: headBranch,
          perPage: PAGE_SIZE,
        });
        const newest = found
          .filter((each) => each.source_branch === headBranch && each.source_project_id === each.target_project_id)
          .reduce<MergeRequest | undefined>((best, each) => (best && best.iid > each.iid ? best : each), undefined);
        return newest && toPullRequest(newest);
      }),
    createPullRequest: (repository, creation) =>
      on(repository, async () => {
        const { headBranch, baseBranch, title, body, draft = false, labels = [], reviewers = [] } = creation;
        await requireBranches(repository, creation);
        const reviewerIds = await findReviewers(reviewers);
        // Labels go as one list with commas, and GitLab allows none in a name. It makes those that are not there.
        const named = labels.filter((label) => !label.includes(","));
        try {
          const created = await mergeRequests.create(repository, headBranch, baseBranch, toTitle(title, draft), {
            description: shortenBody(body, DESCRIPTION_CHARACTERS_MAX),
            ...(named.length === 0 ? {} : { labels: named.join(",") }),
            ...(reviewerIds.length === 0 ? {} : { reviewerIds }),
          });
          return toPullRequest(created);
        } catch (error) {
          throw refusedCreation(error, repository, headBranch);
        }
      }),
    updatePullRequest: (repository, number, { title, body }) =>
      on(repository, async () => {
        // Whether it is a draft is its people's by now, and a part of the title.
        const { draft } = await here(mergeRequests.show(repository, number), repository, number);
        const updated = await mergeRequests.edit(repository, number, {
          title: toTitle(title, draft),
          description: shortenBody(body, DESCRIPTION_CHARACTERS_MAX),
        });
        return toPullRequest(updated);
      }),
    comment: (repository, number, { body, marker }) =>
      on(repository, async () => {
        const sign = `<!-- docent:${marker} -->`;
        const said = await here(notes.all(repository, number, { perPage: PAGE_SIZE }), repository, number);
        const own = await findOwnId();
        if (said.some((note) => note.author.id === own && note.body.includes(sign))) return;
        await notes.create(
          repository,
          number,
          `${shortenBody(body, NOTE_CHARACTERS_MAX - sign.length - 2)}\n\n${sign}`,
        );
      }),
    mayPush: (repository, login) =>
      on(repository, async () => {
        const user = await findUser(login);
        if (user === undefined) return false;
        const member = await orMissing(members.show(repository, user.id, { includeInherited: true }));
        const level: number = member?.access_level ?? 0;
        return level >= DEVELOPER;
      }),
  };
}

/** Undefined for what is not in the project; a project that is not there stays a refusal. */
async function orMissing<Found>(asked: Promise<Found>): Promise<Found | undefined> {
  try {
    return await asked;
  } catch (error) {
    // `404 Project Not Found`, against `404 Not found`, `404 Branch Not Found` and the like.
    if (error instanceof GitLabRefusal && error.status === 404 && !/project/i.test(error.text)) return undefined;
    throw error;
  }
}

async function here<Found>(asked: Promise<Found>, repository: string, number: number): Promise<Found> {
  const found = await orMissing(asked);
  if (found === undefined) throw new CodeHostError("not_found", `${repository} has no merge request !${number}.`);
  return found;
}

/** What GitLab tells of roles leaves out groups that a project is shared with: none is no answer. */
function readMayPush(permissions: Record<string, { access_level: number } | null> | null): boolean | null {
  const levels = Object.values(permissions ?? {}).flatMap((access) => (access === null ? [] : [access.access_level]));
  return levels.length === 0 ? null : levels.some((level) => level >= DEVELOPER);
}
