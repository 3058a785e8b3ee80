import type { ProjectSettings } from "../database/schema.ts";

/** What is wrong with a branch's name, by the rules of git-check-ref-format(1); undefined when nothing is. */
export function refProblem(ref: string): string | undefined {
  const broken =
    ref === "HEAD" ||
    ref === "@" ||
    /^$|[\p{Cc}\p{Cs} ~^:?*[\\]|\.\.|@\{|\/\/|^[-/.]|\/\.|[/.]$|\.lock(\/|$)/u.test(ref);
  return broken ? `ref: ${JSON.stringify(ref)} is not a valid branch name.` : undefined;
}

/** What the server's own configuration decides of a project's settings. */
export interface SettingsChecks {
  /** What is wrong with a model's name, or what it lacks here; undefined when it can be used. */
  modelProblem(model: string): string | undefined;
  /** Names the setting. */
  webhookUrlProblem(url: string): string | undefined;
}

/** What is wrong with the settings beyond their types, naming the field; undefined when nothing is. */
export function settingsProblem(
  settings: ProjectSettings,
  { modelProblem, webhookUrlProblem }: SettingsChecks,
): string | undefined {
  return (
    docsPathProblem(settings) ??
    modelsProblem(settings, modelProblem) ??
    (settings.webhookUrl === undefined ? undefined : webhookUrlProblem(settings.webhookUrl)) ??
    commitsProblem(settings) ??
    contextProblem(settings)
  );
}

function docsPathProblem({ docsPath }: ProjectSettings): string | undefined {
  if (docsPath === undefined || docsPath === "") return undefined;
  const parts = docsPath.split("/");
  if (!docsPath.includes("\\") && parts.every((part) => part !== "" && part !== "." && part !== "..")) return undefined;
  return "settings.docsPath: give a folder inside the repository, like docs or packages/site, without slashes at its ends and without . or .. parts.";
}

function modelsProblem(
  { model, fallbackModel, models = [] }: ProjectSettings,
  modelProblem: (model: string) => string | undefined,
): string | undefined {
  const named: [string, string | undefined][] = [
    ["model", model],
    ["fallbackModel", fallbackModel],
    ...models.map((each, index): [string, string] => [`models.${index}`, each]),
  ];
  for (const [field, name] of named) {
    const problem = name === undefined ? undefined : modelProblem(name);
    if (problem !== undefined) return `settings.${field}: ${problem}`;
  }
  return undefined;
}

function commitsProblem({ commits }: ProjectSettings): string | undefined {
  if (commits === undefined || (commits.name === undefined) === (commits.email === undefined)) return undefined;
  return "settings.commits: name and email go together.";
}

function contextProblem({ contextRepositories = [] }: ProjectSettings): string | undefined {
  const names = new Set<string>();
  for (const [index, { name, url }] of contextRepositories.entries()) {
    const field = `settings.contextRepositories.${index}`;
    if (names.has(name)) return `${field}.name: ${name} is there twice.`;
    names.add(name);
    const parsed = URL.parse(url);
    const isPlain = parsed !== null && /^https?:$/.test(parsed.protocol) && parsed.username + parsed.password === "";
    if (!isPlain) return `${field}.url: give an http(s) Git URL without user info.`;
  }
  return undefined;
}

/** Whether this is the origin of a website as browsers write it: scheme, host and port only, in lower case. */
export function isOrigin(text: string): boolean {
  return /^https?:\/\//.test(text) && URL.parse(text)?.origin === text;
}
