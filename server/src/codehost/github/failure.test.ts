import { createServer, type Server, type ServerResponse } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listen } from "../builtin/testing/git-server.ts";
import type { CodeHostErrorCode } from "../codehost.ts";
import { apiUrl } from "./api.ts";
import { createGitHubHost } from "./github.ts";

const NOW = new Date("2026-11-21T12:00:00Z");
const TOKEN = "ghp_kept0000000000000000000000000000kept";

let http: Server;
let url: string;
let answer: (response: ServerResponse) => void;
let asked: { headers: Record<string, unknown>; url: string } | undefined;

beforeAll(async () => {
  http = createServer((request, response) => {
    asked = { headers: request.headers, url: request.url ?? "" };
    answer(response);
  });
  url = await listen(http);
});
afterAll(() => {
  http.closeAllConnections();
  http.close();
});

const connect = () => createGitHubHost({ url, credential: { type: "token", token: TOKEN }, fetch, clock: () => NOW });

const json =
  (status: number, body: object, headers: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    void response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));

const inSeconds = (seconds: number) => String(Math.floor(NOW.getTime() / 1000) + seconds);

interface Case {
  answer(response: ServerResponse): void;
  code: CodeHostErrorCode;
  says: string;
  retryAfterMs?: number | null;
}

const cases: Record<string, Case> = {
  "an expired token": {
    answer: json(401, { message: "Bad credentials" }),
    code: "credential_refused",
    says: "expired",
  },
  "a suspended account": {
    answer: json(403, { message: "Sorry. Your account was suspended." }),
    code: "credential_refused",
    says: "suspended",
  },
  "a fine-grained token without a permission": {
    answer: json(
      403,
      { message: "Resource not accessible by personal access token" },
      { "x-accepted-github-permissions": "issues=write; pull_requests=write,contents=read" },
    ),
    code: "permission_missing",
    says: "Grant it on GitHub (127.0.0.1:PORT): Issues: write, or Pull requests: write and Contents: read.",
  },
  "a classic token without a scope": {
    answer: json(
      403,
      { message: "Must have push access to view collaborator permission." },
      { "x-oauth-scopes": "read:org", "x-accepted-oauth-scopes": "repo" },
    ),
    code: "permission_missing",
    says: "needs the scope repo",
  },
  "single sign-on": {
    answer: json(
      403,
      { message: "Resource protected by organization SAML enforcement." },
      { "x-github-sso": "required; url=https://github.com/orgs/acme/sso?authorization_request=AAAA" },
    ),
    code: "permission_missing",
    says: "Configure SSO",
  },
  "an address that is not on the organization's list": {
    answer: json(403, {
      message:
        "Although you appear to have the correct authorization credentials, the `acme` organization has an IP allow list enabled, and your IP address is not permitted to access this resource.",
    }),
    code: "permission_missing",
    says: "IP allow list",
  },
  "a used up rate limit": {
    answer: json(
      403,
      { message: "API rate limit exceeded for user ID 1." },
      { "x-ratelimit-remaining": "0", "x-ratelimit-reset": inSeconds(600) },
    ),
    code: "unavailable",
    says: "rate limit",
    retryAfterMs: 600_000,
  },
  "a secondary rate limit": {
    answer: json(
      403,
      { message: "You have exceeded a secondary rate limit. Please wait a few minutes before you try again." },
      { "retry-after": "30", "x-ratelimit-remaining": "4000" },
    ),
    code: "unavailable",
    says: "rate limit",
    retryAfterMs: 30_000,
  },
  "a rate limit that does not say until when": {
    answer: json(429, { message: "Too many requests" }),
    code: "unavailable",
    says: "rate limit",
    retryAfterMs: 60_000,
  },
  "a repository that is not there": {
    answer: json(404, { message: "Not Found" }),
    code: "not_found",
    says: "a private repository looks missing",
  },
  "an archived repository": {
    answer: json(403, { message: "Repository was archived so is read-only." }),
    code: "repository_archived",
    says: "Unarchive",
  },
  "an error of the server": {
    answer: (response) => void response.writeHead(502, { "content-type": "text/html" }).end("<html>Bad Gateway</html>"),
    code: "unavailable",
    says: "502",
    retryAfterMs: null,
  },
  maintenance: {
    answer: json(503, { message: "Service Unavailable" }, { "retry-after": "120" }),
    code: "unavailable",
    says: "503",
    retryAfterMs: 120_000,
  },
  "a connection that is cut": { answer: (response) => void response.destroy(), code: "unavailable", says: "reached" },
  "an answer that breaks off": {
    answer(response) {
      response.writeHead(200, { "content-type": "application/json", "content-length": "100" });
      response.write('{"name":', () => response.destroy());
    },
    code: "unavailable",
    says: "broke off",
  },
  "anything else": {
    answer: json(451, { message: "Repository access blocked" }),
    code: "invalid",
    says: "Repository access blocked",
  },
};

describe("what an answer of GitHub means", () => {
  test.each(Object.entries(cases))("%s", async (_name, expected) => {
    answer = expected.answer;
    const failed: unknown = await connect()
      .getRepository("acme/docs")
      .catch((error: unknown) => error);
    const { port } = new URL(url);
    expect(failed).toMatchObject({
      code: expected.code,
      message: expect.stringContaining(expected.says.replace("PORT", port)),
      retryAfterMs: expected.retryAfterMs ?? null,
    });
    const { message, cause } = failed as Error;
    expect(message + String(cause) + JSON.stringify(failed)).not.toContain(TOKEN);
    expect(message).not.toContain("authorization_request");
  });

  test("a server that is not there", async () => {
    const host = createGitHubHost({
      url: "http://127.0.0.1:9",
      credential: { type: "token", token: TOKEN },
      fetch,
      clock: () => NOW,
    });
    await expect(host.findPullRequest("acme/docs", "work")).rejects.toMatchObject({ code: "unavailable" });
  });
});

test("names its version of the API and itself, and sends the token in its header alone", async () => {
  answer = json(200, { html_url: `${url}/acme/docs`, default_branch: "main", archived: false });
  await connect().getRepository("acme/docs");
  expect(asked?.headers).toMatchObject({ "x-github-api-version": "2022-11-28", authorization: `token ${TOKEN}` });
  expect(asked?.headers["user-agent"]).toMatch(/^docent /);
  expect(asked?.url).toBe("/api/v3/repos/acme/docs");
});

test.each(["", "acme", "acme/docs/more", "acme/..", "../docs", "acme/do cs", "acme/docs?x", "acme/docs%2f"])(
  "%j names no repository",
  async (name) => {
    asked = undefined;
    await expect(connect().getRepository(name)).rejects.toMatchObject({ code: "not_found" });
    await expect(connect().remote(name, "read")).rejects.toMatchObject({ code: "not_found" });
    expect(asked).toBeUndefined();
  },
);

test.each([
  ["https://github.com", "https://api.github.com"],
  ["https://octocorp.ghe.com", "https://api.octocorp.ghe.com"],
  ["https://github.example.com", "https://github.example.com/api/v3"],
  ["http://127.0.0.1:8080/github", "http://127.0.0.1:8080/github/api/v3"],
])("the API of %s is at %s", (web, api) => {
  expect(apiUrl(web)).toBe(api);
});
