/** How a task may end: with changes, without any because none are called for, or with the job's refusal. */
export type Outcome = "changed" | "unchanged" | "refused";

/** Where a task's documentation comes from: a folder or repository on this machine, or a public repository at a commit. */
export type TaskSource = { path: string; commit?: string } | { url: string; commit: string };

/** One check of a task: its kind and what it was given. */
export interface TaskCheck {
  kind: string;
  value: unknown;
  /** Where it stands, for messages: `checks[2].contains`. */
  place: string;
}

export interface Task {
  name: string;
  /** The file that defines it. */
  file: string;
  tags: readonly string[];
  source: TaskSource;
  /** Folder of the documentation; found by itself when absent. */
  docsPath?: string;
  instruction: string;
  /** Sent one after another, each when the job has come to rest. */
  followUps: readonly string[];
  outcomes: readonly Outcome[];
  checks: readonly TaskCheck[];
}
