import { readFile } from "node:fs/promises";
import { createInstance, getHttpOperationsFromSpec, type IHttpRequest } from "@stoplight/prism-http";
import pino from "pino";

/** What the adapter asks for. A path that is not here is refused, so that a new one has to be looked at. */
const PATHS = [
  "/app/installations/{installation_id}",
  "/app/installations/{installation_id}/access_tokens",
  "/repos/{owner}/{repo}",
  "/repos/{owner}/{repo}/collaborators/{username}/permission",
  "/repos/{owner}/{repo}/installation",
  "/repos/{owner}/{repo}/issues/{issue_number}/comments",
  "/repos/{owner}/{repo}/issues/{issue_number}/labels",
  "/repos/{owner}/{repo}/labels",
  "/repos/{owner}/{repo}/pulls",
  "/repos/{owner}/{repo}/pulls/{pull_number}",
  "/repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers",
  "/user",
];

/** GitHub's published OpenAPI description, as far as requests go. */
export interface Description {
  /** Why a request does not conform to it; empty when it does. Found by Prism. */
  faults(request: IHttpRequest): Promise<string[]>;
}

type Json = Record<string, unknown>;

/**
 * Loads the description from `@octokit/openapi`: 13 MB, of which the paths above without their answers are kept, which
 * takes 0.2 s.
 */
export async function loadDescription(): Promise<Description> {
  const file = new URL(import.meta.resolve("@octokit/openapi/generated/api.github.com.json"));
  const whole = JSON.parse(await readFile(file, "utf8")) as Json & { paths: Record<string, Json> };
  const paths = Object.fromEntries(PATHS.map((path) => [path, withoutAnswers(whole.paths[path] ?? {})]));
  const { openapi, info, servers } = whole;
  const operations = await getHttpOperationsFromSpec(closeBodies(resolve({ openapi, info, servers, paths }, whole)));
  const prism = createInstance(
    {
      isProxy: true,
      upstream: new URL("http://127.0.0.1"),
      upstreamProxy: undefined,
      validateRequest: true,
      validateResponse: false,
      checkSecurity: false,
      errors: true,
      mock: { dynamic: false },
    },
    {
      logger: pino({ level: "silent" }) as never,
      // Whoever asks answers the request; here is only told what is wrong with it.
      forward: () => () => async () => ({ _tag: "Right", right: { statusCode: 204 } }),
    },
  );
  return {
    async faults(request) {
      const outcome = await prism.request(request, operations)();
      if ("left" in outcome) return [`no such operation (${outcome.left.message})`];
      return outcome.right.validations.input.map(({ path = [], message }) => `${path.join(".")}: ${message}`);
    },
  };
}

function withoutAnswers(path: Json): Json {
  const answer = { default: { description: "Any." } };
  return Object.fromEntries(
    Object.entries(path).map(([key, value]) => [
      key,
      key === "parameters" ? value : { ...(value as Json), responses: answer, callbacks: undefined },
    ]),
  );
}

/** Replaces references by what they name. Requests have no circular ones. */
function resolve(value: unknown, whole: Json): Json {
  const visit = (each: unknown): unknown => {
    if (Array.isArray(each)) return each.map(visit);
    if (typeof each !== "object" || each === null) return each;
    if ("$ref" in each && typeof each.$ref === "string") {
      const names = each.$ref.replace("#/", "").split("/");
      return visit(names.reduce<unknown>((at, name) => (at as Json)[name], whole));
    }
    return Object.fromEntries(Object.entries(each).map(([key, inner]) => [key, visit(inner)]));
  };
  return visit(value) as Json;
}

/** Lets bodies have no other fields than those described: GitHub ignores others, so that a misspelt one goes unseen. */
function closeBodies(document: Json): Json {
  for (const path of Object.values(document["paths"] as Record<string, Record<string, Json>>)) {
    for (const operation of Object.values(path)) {
      const body = operation["requestBody"] as { content?: Record<string, { schema: Json }> } | undefined;
      for (const { schema } of Object.values(body?.content ?? {})) {
        const alternatives = (schema["oneOf"] ?? schema["anyOf"] ?? [schema]) as Json[];
        for (const each of alternatives) if (each["type"] === "object") each["additionalProperties"] = false;
      }
    }
  }
  return document;
}
