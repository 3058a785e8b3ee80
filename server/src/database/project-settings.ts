/** How a project wants its jobs done and its readers counted. What holds for an absent field is named with it. */
export interface ProjectSettings {
  /** The documentation's folder in the repository; found by itself when absent. */
  docsPath?: string;
  /** More path globs that may be published. */
  allow?: string[];
  /** Instructions for the agent, before those in the repository. */
  instructions?: string;
  /** Archive a job when its pull request is merged. */
  archiveOnMerge?: boolean;
  /** Archive a job when its pull request is closed without a merge. */
  archiveOnClose?: boolean;
  /** The model of new jobs, `provider:model`. The server's when absent. */
  model?: string;
  /** The model that a step is tried with when the job's own cannot answer. The server's when absent. */
  fallbackModel?: string;
  /** Other models that a job may name when it is created. */
  models?: string[];
  /** Globs of branches that a job may name as its `ref`, beside the project's own. */
  allowedRefs?: string[];
  /** What one job may cost in US dollars, follow-ups included. Of this and the server's limit the lower one holds. */
  costMaxUsd?: number;
  pullRequests?: PullRequestSettings;
  commits?: CommitSettings;
  /** Where job status changes are posted. */
  webhookUrl?: string;
  /** Whether comments on a job's pull request become messages: those that mention Docent and reviews (the default), or none. */
  comments?: "follow" | "ignore";
  contextRepositories?: ContextRepository[];
  /** New MDX imports from outside the docs, exports and expressions: name them in the pull request, or refuse them. */
  newMdxCode?: "list" | "refuse";
  analytics?: AnalyticsSettings;
}

/** How pull requests are opened. */
export interface PullRequestSettings {
  /** As drafts, unless a job says otherwise. */
  draft?: boolean;
  labels?: string[];
  /** Login names on the code host. */
  reviewers?: string[];
}

/** Whose name commits bear. */
export interface CommitSettings {
  /** Author and committer. Docent when absent. */
  name?: string;
  email?: string;
  /** As `Name <email>`. */
  coAuthors?: string[];
  /** Adds `Signed-off-by`: the Developer Certificate of Origin. */
  signOff?: boolean;
  /** Signs with the project's SSH key. */
  sign?: boolean;
}

/** A repository that the agent may read beside the documentation, and never writes. */
export interface ContextRepository {
  /** Its files are read under `@name/`. */
  name: string;
  /** An http(s) Git URL. On the project's own code host it is read with the project's credential. */
  url: string;
  /** Its default branch when absent. */
  ref?: string;
}

/** How a project counts its readers. What holds for an absent field is named with it. */
export interface AnalyticsSettings {
  /** Origins whose browsers may send views without a key, like `https://docs.example.com`. None. */
  origins?: string[];
  /** Which AI agents count as `ai`: all of them, or assistants and Markdown readers alone. All. */
  ai?: "all" | "assistants";
  /** The sources that count for people. All. */
  peopleSources?: ViewSource[];
  /** The sources that count for AI agents. All. */
  agentSources?: ViewSource[];
  /** How often the visitors' salt changes. After a change everybody counts as new. Never. */
  saltRotation?: "never" | "monthly" | "daily";
  /** Views of readers who send Global Privacy Control: counted as any, or dropped. Counted. */
  globalPrivacyControl?: "count" | "drop";
  /** For how many days views are kept, today included. Forever. */
  retentionDays?: number;
}

/** Where a view was seen. `api`: a caller of the collect endpoint that does not say otherwise. */
export type ViewSource = "tracker" | "middleware" | "log" | "api";
