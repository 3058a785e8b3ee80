import type { Docent, Project } from "@docent/sdk";
import { credentialOf, type CredentialValues } from "./credential-fields.tsx";

type Creation = Parameters<Docent["projects"]["create"]>[0];

/** Where a new project's documentation comes from. */
export type Source = "url" | "github" | "gitlab" | "gitea" | "path" | "empty";

export const SOURCES: readonly { source: Source; label: string; description: string }[] = [
  {
    source: "url",
    label: "Import a Git repository",
    description: "From any http(s) URL into Docent's own host; the original is never written to.",
  },
  { source: "github", label: "GitHub", description: "Pull requests are opened there. Enterprise too." },
  { source: "gitlab", label: "GitLab", description: "Merge requests are opened there. Self-hosted too." },
  { source: "gitea", label: "Gitea or Forgejo", description: "Pull requests are opened there. Codeberg, for example." },
  {
    source: "path",
    label: "Import from the server's disk",
    description: "A repository on the machine that runs Docent.",
  },
  { source: "empty", label: "Start empty", description: "A new repository with a first page, in Docent's own host." },
];

export interface NewProjectValues {
  source: Source;
  name: string;
  repository: string;
  codeHostUrl: string;
  ref: string;
  credential: CredentialValues;
}

export function codeHostOf(source: Source): Exclude<Project["codeHost"], "builtin"> | undefined {
  return source === "url" || source === "path" || source === "empty" ? undefined : source;
}

/** What is asked of the service for these fields. */
export function creationOf({ source, name, repository, codeHostUrl, ref, credential }: NewProjectValues): Creation {
  const codeHost = codeHostOf(source);
  const given = codeHost === undefined ? undefined : credentialOf(credential);
  return {
    name: name.trim(),
    ...(source === "empty" ? {} : { repository: repository.trim() }),
    ...(codeHost === undefined ? {} : { codeHost }),
    ...(codeHost === undefined || codeHostUrl.trim() === "" ? {} : { codeHostUrl: codeHostUrl.trim() }),
    ...(given === undefined ? {} : { credential: given }),
    ...(source === "empty" || ref.trim() === "" ? {} : { ref: ref.trim() }),
  };
}

/** A name for the project from its repository's: `https://github.com/you/docs.git` is docs. */
export function nameOf(repository: string): string {
  const last = repository.trim().replace(/\/+$/, "").split(/[/:]/).at(-1) ?? "";
  return last.replace(/\.git$/, "");
}
