import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestHost, type TestHost } from "../codehost/builtin/testing/host.ts";
import { createCodeHosts } from "../codehost/codehosts.ts";
import { createGitHubHarness, type GitHubHarness } from "../codehost/github/testing/harness.ts";
import type { ProjectCreation } from "./project.ts";
import { createTestProjects } from "./testing/projects.ts";

let testing: TestHost;
let github: GitHubHarness;
let parts: ReturnType<typeof createTestProjects>;
let repository = "";

const GOOD = { type: "token", token: "github_pat_good" } as const;
const READING = { type: "token", token: "github_pat_reading" } as const;

beforeAll(async () => {
  [testing, github] = await Promise.all([createTestHost(), createGitHubHarness()]);
  const { host: builtinHost, database, secret, clock } = testing;
  parts = createTestProjects({ database: database.database, builtinHost, secret, clock, log: { error: () => {} } });
  const { identities } = github.server;
  identities.set(GOOD.token, { login: "docent", permissions: { contents: "write", pull_requests: "write" } });
  identities.set(READING.token, { login: "docent", permissions: { contents: "read", pull_requests: "read" } });
  repository = (await github.addRepository()).name;
});
afterAll(async () => {
  await parts.projects.close();
  await Promise.all([testing.close(), github.close()]);
  github.verify();
});

const creation = (given: Partial<ProjectCreation> = {}): ProjectCreation => ({
  name: "Docs",
  codeHost: "github",
  repository: `${github.server.url}/${repository}.git`,
  credential: GOOD,
  ...given,
});

async function refusal(given: Partial<ProjectCreation>): Promise<string> {
  const answer = await parts.projects.create(creation(given));
  return "refused" in answer ? answer.refused : "";
}

test("a repository is worked on where it lies, with the credential sealed", async () => {
  const answer = await parts.projects.create(creation());
  if ("refused" in answer) throw new Error(answer.refused);
  const { project } = answer;
  expect(project).toMatchObject({
    codeHost: "github",
    repository: `${github.server.url}/${repository}`,
    ref: "main",
    state: "ready",
  });
  expect(JSON.stringify(project)).not.toContain(GOOD.token);
  const stored = await testing.database.database.selectFrom("project_credentials").selectAll().execute();
  expect(stored).toHaveLength(1);
  expect(stored[0]?.sealed.includes(GOOD.token)).toBe(false);
  const host = await parts.codeHosts.of({ id: project.id, code_host: "github", code_host_url: github.server.url });
  expect((await host.getRepository(repository)).defaultBranch).toBe("main");

  await parts.projects.delete(project.id);
  expect(await parts.credentials.list(project.id)).toEqual([]);
});

test("owner/name will do with the host's address, and a token in the URL is taken out of it", async () => {
  const { url } = github.server;
  for (const given of [
    { repository, codeHostUrl: `${url}/` },
    { repository: `${url.replace("//", `//x:${GOOD.token}@`)}/${repository}`, credential: undefined },
  ] as Partial<ProjectCreation>[]) {
    const answer = await parts.projects.create(creation(given));
    expect("project" in answer && answer.project.repository).toBe(`${url}/${repository}`);
  }
});

test("a new credential is tried before it takes the place of the old one", async () => {
  const answer = await parts.projects.create(creation());
  const id = "project" in answer ? answer.project.id : "";
  expect(await parts.projects.update(id, { credential: READING })).toMatchObject({ refused: /may read.*and not push/ });
  expect(await parts.credentials.read(id, "code-host")).toContain(GOOD.token);
  const next = { type: "token", token: "github_pat_next" } as const;
  github.server.identities.set(next.token, {
    login: "docent",
    permissions: { contents: "write", pull_requests: "write" },
  });
  await parts.projects.update(id, { credential: next });
  expect(await parts.credentials.read(id, "code-host")).toContain(next.token);
});

test("what cannot work is refused at once, by field, and nothing is kept", async () => {
  const archived = await github.addRepository();
  await archived.archive();
  const before = (await parts.projects.list()).length;
  const { url } = github.server;
  for (const [given, message] of [
    [{ repository: undefined }, /^repository: name the repository on github/],
    [{ repository: `${url}/${repository}/tree/main` }, /^repository: .*owner\/name/],
    [
      { repository: "https://elsewhere.example/a/b", codeHostUrl: url },
      /^repository: it does not lie under codeHostUrl/,
    ],
    [{ repository: `${url}/acme/nothing-here` }, /^repository: /],
    [{ credential: { type: "token", token: "github_pat_old" } }, /^credential: .*token/],
    [{ credential: READING }, /^credential: it may read .* and not push/],
    [{ repository: `${url}/${archived.name}` }, /archived/],
    [{ credential: undefined }, /^credential: There is no credential for http/],
    [{ codeHost: "builtin", repository: undefined }, /^codeHost: credential and codeHostUrl are for/],
    [{ settings: { commits: { name: "Bot" } } }, /^settings.commits: name and email/],
    [{ settings: { webhookUrl: "https://a:b@example.com" } }, /^settings.webhookUrl/],
    [{ settings: { model: "gpt" } }, /^settings.model: gpt/],
    [{ settings: { commits: { sign: true } } }, /^settings.commits.sign/],
  ] as [Partial<ProjectCreation>, RegExp][]) {
    expect(await refusal(given)).toMatch(message);
  }
  await expect(parts.projects.create(creation({ repository: "http://127.0.0.1:1/acme/docs" }))).rejects.toMatchObject({
    code: "unavailable",
  });
  expect(await parts.projects.list()).toHaveLength(before);
});

test("a server's credential goes only to the address that it is for", async () => {
  const sent: string[] = [];
  const hosts = createCodeHosts({
    builtinHost: testing.host,
    readCredential: () => Promise.resolve(undefined),
    serverCredentials: [{ host: "github", url: github.server.url, credential: GOOD }],
    fetch: (input: string | URL | Request, init?: RequestInit) => {
      sent.push(input instanceof Request ? input.url : String(input));
      return fetch(input, init);
    },
    clock: testing.clock,
  });
  const place = { id: "prj_1", code_host: "github" } as const;
  const known = await hosts.of({ ...place, code_host_url: github.server.url });
  expect((await known.getRepository(repository)).isArchived).toBe(false);
  await expect(hosts.of({ ...place, code_host_url: "http://127.0.0.1:9" })).rejects.toMatchObject({
    code: "credential_refused",
  });
  expect(sent.every((url) => url.startsWith(github.server.url))).toBe(true);
});
