import type { Actor } from "../access/audit-log.ts";
import type { CodeHostCredential } from "../codehost/connection.ts";
import type { CodeHostName, ProjectSettings } from "../database/schema.ts";

/** A project as the API answers it. Every field is always present. */
export interface Project {
  id: string;
  name: string;
  codeHost: CodeHostName;
  /** The repository's full URL on the code host. */
  repository: string;
  /** The branch that jobs start from. `HEAD` while an import has not yet told the source's default branch. */
  ref: string;
  state: "importing" | "ready" | "failed";
  /** What went wrong and what to do; null unless `state` is `failed`. */
  importError: string | null;
  settings: ProjectSettings;
  /** ISO 8601 UTC. */
  createdAt: string;
}

export interface ProjectCreation {
  name: string;
  /**
   * Built-in host: what to import, an http(s) Git URL or an absolute path on the server's machine; absent for an empty
   * documentation repository. Another host: the repository to work on, its URL or `owner/name`.
   */
  repository?: string;
  /** Absent: `builtin`. */
  codeHost?: CodeHostName;
  /** Where people open the code host, when the repository's URL does not say it. */
  codeHostUrl?: string;
  /** Of the code host. Absent: the server's own. */
  credential?: CodeHostCredential;
  /** The branch that jobs start from. Absent: the source's default branch. */
  ref?: string;
  settings?: ProjectSettings;
}

export interface ProjectUpdate {
  name?: string;
  ref?: string;
  /** Replaces the code host's. */
  credential?: CodeHostCredential;
  /** Replaces the settings as a whole. */
  settings?: ProjectSettings;
}

/** `refused` names the field and says what is allowed: an answer with status 400. */
export type ProjectAnswer = { project: Project } | { refused: string };

export interface Projects {
  /** Returns at once; a repository is imported in the background, from `importing` to `ready` or `failed`. */
  create(creation: ProjectCreation, actor?: Actor): Promise<ProjectAnswer>;
  get(id: string): Promise<Project | undefined>;
  /** Newest first. */
  list(): Promise<Project[]>;
  /** Undefined when there is no such project. */
  update(id: string, update: ProjectUpdate, actor?: Actor): Promise<ProjectAnswer | undefined>;
  /**
   * Removes the project from every list and revokes its keys. Its jobs are the caller's to archive. The repository and
   * its pull requests stay on the disk, unreachable through Docent, until the administrator removes the directory.
   * False when there is no such project.
   */
  delete(id: string, actor?: Actor): Promise<boolean>;
  /** Starts the imports over that an earlier process left unfinished. Call it once at the start. */
  resumeImports(): Promise<void>;
  /** Stops running imports; the next start takes them up again. */
  close(): Promise<void>;
}
