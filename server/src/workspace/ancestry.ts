import type { CatFile } from "../git/cat-file.ts";

/** Enough for a job's own commits and what people added; beyond it git itself is faster than one read a commit. */
const STEPS_MAX = 64;

function parentsOf(commit: Buffer): string[] {
  const headers = commit.toString("latin1").split("\n\n", 1)[0] ?? "";
  return [...headers.matchAll(/^parent ([0-9a-f]+)$/gm)].flatMap((match) => match[1] ?? []);
}

/**
 * Walks back from `descendant` as far as the mirror's own commits go: "reached" when `ancestor` is met, else the
 * commits whose own history is still to be asked for. A commit names its parents even where a shallow mirror ends.
 */
export async function frontier(
  catFile: CatFile,
  ancestor: string,
  descendant: string,
): Promise<"reached" | readonly string[]> {
  const seen = new Set([descendant]);
  const open = [descendant];
  const ends: string[] = [];
  for (let step = 0; step < STEPS_MAX; step += 1) {
    const commit = open.shift();
    if (commit === undefined) return ends;
    const object = await catFile.read(commit);
    if (object === undefined) {
      ends.push(commit);
      continue;
    }
    for (const parent of parentsOf(object.bytes)) {
      if (parent === ancestor) return "reached";
      if (seen.has(parent)) continue;
      seen.add(parent);
      open.push(parent);
    }
  }
  return [...ends, ...open];
}
