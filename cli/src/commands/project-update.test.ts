import { afterAll, beforeAll, expect, test } from "vitest";
import type { Project } from "@docent/sdk";
import { runDocent } from "../testing/run.ts";
import { startTestService, type TestService } from "../testing/service.ts";

let service: TestService;
let env: Record<string, string>;

const docent = (...args: string[]) => runDocent(args, { env });

beforeAll(async () => {
  service = await startTestService();
  env = { DOCENT_URL: service.url, DOCENT_DATA: service.data };
  const { out } = await docent("project", "create", "--name", "Docs", "--json");
  env["DOCENT_PROJECT"] = (JSON.parse(out) as Project).id;
});
afterAll(() => service.stop());

async function update(...args: string[]): Promise<Project> {
  const { code, out, error } = await docent("project", "update", "--json", ...args);
  expect([code, error]).toEqual([0, ""]);
  return JSON.parse(out) as Project;
}

test("each option changes its own setting, and the rest stays", async () => {
  await update("--origin", "https://docs.example.com", "--origin", "http://localhost:3000");
  await update("--people-source", "tracker", "--agent-source", "log", "--agent-source", "middleware");
  const changed = await update("--name", "Manual", "--retention-days", "365", "--ai", "assistants");
  expect(changed.name).toBe("Manual");
  expect(changed.settings).toEqual({
    analytics: {
      origins: ["https://docs.example.com", "http://localhost:3000"],
      peopleSources: ["tracker"],
      agentSources: ["log", "middleware"],
      retentionDays: 365,
      ai: "assistants",
    },
  });
  const back = await update("--origin", "none", "--people-source", "all", "--retention-days", "forever");
  expect(back.settings).toEqual({ analytics: { agentSources: ["log", "middleware"], ai: "assistants" } });
});

const setAll = (...changes: string[]) => update(...changes.flatMap((change) => ["--set", change]));

test("any setting is changed by the name that the API gives it", async () => {
  const { settings: before } = await update("--origin", "https://docs.example.com");
  const changed = await setAll(
    "docsPath=docs",
    "pullRequests.draft=true",
    'pullRequests.labels=["docs"]',
    "costMaxUsd=2.5",
    "instructions=Say Relay = the product.",
    "analytics.retentionDays=30",
  );
  expect(changed.settings).toEqual({
    docsPath: "docs",
    pullRequests: { draft: true, labels: ["docs"] },
    costMaxUsd: 2.5,
    instructions: "Say Relay = the product.",
    analytics: { ...before.analytics, retentionDays: 30 },
  });
  const fields = ["docsPath", "pullRequests", "costMaxUsd", "instructions", "analytics.retentionDays"];
  const back = await update(...fields.flatMap((field) => ["--unset", field]));
  expect(back.settings).toEqual(before);
});

test("a setting that the service does not know is named, and the others are kept", async () => {
  const changes = ["costMaxUSD=2", "pullRequests.drafts=true", "docsPath=manual"];
  const { code, error } = await docent("project", "update", ...changes.flatMap((change) => ["--set", change]));
  expect(code).toBe(1);
  expect(error).toContain("knows no setting costMaxUSD, pullRequests.drafts.");
  expect((await update("--name", "Docs")).settings).toMatchObject({ docsPath: "manual" });
  await update("--unset", "docsPath", "--unset", "pullRequests");
});

test("it prints what holds now", async () => {
  const { out } = await docent("project", "update", "--origin", "https://docs.example.com");
  expect(out).toMatch(/^id +prj_\w+\nname +\w+\nref +\w+\n/);
  expect(out).toMatch(/^origins +https:\/\/docs\.example\.com$/m);
});

test.each([
  ["nothing to change", [], "--origin"],
  ["an origin with a path", ["--origin", "https://docs.example.com/"], "without a path"],
  ["none and another", ["--origin", "none", "--origin", "https://a.example"], "stands alone"],
  ["a source that is none", ["--people-source", "radio"], "tracker, middleware, log, api, all"],
  ["no days", ["--retention-days", "0"], "1 or more"],
  ["a setting without a value", ["--set", "docsPath"], "field=value"],
  [
    "a setting of another type",
    ["--set", "pullRequests.draft=perhaps"],
    "settings.pullRequests.draft must be a boolean",
  ],
  ["half of a name", ["--set", "commits.name=Bot"], "settings.commits: name and email go together"],
  ["a token for the built-in host", ["--token-file", "/dev/null"], "is empty"],
  ["an app without its key", ["--github-app", "1"], "--private-key-file"],
])("it refuses %s", async (_name, args, hint) => {
  const { code, error } = await docent("project", "update", ...args);
  expect(code).toBe(1);
  expect(error).toContain(hint);
});
