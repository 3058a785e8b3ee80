import { createContract, type MatchedRequest } from "../../testing/contract.ts";
import { hasBranch } from "../../testing/hosted.ts";
import { startProduct, type ApiAnswer, type ApiRequest, type Product } from "../../testing/product.ts";
import { readGiteaDescription } from "./description.ts";
import { showComment, showPullRequest, showRepository, showUser } from "./show.ts";
import { mayWrite, permissionOf, type Account, type GiteaState, type StoredPullRequest } from "./state.ts";
import type { Label, StoredRepository } from "./state.ts";

export interface GiteaServer extends Product {
  /** @throws Error for requests, and for answers of this server, that Gitea's description does not allow. */
  verify(): void;
}

/** The page size unless Gitea's owner sets another one: MAX_RESPONSE_ITEMS. */
const PAGE_SIZE_MAX = 50;

/** `routers/web/repo/githttp.go` in go-gitea/gitea. */
const GIT_REFUSALS = {
  archived: {
    status: 403,
    text: "This repo is archived. You can view files and clone it, but cannot push or open issues/pull-requests.",
  },
  unknown: { status: 401, text: "Unauthorized" },
  missing: { status: 404, text: "Not found." },
  denied: { status: 403, text: "User permission denied" },
} as const;

const refuse = (status: number, message: string): ApiAnswer => ({
  status,
  body: { message, url: "https://gitea.example.com/api/swagger" },
});
const notFound = (...errors: string[]): ApiAnswer => ({
  status: 404,
  body: { errors, message: "The target couldn't be found.", url: "https://gitea.example.com/api/swagger" },
});

/**
 * Gitea's API and git over HTTP, as far as Docent uses them. Answers, texts and rules: docs.gitea.com "API usage", the
 * API's own description, and what its handlers do (`routers/api/v1/repo` in go-gitea/gitea).
 */
export async function startGiteaServer(state: GiteaState): Promise<GiteaServer> {
  const { operations, schemas } = await readGiteaDescription();
  const contract = createContract(operations, schemas);

  const product = await startProduct({
    basePath: "/forge",
    apiPath: "/api/v1",
    async answer(request) {
      const given = /^(?:token|Bearer) (.+)$/i.exec(request.headers["authorization"] ?? "")?.[1];
      if (given === undefined) return refuse(401, "token is required");
      const token = state.tokens.get(given);
      if (token === undefined) return refuse(401, "invalid username, password or token");
      const matched = contract.match(request);
      if (matched === undefined) return notFound();
      const scope = scopeOf(request);
      if (!token.scopes.includes(scope) && !token.scopes.includes(scope.replace("read:", "write:"))) {
        return refuse(
          403,
          `token does not have at least one of required scope(s), required=[${scope}], token scope=${token.scopes.join(",")}`,
        );
      }
      const answered = await answer(request, matched, token.account);
      if (answered.status < 300) contract.checkAnswer(matched.operation, answered.body);
      return answered;
    },
    openRepository({ repository: name, access }, password) {
      const stored = state.repositories.find((each) => each.name === name);
      if (access === "write" && stored?.isArchived === true) return GIT_REFUSALS.archived;
      const token = state.tokens.get(password ?? "");
      if (token === undefined) return GIT_REFUSALS.unknown;
      if (stored === undefined || permissionOf(stored, token.account) === "none") return GIT_REFUSALS.missing;
      const scopes = access === "read" ? ["read:repository", "write:repository"] : ["write:repository"];
      const isAllowed = access === "read" || mayWrite(stored, token.account);
      const isScoped = scopes.some((each) => token.scopes.includes(each));
      return isAllowed && isScoped ? stored.repository.directory : GIT_REFUSALS.denied;
    },
  });

  async function answer(request: ApiRequest, matched: MatchedRequest, me: Account): Promise<ApiAnswer> {
    const { operation, parameters } = matched;
    if (operation === "GET /user") return { status: 200, body: showUser(me) };
    if (operation === "GET /orgs/{org}/labels") {
      const labels = state.organizationLabels.get(parameters["org"] ?? "");
      return labels === undefined ? notFound() : paged(request, labels);
    }
    const name = `${parameters["owner"]}/${parameters["repo"]}`;
    const stored = state.repositories.find((each) => each.name === name);
    if (stored === undefined || permissionOf(stored, me) === "none") return notFound();
    if (request.method !== "GET" && stored.isArchived) return refuse(423, `${name} is archived.`);
    switch (operation) {
      case "GET /repos/{owner}/{repo}":
        return { status: 200, body: showRepository(product.url, stored, me) };
      case "GET /repos/{owner}/{repo}/branches/{branch}": {
        const branch = parameters["branch"] ?? "";
        return (await hasBranch(stored.repository, branch)) ? { status: 200, body: { name: branch } } : notFound();
      }
      case "GET /repos/{owner}/{repo}/collaborators/{collaborator}/permission":
        return showPermission(stored, parameters["collaborator"] ?? "", me);
      case "GET /repos/{owner}/{repo}/labels":
        return paged(request, stored.labels);
      case "POST /repos/{owner}/{repo}/labels":
        return createLabel(request, stored, me);
      case "GET /repos/{owner}/{repo}/pulls":
        return listPullRequests(request, stored);
      case "POST /repos/{owner}/{repo}/pulls":
        return createPullRequest(request, stored, me);
      default: {
        const pull = stored.pullRequests.find(({ number }) => number === Number(parameters["index"]));
        return pull === undefined ? notFound() : onPullRequest(request, operation, { stored, pull, me });
      }
    }
  }

  function showPermission(stored: StoredRepository, login: string, me: Account): ApiAnswer {
    const asked = state.accounts.find((each) => each.login === login);
    if (me !== asked && !["admin", "owner"].includes(permissionOf(stored, me))) {
      return refuse(
        403,
        "Only admins can query all permissions, repo admins can query all repo permissions, collaborators can query only their own",
      );
    }
    if (asked === undefined) return notFound(`user does not exist [uid: 0, name: ${login}]`);
    const permission = permissionOf(stored, asked);
    return { status: 200, body: { permission, role_name: permission, user: showUser(asked) } };
  }

  function createLabel({ body }: ApiRequest, stored: StoredRepository, me: Account): ApiAnswer {
    if (!mayWrite(stored, me)) return refuse(403, "user should have permission to write issues or pulls");
    const { name, color } = body as { name: string; color: string };
    const label: Label = { id: state.nextId(), name, color: color.replace("#", "") };
    stored.labels.push(label);
    return { status: 201, body: label };
  }

  async function listPullRequests(request: ApiRequest, stored: StoredRepository): Promise<ApiAnswer> {
    const wanted = request.query.get("state") ?? "open";
    const found = stored.pullRequests.filter((each) => wanted === "all" || each.state === wanted).toReversed();
    const shown = await Promise.all(found.map((pull) => showPullRequest(product.url, stored, pull)));
    return paged(request, shown);
  }

  async function createPullRequest({ body }: ApiRequest, stored: StoredRepository, me: Account): Promise<ApiAnswer> {
    const given = body as { title: string; body?: string; head: string; base: string; labels?: number[] };
    const { title, head, base } = given;
    if (head === base) {
      return refuse(422, "Invalid PullRequest: There are no changes between the head and the base");
    }
    if (!(await hasBranch(stored.repository, base))) return notFound("BaseNotExist");
    if (!(await hasBranch(stored.repository, head))) return notFound("HeadNotExist");
    const other = stored.pullRequests.find(
      (each) => each.state === "open" && each.head === head && each.base === base && each.headRepository === stored.id,
    );
    if (other !== undefined) {
      const ids = `id: ${other.number}, issue_id: ${other.number}, head_repo_id: ${stored.id}, base_repo_id: ${stored.id}`;
      const text = `pull request already exists for these targets [${ids}, head_branch: ${head}, base_branch: ${base}]`;
      return refuse(409, text);
    }
    const [owner = ""] = stored.name.split("/");
    const labels = [...stored.labels, ...(state.organizationLabels.get(owner) ?? [])];
    const pull: StoredPullRequest = {
      number: stored.pullRequests.length + 1,
      title,
      body: given.body ?? "",
      state: "open",
      merged: false,
      head,
      base,
      headRepository: stored.id,
      labels: labels.filter(({ id }) => given.labels?.includes(id)),
      reviewers: [],
      author: me,
      comments: [],
    };
    stored.pullRequests.push(pull);
    return { status: 201, body: await showPullRequest(product.url, stored, pull) };
  }

  async function onPullRequest(
    { method, body }: ApiRequest,
    operation: string,
    { stored, pull, me }: { stored: StoredRepository; pull: StoredPullRequest; me: Account },
  ): Promise<ApiAnswer> {
    if (operation.endsWith("/requested_reviewers")) {
      const { reviewers = [] } = body as { reviewers?: string[] };
      return askReviewers(stored, pull, reviewers);
    }
    if (operation.endsWith("/comments")) {
      if (method === "GET") return { status: 200, body: pull.comments.map(showComment) };
      const comment = { id: state.nextId(), author: me, body: (body as { body: string }).body };
      pull.comments.push(comment);
      return { status: 201, body: showComment(comment) };
    }
    if (method === "PATCH") {
      const given = body as { title?: string; body?: string };
      pull.title = given.title ?? pull.title;
      pull.body = given.body ?? pull.body;
    }
    return { status: method === "PATCH" ? 201 : 200, body: await showPullRequest(product.url, stored, pull) };
  }

  function askReviewers(stored: StoredRepository, pull: StoredPullRequest, logins: string[]): ApiAnswer {
    const found = logins.map((login) => state.accounts.find((each) => each.login === login));
    if (found.includes(undefined)) return notFound(`UserNotExist`);
    const accounts = found.filter((account) => account !== undefined);
    if (accounts.some((account) => permissionOf(stored, account) === "none")) {
      return refuse(422, "Reviewer can't read");
    }
    pull.reviewers.push(...accounts);
    return { status: 201, body: [] };
  }

  return Object.assign(product, { verify: () => contract.verify() });
}

/** docs.gitea.com "API usage", scopes: labels and comments are of issues, what else a repository has is its own. */
function scopeOf({ method, path }: ApiRequest): string {
  const access = method === "GET" ? "read" : "write";
  if (path.startsWith("/user")) return `${access}:user`;
  if (path.startsWith("/orgs/")) return `${access}:organization`;
  return /^\/repos\/[^/]+\/[^/]+\/(?:issues|labels|milestones)\b/.test(path)
    ? `${access}:issue`
    : `${access}:repository`;
}

function paged({ query }: ApiRequest, items: object[]): ApiAnswer {
  const size = Math.min(Number(query.get("limit") ?? PAGE_SIZE_MAX), PAGE_SIZE_MAX);
  const page = Number(query.get("page") ?? 1);
  return {
    status: 200,
    body: items.slice((page - 1) * size, page * size),
    headers: { "x-total-count": String(items.length) },
  };
}
