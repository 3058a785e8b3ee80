import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { runGit } from "../../git/git.ts";

/**
 * Commits by full ref name, of the refs under the given prefixes (or exactly those refs; options of git-for-each-ref(1) go
 * before them). One process.
 */
export async function readRefs(gitDir: string, patterns: readonly string[]): Promise<Map<string, string>> {
  const { stdout } = await runGit(["for-each-ref", "--format=%(objectname) %(refname)", ...patterns], { gitDir });
  const lines = stdout.toString("utf8").split("\n").filter(Boolean);
  return new Map(lines.map((line) => [line.slice(line.indexOf(" ") + 1), line.slice(0, line.indexOf(" "))]));
}

/**
 * The same for exactly these refs, as far as they exist. Without a process where each lies in a file of its own, as what was
 * just pushed does: starting one stops everything else in this process for about 10 ms. Git is asked about any other form
 * (packed, symbolic, another storage). Format: gitrepository-layout(5), "refs".
 */
export async function readExactRefs(gitDir: string, refs: readonly string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const ref of refs) {
    const text = ref.includes("..") ? "" : await readFile(join(gitDir, ref), "utf8").catch(() => "");
    const commit = /^([0-9a-f]{40}|[0-9a-f]{64})\n$/.exec(text)?.[1];
    if (commit === undefined) return readRefs(gitDir, refs);
    found.set(ref, commit);
  }
  return found;
}

export async function isAncestor(gitDir: string, ancestor: string, descendant: string): Promise<boolean> {
  if (ancestor === descendant) return true;
  const options = { gitDir, okExitCodes: [0, 1] };
  return (await runGit(["merge-base", "--is-ancestor", ancestor, descendant], options)).exitCode === 0;
}

/** The best common ancestor, or undefined when the histories are unrelated. */
export async function mergeBase(gitDir: string, a: string, b: string): Promise<string | undefined> {
  const { stdout, exitCode } = await runGit(["merge-base", a, b], { gitDir, okExitCodes: [0, 1] });
  return exitCode === 0 ? stdout.toString("utf8").trim() : undefined;
}

/** Where a pull request's commits are kept, whatever becomes of its branches. The head is there for everyone to fetch. */
export function pullRequestRefs(number: number): { head: string; base: string } {
  return { head: `refs/pull/${number}/head`, base: `refs/docent/pull/${number}/base` };
}

/** Keeps both commits of each pull request reachable. Repeating it changes nothing. */
export async function pinPullRequests(
  gitDir: string,
  pins: readonly { number: number; head: string; base: string }[],
): Promise<void> {
  if (pins.length === 0) return;
  const stdin = pins
    .map(({ number, head, base }) => {
      const refs = pullRequestRefs(number);
      return `update ${refs.head} ${head}\nupdate ${refs.base} ${base}\n`;
    })
    .join("");
  await runGit(["update-ref", "--stdin"], { gitDir, stdin });
}
