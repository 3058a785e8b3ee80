import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createDocent, type Docent } from "@docent/sdk";
import { CommandError } from "./failure.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

const URL_DEFAULT = "http://127.0.0.1:4000";
const DATA_DEFAULT = ".docent";

/** The service a command talks to: `--url`, else `DOCENT_URL`, else the default. */
export function serviceUrl(options: { url?: string | undefined }, env: Environment): string {
  const url = options.url ?? (env["DOCENT_URL"] || URL_DEFAULT);
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new CommandError(`"${url}" is not an http(s) URL.`, "Set DOCENT_URL, or pass --url http://127.0.0.1:4000");
  }
  return url;
}

/** The project a command works on: `--project`, else `DOCENT_PROJECT`. */
export function requireProject(options: { project?: string | undefined }, env: Environment): string {
  const projectId = options.project ?? env["DOCENT_PROJECT"] ?? "";
  if (projectId !== "") return projectId;
  throw new CommandError(
    "Which project?",
    "Pass --project prj_…, or set DOCENT_PROJECT. `docent project list` shows them.",
  );
}

/** A client for projects and keys. The admin token is `DOCENT_ADMIN_TOKEN`, else the data directory's. */
export function connectAsAdmin(
  options: { url?: string | undefined; data?: string | undefined },
  env: Environment,
  fetch: typeof globalThis.fetch,
): Docent {
  const baseUrl = serviceUrl(options, env);
  return createDocent({ baseUrl, fetch, adminToken: env["DOCENT_ADMIN_TOKEN"] || readAdminToken(options, env) });
}

/** A client for the jobs and the readers of one project, with its API key, and the project's id. */
export function connectToProject(
  options: { url?: string | undefined; project?: string | undefined },
  env: Environment,
  fetch: typeof globalThis.fetch,
): { docent: Docent; projectId: string } {
  const projectId = requireProject(options, env);
  const apiKey = env["DOCENT_API_KEY"] ?? "";
  if (apiKey === "") {
    throw new CommandError(
      "This needs an API key of the project, and DOCENT_API_KEY is not set.",
      `export DOCENT_API_KEY="$(docent key create --project ${projectId} --name cli --quiet)"`,
    );
  }
  return { docent: createDocent({ baseUrl: serviceUrl(options, env), fetch, apiKey }), projectId };
}

function readAdminToken(options: { data?: string | undefined }, env: Environment): string {
  const directory = options.data ?? (env["DOCENT_DATA"] || DATA_DEFAULT);
  const file = join(directory, "admin.token");
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    const denied = error instanceof Error && "code" in error && error.code === "EACCES";
    throw new CommandError(
      denied ? `${file} may not be read by this user.` : `There is no admin token: ${file} does not exist.`,
      "`docent serve` writes it on its first start. Pass --data DIRECTORY to name its data directory, or set DOCENT_ADMIN_TOKEN.",
    );
  }
}
