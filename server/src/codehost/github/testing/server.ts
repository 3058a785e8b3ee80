import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createTestRepository, type TestRepository } from "../../../git/testing/repository.ts";
import { listen } from "../../builtin/testing/git-server.ts";
import { answerGit, passwordOf, readGitRequest } from "../../testing/git-backend.ts";
import { asGitHubSaysPermission, refusal, withApp, type Answer } from "./answers.ts";
import { loadDescription } from "./description.ts";
import { startEmulator } from "./emulator.ts";
import { allows, missingPermission, type Identity } from "./identity.ts";
import { refuseCreation, type HostedPullRequest } from "./rules.ts";

/** What becomes of a request that has been carried out: its answer is lost on the way. */
export type Disturbance = "reset" | "bad-gateway" | "no-answer";

export interface GitHubRepository {
  name: string;
  git: TestRepository;
  isArchived: boolean;
  refusesDrafts: boolean;
  /** Docent may set labels, and not make them: the role "triage". */
  refusesNewLabels: boolean;
}

export interface GitHubServer {
  /** As a GitHub Enterprise Server: the API is below `/api/v3`, repositories below `/OWNER/NAME.git`. */
  url: string;
  /** By token. */
  identities: Map<string, Identity>;
  /** By `owner/name`. */
  repositories: Map<string, GitHubRepository>;
  /** What was asked of the API, oldest first: `POST /repos/acme/docs/pulls`. */
  requests: string[];
  /** Requests that GitHub's description does not allow. */
  violations: string[];
  addRepository(name: string): Promise<GitHubRepository>;
  /** Asks the emulator itself, as this account; for what people do. @throws Error when it refuses. */
  as<T>(login: string, method: string, path: string, body?: object): Promise<T>;
  /** Loses the answers of the next request to this operation. Resolves when it has been carried out. */
  disturb(operation: string, how: Disturbance): Promise<void>;
  close(): Promise<void>;
}

export const OWNER = "acme";
/** The account of Docent's token. */
export const ACCOUNT = "docent";
export const APP = { id: 4711, login: "docent-app[bot]", installation: 815 };
/** Accounts without any right of their own. */
export const PEOPLE = Array.from({ length: 40 }, (_, index) => `person-${index}`);

/**
 * A GitHub: `emulate` for its state, `git http-backend` for its repositories, and in front of both what GitHub does and
 * they do not: credentials and permissions, refused pull requests, archived repositories. Every request to the API is
 * held against GitHub's OpenAPI description.
 */
export async function startGitHubServer(options: {
  appKey: string;
  /** What the App's installation may do. */
  appPermissions: Readonly<Record<string, string>>;
}): Promise<GitHubServer> {
  const identities = new Map<string, Identity>();
  const repositories = new Map<string, GitHubRepository>();
  const requests: string[] = [];
  const violations: string[] = [];
  const disturbances: { operation: string; how: Disturbance; onDone: () => void }[] = [];
  /** A repository's pull requests are opened one after another, as constraints of a database see to. */
  let lastCreation: Promise<unknown> = Promise.resolve();

  const http = createServer((request, response) => {
    const handled =
      request.url?.startsWith("/api/v3/") === true ? answerApi(request, response) : serveGit(request, response);
    handled.catch((error: unknown) => response.destroy(error as Error));
  });
  const url = await listen(http);
  const accounts = [ACCOUNT, APP.login, ...PEOPLE];
  const [description, emulator] = await Promise.all([
    loadDescription(),
    startEmulator(`${url}/api/v3`, {
      tokens: Object.fromEntries(accounts.map((login) => [tokenOf(login), { login, scopes: ["repo"] }])),
      github: {
        users: accounts.map((login) => ({ login })),
        orgs: [
          {
            login: OWNER,
            members: [
              { login: ACCOUNT, role: "admin" },
              { login: APP.login, role: "admin" },
            ],
          },
        ],
        apps: [
          {
            app_id: APP.id,
            slug: "docent-app",
            name: "Docent",
            private_key: options.appKey,
            permissions: options.appPermissions,
            installations: [{ installation_id: APP.installation, account: OWNER, repository_selection: "all" }],
          },
        ],
      },
    }),
  ]);

  async function ask(authorization: string, method: string, path: string, body?: string): Promise<Answer> {
    const response = await fetch(emulator.url + path, {
      method,
      headers: { authorization, ...(body === undefined ? {} : { "content-type": "application/json" }) },
      ...(body === undefined ? {} : { body }),
    });
    const text = (await response.text()).replaceAll(`"html_url":"${url}/api/v3/`, `"html_url":"${url}/`);
    return { status: response.status, headers: response.headers, text };
  }

  const server: GitHubServer = {
    url,
    identities,
    repositories,
    requests,
    violations,
    async addRepository(name) {
      const git = await createTestRepository();
      await git.commit("main", { "README.md": `# ${name}\n` });
      const repository = {
        name: `${OWNER}/${name}`,
        git,
        isArchived: false,
        refusesDrafts: false,
        refusesNewLabels: false,
      };
      await server.as(ACCOUNT, "POST", `/orgs/${OWNER}/repos`, { name, private: true, auto_init: true });
      repositories.set(repository.name, repository);
      return repository;
    },
    async as<T>(login: string, method: string, path: string, body?: object) {
      const answer = await ask(`token ${tokenOf(login)}`, method, path, body && JSON.stringify(body));
      if (answer.status >= 300) throw new Error(`emulate answered ${path} with ${answer.status}: ${answer.text}`);
      return JSON.parse(answer.text === "" ? "null" : answer.text) as T;
    },
    disturb: (operation, how) => new Promise((onDone) => disturbances.push({ operation, how, onDone })),
    async close() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
      await emulator.close();
      for (const { git } of repositories.values()) await git.remove();
    },
  };
  return server;

  async function answerApi(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request);
    const { pathname, search, searchParams } = new URL((request.url ?? "").slice("/api/v3".length), url);
    const method = request.method ?? "GET";
    requests.push(`${method} ${pathname}`);
    const faults = await description.faults({
      method: method.toLowerCase() as "get",
      url: { baseUrl: "https://api.github.com", path: pathname, query: Object.fromEntries(searchParams) },
      headers: { ...(request.headers as Record<string, string>), "content-length": String(body.length) },
      ...(body.length === 0 ? {} : { body: JSON.parse(body.toString()) as unknown }),
    });
    violations.push(...faults.map((fault) => `${method} ${pathname}: ${fault}`));
    const answer = await decide(request, method, pathname, search, body.toString());
    const index = disturbances.findIndex(({ operation }) => operation === `${method} ${pathname}`);
    const [disturbance] = index < 0 ? [] : disturbances.splice(index, 1);
    if (disturbance?.how === "reset") response.destroy();
    else if (disturbance?.how === "bad-gateway") {
      response.writeHead(502, { "content-type": "text/html" }).end("<html><title>502 Bad Gateway</title></html>");
    } else if (disturbance === undefined) {
      const link = answer.headers.get("link")?.replaceAll(emulator.url, `${url}/api/v3`);
      const extra = Object.fromEntries([...answer.headers].filter(([name]) => name.startsWith("x-")));
      response.writeHead(answer.status, {
        ...extra,
        "content-type": "application/json; charset=utf-8",
        ...(link === undefined ? {} : { link }),
      });
      response.end(answer.text);
    }
    disturbance?.onDone();
  }

  async function decide(
    request: IncomingMessage,
    method: string,
    path: string,
    search: string,
    body: string,
  ): Promise<Answer> {
    const { authorization = "" } = request.headers;
    const token = authorization.replace(/^(bearer|token) /i, "");
    // The App itself, by a JSON Web Token that the emulator verifies.
    if (token.startsWith("eyJ")) return remember(await ask(authorization, method, path + search, body || undefined));
    const identity = identities.get(token);
    if (identity === undefined) return refusal(401, "Bad credentials");
    const name = /^\/repos\/([^/]+\/[^/]+)/.exec(path)?.[1];
    const repository = name === undefined ? undefined : repositories.get(name);
    if (name !== undefined && (repository === undefined || !reaches(identity, name))) return refusal(404, "Not Found");
    const kind = identity.app === undefined ? "personal access token" : "integration";
    if (path === "/user" && identity.app !== undefined) return refusal(403, `Resource not accessible by ${kind}`);
    const missing = missingPermission(identity, method, path);
    if (missing !== undefined) {
      return refusal(403, `Resource not accessible by ${kind}`, { "x-accepted-github-permissions": missing });
    }
    if (repository?.isArchived === true && method !== "GET") {
      return refusal(403, "Repository was archived so is read-only.");
    }
    const forward = () =>
      ask(`token ${tokenOf(identity.login)}`, method, path + search, body === "" ? undefined : body);
    if (repository !== undefined && method === "POST" && path.endsWith("/pulls")) {
      const created = lastCreation.then(() => create(repository, body, forward));
      lastCreation = created.catch(() => {});
      return created;
    }
    if (repository?.refusesNewLabels === true && method === "POST" && /\/issues\/\d+\/labels$/.test(path)) {
      const known = await server.as<{ name: string }[]>(ACCOUNT, "GET", `/repos/${repository.name}/labels`);
      const { labels } = JSON.parse(body) as { labels: string[] };
      const isKnown = (label: string) => known.some((each) => each.name === label);
      if (!labels.every(isKnown))
        return refusal(403, "You do not have permission to create labels on this repository.");
    }
    const answer = await forward();
    if (path.includes("/collaborators/")) return asGitHubSaysPermission(answer, path, PEOPLE);
    if (path.endsWith("/comments")) return withApp(answer, APP);
    return answer;
  }

  async function create(repository: GitHubRepository, body: string, forward: () => Promise<Answer>): Promise<Answer> {
    const open = await server.as<HostedPullRequest[]>(ACCOUNT, "GET", `/repos/${repository.name}/pulls?state=open`);
    const refused = await refuseCreation(JSON.parse(body) as never, {
      ...repository,
      gitDir: repository.git.directory,
      open,
    });
    if (refused === undefined) return forward();
    return refusal(422, "message" in refused ? refused.message : "Validation Failed", {}, refused);
  }

  /** Installation tokens, as the emulator hands them out, are tokens of the App's own account here. */
  function remember(answer: Answer): Answer {
    if (answer.status !== 201) return answer;
    const minted = JSON.parse(answer.text) as {
      token: string;
      permissions: Record<string, string>;
      repositories?: { full_name: string }[];
    };
    const reachable = (minted.repositories ?? []).map(({ full_name: name }) => name);
    const app = { id: APP.id, repositories: reachable };
    identities.set(minted.token, { login: APP.login, permissions: minted.permissions, app });
    return answer;
  }

  async function serveGit(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [path = "", query = ""] = (request.url ?? "").split("?");
    const git = readGitRequest(path, query);
    const identity = identities.get(passwordOf(request) ?? "");
    const repository = repositories.get(git?.repository ?? "");
    const refuse = (status: number, text: string) => {
      const challenge: Record<string, string> = status === 401 ? { "www-authenticate": 'Basic realm="GitHub"' } : {};
      response.writeHead(status, { "content-type": "text/plain", ...challenge }).end(text);
    };
    if (identity === undefined) {
      refuse(401, "Invalid username or token. Password authentication is not supported for Git operations.\n");
    } else if (git === undefined || repository === undefined || !reaches(identity, repository.name)) {
      refuse(404, "Repository not found.\n");
    } else if (!allows(identity, "contents", git.access)) {
      refuse(403, `Permission to ${repository.name}.git denied to ${identity.login}.\n`);
    } else if (repository.isArchived && git.access === "write") {
      refuse(403, "This repository was archived so it is read-only.\n");
    } else await answerGit({ ...git, gitDir: repository.git.directory }, request, response);
  }
}

const tokenOf = (login: string) => `emulated-${login}`;

function reaches({ app }: Identity, repository: string): boolean {
  return app === undefined || app.repositories.includes(repository);
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
