import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { runGit } from "../../git/git.ts";

const UPKEEP_MS = 3_600_000;

/**
 * git's own thresholds (git-gc(1)), which everything else in Docent switches off so that no job waits for it. Objects that no
 * ref names stay for two weeks: a commit is written before its branch is.
 */
const GC_CONFIG = {
  "gc.auto": "6700",
  "gc.autoPackLimit": "50",
  "gc.autoDetach": "false",
  "gc.pruneExpire": "2.weeks.ago",
};

export interface Upkeep {
  start(): void;
  /** Packs the repositories that have collected many loose objects, one after the other. */
  tick(): Promise<void>;
  stop(): Promise<void>;
}

/** Keeps busy repositories quick: jobs and pushes leave loose objects behind, and looking through thousands is slow. */
export function createUpkeep(dependencies: {
  repositoriesDirectory: string;
  log: { warn(context: object, message: string): void };
}): Upkeep {
  const { repositoriesDirectory, log } = dependencies;
  const stopped = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();

  async function round(): Promise<void> {
    const names = await readdir(repositoriesDirectory).catch((): string[] => []);
    for (const name of names.filter((each) => each.endsWith(".git"))) {
      if (stopped.signal.aborted) return;
      try {
        const gitDir = join(repositoriesDirectory, name);
        await runGit(["gc", "--auto", "--quiet"], { gitDir, config: GC_CONFIG, signal: stopped.signal });
      } catch (error) {
        if (!stopped.signal.aborted) log.warn({ err: error, repository: name }, "a repository could not be packed");
      }
    }
  }

  const upkeep: Upkeep = {
    start() {
      timer = setInterval(() => void upkeep.tick(), UPKEEP_MS);
    },
    tick() {
      running = running.then(round);
      return running;
    },
    async stop() {
      clearInterval(timer);
      stopped.abort();
      await running;
    },
  };
  return upkeep;
}
