import type { Task } from "./task.ts";

/** What must be true of a job at its end. */
export interface Expectation {
  jobId: string;
  /** Every message that was acknowledged, in order. */
  tasks: Task[];
  status: "completed" | "failed" | "archived";
  failureReason?: RegExp;
  /**
   * One for each pull request that it makes, oldest first: how many of the turns that published something are in it.
   * Absent: all are in one. Archived jobs may have none.
   */
  pullRequests?: { turns: number; state: "open" | "merged" | "closed" }[];
  /** What people pushed to the branch of the last pull request, by path. */
  pushedByPeople?: Record<string, string>;
  /** What the files of a turn are, where the prompts are not tasks. */
  filesOf?: (prompt: string) => Record<string, string>;
}
