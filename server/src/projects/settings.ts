import type { ProjectSettings } from "../database/schema.ts";

/** What is wrong with a branch's name, by the rules of git-check-ref-format(1); undefined when nothing is. */
export function refProblem(ref: string): string | undefined {
  const broken =
    ref === "HEAD" ||
    ref === "@" ||
    /^$|[\p{Cc}\p{Cs} ~^:?*[\\]|\.\.|@\{|\/\/|^[-/.]|\/\.|[/.]$|\.lock(\/|$)/u.test(ref);
  return broken ? `ref: ${JSON.stringify(ref)} is not a valid branch name.` : undefined;
}

/** What is wrong with the settings beyond their types, naming the field; undefined when nothing is. */
export function settingsProblem({ docsPath }: ProjectSettings): string | undefined {
  if (docsPath === undefined || docsPath === "") return undefined;
  const parts = docsPath.split("/");
  if (!docsPath.includes("\\") && parts.every((part) => part !== "" && part !== "." && part !== "..")) return undefined;
  return "settings.docsPath: give a folder inside the repository, like docs or packages/site, without slashes at its ends and without . or .. parts.";
}

/** Whether this is the origin of a website as browsers write it: scheme, host and port only, in lower case. */
export function isOrigin(text: string): boolean {
  return /^https?:\/\//.test(text) && URL.parse(text)?.origin === text;
}
