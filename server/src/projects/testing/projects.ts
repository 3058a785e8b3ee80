import { createCodeHosts, type CodeHosts } from "../../codehost/codehosts.ts";
import { createDirectNetwork } from "../../network/testing/direct-network.ts";
import { webhookUrlProblem } from "../../webhooks/out/receiver.ts";
import { createProjectCredentials, type ProjectCredentials } from "../credentials.ts";
import type { Projects } from "../project.ts";
import { createProjects, type ProjectsDependencies } from "../projects.ts";

type Given = Pick<ProjectsDependencies, "database" | "builtinHost" | "secret" | "clock" | "log">;

/** The real projects of a test, with the code hosts and credentials that they stand on. */
export function createTestProjects(given: Given): {
  projects: Projects;
  codeHosts: CodeHosts;
  credentials: ProjectCredentials;
} {
  const credentials = createProjectCredentials(given);
  const codeHosts = createCodeHosts({
    builtinHost: given.builtinHost,
    readCredential: (projectId) => credentials.read(projectId, "code-host"),
    serverCredentials: [],
    fetch: globalThis.fetch,
    clock: given.clock,
  });
  const modelProblem = (model: string): string | undefined =>
    model === "docent:offline" ? undefined : `${model} is not a known model.`;
  return {
    projects: createProjects({
      ...given,
      codeHosts,
      credentials,
      network: createDirectNetwork(),
      modelProblem,
      webhookUrlProblem: (url) => webhookUrlProblem(url, "refuse"),
    }),
    codeHosts,
    credentials,
  };
}
