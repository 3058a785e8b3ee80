import { Worker } from "node:worker_threads";

/** What a program answered, or that it did not within its time. */
export type ThreadOutcome<Result> = { result: Result } | "took too long";

/**
 * Runs a program on a thread of its own, which is stopped when it takes too long: for work whose time depends on what
 * others wrote. The program reads `workerData` and posts one message, its result.
 * @throws what the program throws.
 */
export async function runOnThread<Result>(
  program: URL,
  workerData: object,
  msMax: number,
): Promise<ThreadOutcome<Result>> {
  const worker = new Worker(program, { workerData });
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<ThreadOutcome<Result>>((resolve, reject) => {
      timer = setTimeout(resolve, msMax, "took too long");
      worker.once("message", (result: Result) => resolve({ result }));
      worker.once("error", reject);
      worker.once("exit", () => reject(new Error("A thread ended without a result.")));
    });
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
