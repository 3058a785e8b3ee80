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
