import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createGitHubHarness, type GitHubHarness } from "../codehost/github/testing/harness.ts";
import type { Job } from "./job.ts";
import { edit, finish, page, read, scriptByPrompt } from "./testing/script.ts";
import { startScriptedService, type ScriptedService } from "./testing/scripted-service.ts";

const CANARIES = {
  codeHostToken: "github_pat_11CANARYcodehost",
  serverModelKey: "sk-CANARY-of-the-server",
  projectModelKey: "sk-CANARY-of-the-project",
  secret: "CANARY-secret-with-more-than-32-characters",
  adminToken: "CANARY-admin-token-with-more-than-32-characters",
};
/** A wrapper of git that notes each process's arguments. */
let tools = "";
let github: GitHubHarness;
let scripted: ScriptedService;
const path = process.env["PATH"] ?? "";
/** Everything that a person, a model or another user of the machine could read. */
const seen: string[] = [];

beforeAll(async () => {
  tools = await mkdtemp(join(tmpdir(), "docent-test-git-"));
  const wrapper = `#!/bin/sh\nprintf '%s\\n' "$*" >> '${tools}/arguments'\nPATH='${path}' exec git "$@"\n`;
  await writeFile(join(tools, "git"), wrapper);
  await chmod(join(tools, "git"), 0o755);
  process.env["PATH"] = `${tools}${delimiter}${path}`;
  github = await createGitHubHarness();
  allowToken();
  scripted = await startScriptedService({
    logLevel: "trace",
    environment: {
      DOCENT_MODEL_API_KEY: CANARIES.serverModelKey,
      DOCENT_SECRET: CANARIES.secret,
      DOCENT_ADMIN_TOKEN: CANARIES.adminToken,
    },
    script: scriptByPrompt({
      "say relay": [[read("index.mdx")], [edit("index.mdx", "the Hub", "Relay"), finish("Say Relay")]],
      "number the steps": [
        [read("install.mdx")],
        async () => {
          github.server.identities.delete(CANARIES.codeHostToken);
          return [edit("install.mdx", "Two.", "2."), finish("Number the steps")];
        },
      ],
      // As providers do it: the refusal repeats what was sent.
      "be refused": [{ status: 401, text: `Incorrect API key provided: ${CANARIES.projectModelKey}.` }],
    }),
  });
});
afterAll(async () => {
  process.env["PATH"] = path;
  await scripted.close();
  await github.close();
  await rm(tools, { recursive: true, force: true });
});

function allowToken(): void {
  const permissions = { contents: "write", pull_requests: "write" };
  github.server.identities.set(CANARIES.codeHostToken, { login: "docent", permissions });
}

test("jobs that go well and jobs that fail for each kind of secret", async () => {
  const repository = await github.addRepository();
  await repository.git.commit("main", {
    "docs.json": JSON.stringify({ navigation: { pages: ["index", "install"] } }),
    "index.mdx": page("Start", "Welcome to the Hub."),
    "install.mdx": page("Install", "One.\n\nTwo."),
  });
  const { url } = github.server;
  const project = await scripted.connectProject({
    codeHost: "github",
    repository: `${url.replace("//", `//docent:${CANARIES.codeHostToken}@`)}/${repository.name}`,
  });
  const administer = async (method: string, rest: string, body?: object): Promise<void> => {
    seen.push(JSON.stringify(await scripted.administer(method, `/v1/projects/${project.id}${rest}`, body)));
  };
  await administer("GET", "");
  await administer("PUT", "/credentials/model-openai-compatible", { value: CANARIES.projectModelKey });
  await administer("POST", "/signing-key");
  await administer("GET", "/credentials");

  const job = await project.createJob("say relay");
  const outcomes: Job[] = [await job.rest()];
  expect(outcomes[0]).toMatchObject({ status: "completed", pullRequest: { number: 1 } });
  expect(scripted.model.requests[0]?.authorization).toBe(`Bearer ${CANARIES.projectModelKey}`);

  const refused = await project.createJob("be refused");
  outcomes.push(await refused.rest());
  expect(outcomes[1]?.failureReason).toMatch(/refused the key/);

  await job.message("number the steps");
  outcomes.push(await job.rest());
  expect(outcomes[2]?.failureReason).toMatch(/expired, was revoked/);
  await administer("PATCH", "", { credential: { token: CANARIES.codeHostToken } });
  allowToken();
  seen.push(JSON.stringify(outcomes));
  for (const each of [job, refused]) {
    seen.push(JSON.stringify(await each.eventsUntil(({ type }) => type === "status")));
  }
  seen.push(JSON.stringify([await github.host.getPullRequest(repository.name, 1), await repository.look(1)]));
  seen.push(await repository.git.git("log", "--all", "--format=%B%n%an%n%ae"));
  await expect(
    scripted.connectProject({ codeHost: "github", repository: `${url.replace("//", "//x:CANARY@")}/acme/none` }),
  ).rejects.toThrow(/credential: /);
});

test("no secret was written anywhere", async () => {
  const processArguments = await readFile(join(tools, "arguments"), "utf8");
  expect(processArguments).toMatch(/^.*push /m);
  const places: Record<string, string> = {
    "answers, events, pull requests and commits": seen.join("\n"),
    "the log": scripted.log(),
    "the arguments of git processes": processArguments,
    "the model's requests": JSON.stringify(
      scripted.model.requests.map((request) => ({ ...request, authorization: "" })),
    ),
    "the database": await dump(),
  };
  expect(scripted.log().split("\n").length).toBeGreaterThan(3);
  for (const [place, text] of Object.entries(places)) {
    for (const [name, secret] of Object.entries(CANARIES)) {
      const encoded = Buffer.from(`x-access-token:${secret}`).toString("base64").slice(0, -4);
      for (const form of [secret, encoded, encodeURIComponent(secret), Buffer.from(secret).toString("hex")]) {
        expect(text.includes(form), `${name} in ${place}`).toBe(false);
      }
    }
    expect(text, place).not.toMatch(/PRIVATE KEY|CANARY/);
  }
});

/** Every row of every table, as text; bytes as hexadecimal digits. */
async function dump(): Promise<string> {
  const { pool } = scripted.database;
  const { rows: tables } = await pool.query<{ name: string }>(
    "select table_name as name from information_schema.tables where table_schema = 'public'",
  );
  const parts: string[] = [];
  for (const { name } of tables) {
    const { rows } = await pool.query<{ row: object }>(`select to_jsonb(t) as row from "${name}" t`);
    parts.push(`${name} ${JSON.stringify(rows)}`);
  }
  expect(parts.join("\n")).toContain("project_credentials [{");
  return parts.join("\n");
}
