import { hasBranch } from "../../testing/hosted.ts";
import { createContract, type MatchedRequest } from "../../testing/contract.ts";
import { startProduct, type ApiAnswer, type ApiRequest, type Product } from "../../testing/product.ts";
import { GITLAB_OPERATIONS } from "./contract.ts";
import { isDraft, levelOf, LEVELS, maySee, type Account, type GitLabState, type Project, type Token } from "./state.ts";
import { showMergeRequest, showNote, showProject, showUser } from "./show.ts";

export interface GitLabServer extends Product {
  /** @throws Error for requests that GitLab's description does not allow. */
  verify(): void;
}

/** The body of a new merge request, as far as the server heeds it. */
interface Creation {
  title: string;
  source_branch: string;
  target_branch: string;
  description?: string;
  labels?: string | string[];
  reviewer_ids?: number[];
}

/** `lib/gitlab/git_access.rb` and `lib/gitlab/auth.rb` in gitlab-org/gitlab. An archived project is told by the last. */
const GIT_REFUSALS = {
  unknown: {
    status: 401,
    text: "HTTP Basic: Access denied. If a password was provided for Git authentication, the password was incorrect or you're required to use a token instead of a password.",
  },
  missing: {
    status: 404,
    text: "The project you were looking for could not be found or you don't have permission to view it.",
  },
  push: { status: 403, text: "You are not allowed to push code to this project." },
} as const;

const refuse = (status: number, text: string): ApiAnswer => ({ status, body: { message: `${status} ${text}` } });
const notFound = (what: string): ApiAnswer => refuse(404, `${what} Not Found`);

/**
 * GitLab's API and git over HTTP, as far as Docent uses them. Answers, texts and rules: docs.gitlab.com "REST API",
 * "Merge requests API", "Notes API", "Members API", "Users API", "Projects API" and "Branches API".
 */
export async function startGitLabServer(state: GitLabState): Promise<GitLabServer> {
  const contract = createContract(GITLAB_OPERATIONS);

  const product = await startProduct({
    basePath: "/code",
    apiPath: "/api/v4",
    async answer(request) {
      const token = tokenOf(request);
      if (token === undefined) return refuse(401, "Unauthorized");
      if (token.state !== "active") return deadToken(token);
      const matched = contract.match(request);
      if (matched === undefined) return { status: 404, body: { error: "404 Not Found" } };
      const scope = request.method === "GET" ? ["api", "read_api"] : ["api"];
      if (!scope.some((each) => token.scopes.includes(each))) return insufficientScope(scope);
      return answer(request, matched, token.account);
    },
    openRepository({ repository, access }, password) {
      const token = state.tokens.get(password ?? "");
      if (token?.state !== "active") return GIT_REFUSALS.unknown;
      const project = state.projects.find(({ path }) => path === repository);
      if (project === undefined || !maySee(state, project, token.account)) return GIT_REFUSALS.missing;
      const scopes = access === "read" ? ["api", "read_repository", "write_repository"] : ["api", "write_repository"];
      const mayPush = levelOf(state, project, token.account) >= LEVELS.write && !project.isArchived;
      if (!scopes.some((each) => token.scopes.includes(each))) return GIT_REFUSALS.unknown;
      return access === "read" || mayPush ? project.repository.directory : GIT_REFUSALS.push;
    },
  });

  function tokenOf({ headers }: ApiRequest): Token | undefined {
    const given = /^Bearer (.+)$/.exec(headers["authorization"] ?? "")?.[1] ?? headers["private-token"];
    return state.tokens.get(given ?? "");
  }

  async function answer(request: ApiRequest, { operation, parameters }: MatchedRequest, me: Account) {
    const { query } = request;
    if (operation === "GET /user") return { status: 200, body: showUser(product.url, me) };
    if (operation === "GET /users") {
      const wanted = query.get("username")?.toLowerCase();
      const found = state.accounts.filter(({ username }) => wanted === undefined || username.toLowerCase() === wanted);
      return paged(
        request,
        found.map((account) => showUser(product.url, account)),
      );
    }
    const project = state.projects.find(({ id, path }) => parameters["id"] === path || parameters["id"] === String(id));
    if (project === undefined || !maySee(state, project, me)) return notFound("Project");
    switch (operation) {
      case "GET /projects/{id}":
        return { status: 200, body: showProject(product.url, project, project.levels.get(me)) };
      case "GET /projects/{id}/repository/branches/{branch}": {
        const name = parameters["branch"] ?? "";
        return (await hasBranch(project.repository, name)) ? { status: 200, body: { name } } : notFound("Branch");
      }
      case "GET /projects/{id}/members/all/{user_id}":
        return showMember(project, Number(parameters["user_id"]));
      case "GET /projects/{id}/merge_requests":
        return listMergeRequests(request, project);
      case "POST /projects/{id}/merge_requests":
        return createMergeRequest(request, project, me);
      default:
        return onMergeRequest(request, operation, { project, iid: Number(Object.values(parameters)[1]), me });
    }
  }

  function showMember(project: Project, id: number): ApiAnswer {
    const account = state.accounts.find((each) => each.id === id);
    const level = account === undefined ? 0 : levelOf(state, project, account);
    if (account === undefined || level === 0) return { status: 404, body: { message: "404 Not found" } };
    return { status: 200, body: { ...showUser(product.url, account), access_level: level, expires_at: null } };
  }

  function listMergeRequests(request: ApiRequest, project: Project): ApiAnswer {
    const { query } = request;
    const found = project.mergeRequests.filter(
      ({ source_branch, state: status }) =>
        source_branch === (query.get("source_branch") ?? source_branch) && isIn(status, query.get("state") ?? "all"),
    );
    const newestFirst = found.toReversed();
    return paged(
      request,
      newestFirst.map((each) => showMergeRequest(product.url, project, each)),
    );
  }

  async function createMergeRequest({ body }: ApiRequest, project: Project, me: Account): Promise<ApiAnswer> {
    if (project.isArchived || levelOf(state, project, me) < LEVELS.write) return refuse(403, "Forbidden");
    const given = body as Creation;
    const { title, source_branch, target_branch, description = "", reviewer_ids: reviewerIds = [] } = given;
    for (const field of ["source_branch", "target_branch"] as const) {
      const isThere = await hasBranch(project.repository, given[field]);
      if (state.isBeforeBranchChecks || (isThere && !state.branchesUnseen.has(given[field]))) continue;
      return { status: 400, body: { message: { [field]: ["does not exist"] } } };
    }
    const other = project.mergeRequests.find(
      (each) =>
        each.state === "opened" &&
        each.source_branch === source_branch &&
        each.target_branch === target_branch &&
        each.source_project_id === project.id,
    );
    if (other !== undefined) {
      const text = `Another open merge request already exists for this source branch: !${other.iid}`;
      return { status: 409, body: { message: [text] } };
    }
    const labels = namesOf(given.labels);
    for (const label of labels) project.labels.add(label);
    const reviewers = state.accounts.filter(({ id }) => reviewerIds.includes(id));
    const created = {
      iid: project.mergeRequests.length + 1,
      title,
      description,
      state: "opened" as const,
      source_branch,
      target_branch,
      source_project_id: project.id,
      labels,
      reviewers: reviewers.filter((account) => maySee(state, project, account)),
      author: me,
      notes: [],
      merge_status: "unchecked" as const,
    };
    project.mergeRequests.push(created);
    return { status: 201, body: showMergeRequest(product.url, project, created) };
  }

  function onMergeRequest(
    request: ApiRequest,
    operation: string,
    { project, iid, me }: { project: Project; iid: number; me: Account },
  ): ApiAnswer {
    const found = project.mergeRequests.find((each) => each.iid === iid);
    if (found === undefined) return { status: 404, body: { message: "404 Not found" } };
    const [method, isNotes] = [request.method, operation.endsWith("/notes")];
    if (method !== "GET" && project.isArchived) return refuse(403, "Forbidden");
    if (isNotes && method === "GET") {
      const sorted = request.query.get("sort") === "asc" ? found.notes : found.notes.toReversed();
      return paged(
        request,
        sorted.map((note) => showNote(product.url, note)),
      );
    }
    const given = (request.body ?? {}) as { title?: string; description?: string; body?: string };
    if (isNotes) {
      const note = { id: state.nextId(), author: me, body: given.body ?? "", system: false };
      found.notes.push(note);
      return { status: 201, body: showNote(product.url, note) };
    }
    if (method === "PUT") {
      const wasDraft = isDraft(found);
      found.title = given.title ?? found.title;
      found.description = given.description ?? found.description;
      if (wasDraft !== isDraft(found)) {
        const body = `marked this merge request as **${wasDraft ? "ready" : "draft"}**`;
        found.notes.push({ id: state.nextId(), author: me, body, system: true });
      }
    }
    const body = showMergeRequest(product.url, project, found);
    // Asking starts the check; the answer to a later question has its result.
    found.merge_status = found.merge_status === "unchecked" ? "checking" : "can_be_merged";
    return { status: 200, body };
  }

  return Object.assign(product, { verify: () => contract.verify() });
}

function isIn(status: string, wanted: string): boolean {
  return wanted === "all" || wanted === status;
}

function namesOf(labels: string | string[] = []): string[] {
  return [labels]
    .flat()
    .flatMap((each) => each.split(","))
    .map((name) => name.trim());
}

/** docs.gitlab.com "REST API": offset-based pagination. */
function paged({ query, path }: ApiRequest, items: object[]): ApiAnswer {
  const size = Math.min(Number(query.get("per_page") ?? 20), 100);
  const page = Number(query.get("page") ?? 1);
  const pages = Math.max(1, Math.ceil(items.length / size));
  const next = page < pages ? String(page + 1) : "";
  const following = new URLSearchParams(query);
  following.set("page", next);
  following.set("per_page", String(size));
  return {
    status: 200,
    body: items.slice((page - 1) * size, page * size),
    headers: {
      "x-page": String(page),
      "x-per-page": String(size),
      "x-next-page": next,
      "x-total": String(items.length),
      "x-total-pages": String(pages),
      ...(next === "" ? {} : { link: `<https://gitlab.example.com${path}?${following.toString()}>; rel="next"` }),
    },
  };
}

/** docs.gitlab.com "REST API authentication"; the texts are those of its OAuth part (RFC 6750, 3.1). */
function deadToken({ state }: Token): ApiAnswer {
  const description =
    state === "expired"
      ? "Token is expired. You can either do re-authorization or token refresh."
      : "Token was revoked. You have to re-authorize from the user.";
  return { status: 401, body: { error: "invalid_token", error_description: description } };
}

function insufficientScope(scope: readonly string[]): ApiAnswer {
  return {
    status: 403,
    body: {
      error: "insufficient_scope",
      error_description: "The request requires higher privileges than provided by the access token.",
      scope: scope.join(" "),
    },
  };
}
