import { createJob, type JobClient } from "./client.ts";
import type { Expectation } from "./expectation.ts";
import { pushAsPerson } from "./person.ts";
import type { Order } from "./point.ts";
import type { Stage } from "./stage.ts";
import { page, type Task } from "./task.ts";

/** One way in which a job's life can go, as its client plays it. */
export interface Shape {
  name: string;
  /** Where the worker waits for the client to do something in the very middle. */
  waits?: Order[];
  /** Plays the client to the end of the job and says what must be true then. `tag` is unique in a run. */
  play(stage: Stage, tag: string, moments: Moments): Promise<Expectation>;
}

/** What happens in the middle of a job. */
export interface Moments {
  /** Called once, when a worker waits as the shape told it to; it goes on afterwards. */
  onWait(listener: () => Promise<void>): void;
}

function task(tag: string, number: number, rest: Partial<Task> = {}): Task {
  const id = `${tag}-${number}`;
  const files = { [`${tag}/page-${number}.mdx`]: page(id, `Written for ${id}.`) };
  return { id, files, ...rest };
}

/** Two files in one answer; the follow-up replaces one of them and adds another. */
function firstTask(tag: string): Task {
  const id = `${tag}-1`;
  return {
    id,
    files: {
      [`${tag}/one.mdx`]: page(`${id} one`, "The first version."),
      [`${tag}/two.mdx`]: page(`${id} two`, "Stays as it is."),
    },
  };
}

function secondTask(tag: string): Task {
  const id = `${tag}-2`;
  return {
    id,
    files: {
      [`${tag}/one.mdx`]: page(`${id} one`, "The second version."),
      [`${tag}/three.mdx`]: page(`${id} three`, "New."),
    },
  };
}

const completed = ({ jobId, tasks }: JobClient): Expectation => ({ jobId, tasks, status: "completed" });

/** Two turns: a job, and a follow-up once it rests. */
export const FOLLOW_UP: Shape = {
  name: "a job and a follow-up",
  async play(stage, tag) {
    const client = await createJob(stage, firstTask(tag));
    await client.rest();
    await client.message(secondTask(tag));
    await client.rest();
    return completed(client);
  },
};

export const MESSAGE_DURING_TURN: Shape = {
  name: "a message while the model answers",
  async play(stage, tag) {
    let client: JobClient | undefined;
    stage.beforeAnswer = async ({ answers }) => {
      if (answers === 1 && client?.tasks.length === 1) await client.message(secondTask(tag));
    };
    client = await createJob(stage, firstTask(tag));
    await client.rest();
    return completed(client);
  },
};

const INTENT: Order = {
  name: "publish.ts recordIntent: commit",
  occurrence: 1,
  moment: "after",
  action: "wait",
};

const MESSAGE_DURING_PUBLISHING: Shape = {
  name: "a message while it is published",
  waits: [INTENT],
  async play(stage, tag, moments) {
    const client = await createJob(stage, firstTask(tag));
    moments.onWait(() => client.message(secondTask(tag)));
    await client.rest();
    // The worker may have died before.
    if (client.tasks.length === 1) {
      await client.message(secondTask(tag));
      await client.rest();
    }
    return completed(client);
  },
};

const ARCHIVE_DURING_PUBLISHING: Shape = {
  name: "an archive while it is published",
  waits: [INTENT],
  async play(stage, tag, moments) {
    const client = await createJob(stage, firstTask(tag));
    let isArchived = false;
    moments.onWait(async () => {
      isArchived = true;
      await client.archive();
    });
    await client.rest();
    if (!isArchived) await client.archive();
    await client.rest();
    return { ...completed(client), status: "archived" };
  },
};

const NOTE: Shape = {
  name: "problems go back to the model",
  async play(stage, tag) {
    const client = await createJob(stage, task(tag, 1, { isBrokenAtFirst: true }));
    await client.rest();
    return completed(client);
  },
};

const FAILED_TURN: Shape = {
  name: "a turn that fails, and a follow-up",
  async play(stage, tag) {
    const client = await createJob(stage, task(tag, 1, { givesUp: true }));
    await client.rest();
    await client.message(task(tag, 2));
    await client.rest();
    return completed(client);
  },
};

const MERGED_BETWEEN: Shape = {
  name: "a follow-up after the merge",
  async play(stage, tag) {
    const client = await createJob(stage, task(tag, 1));
    const job = await client.rest();
    const merged = await stage.host.mergePullRequest(stage.projectId, job.pullRequest?.number ?? 0);
    if (merged === undefined || "refused" in merged)
      throw new Error(`The merge was refused: ${JSON.stringify(merged)}`);
    await client.message(task(tag, 2));
    await client.rest();
    return {
      ...completed(client),
      pullRequests: [
        { turns: 1, state: "merged" },
        { turns: 1, state: "open" },
      ],
    };
  },
};

const PUSHED_MEANWHILE: Shape = {
  name: "a person pushes to the branch meanwhile",
  async play(stage, tag) {
    const path = `${tag}/by-a-person.mdx`;
    const content = page("By a person", "Kept.");
    const client = await createJob(stage, firstTask(tag));
    const job = await client.rest();
    let isPushed = false;
    stage.beforeAnswer = async ({ tasks }) => {
      if (tasks.length < 2 || isPushed) return;
      isPushed = true;
      await pushAsPerson(stage.gitDir, job.branch ?? "", path, content);
    };
    await client.message(secondTask(tag));
    await client.rest();
    return { ...completed(client), pushedByPeople: { [path]: content } };
  },
};

/** Every shape; the first is the one whose points are all gone through with every kind of death. */
export const SHAPES: readonly Shape[] = [
  FOLLOW_UP,
  MESSAGE_DURING_TURN,
  MESSAGE_DURING_PUBLISHING,
  ARCHIVE_DURING_PUBLISHING,
  NOTE,
  FAILED_TURN,
  MERGED_BETWEEN,
  PUSHED_MEANWHILE,
];
