import type { Random } from "./random.ts";
import { page, type Task } from "./task.ts";

/** A task of one to three files, of which a later one of the same job may replace some; some break a link at first. */
export function randomTask(random: Random, job: string, number: number): Task {
  const id = `${job}-${number}`;
  const files: Record<string, string> = {};
  const count = Math.floor(random.between(1, 4));
  for (let index = 0; index < count; index++) {
    // The first file is every task's, so that a follow-up stands on what was there before.
    const name = index === 0 ? "first" : `${number}-${index}`;
    files[`${job}/${name}.mdx`] = page(`${id} ${name}`, `${random.between(0, 1)}\n\n`.repeat(5).trimEnd());
  }
  return { id, files, ...(random.chance(0.2) ? { isBrokenAtFirst: true } : {}) };
}
