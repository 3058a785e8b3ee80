import { GitError, runGit } from "./git.ts";

/** `cat-file --batch-command` came with 2.36. */
const VERSION_MIN = [2, 36] as const;

/** Parses what `git version` prints, e.g. `git version 2.39.5 (Apple Git-154)`. Undefined when it is something else. */
export function parseGitVersion(output: string): readonly [number, number] | undefined {
  const match = /^git version (\d+)\.(\d+)/.exec(output);
  return match === null ? undefined : [Number(match[1]), Number(match[2])];
}

/** Why this git cannot be used, as one sentence to print at the start; undefined when it can. */
export function gitVersionDefect(version: readonly [number, number] | undefined): string | undefined {
  const minimum = VERSION_MIN.join(".");
  if (version === undefined) return `Docent needs git ${minimum} or newer; "git version" printed something unknown.`;
  const [major, minor] = version;
  if (major > VERSION_MIN[0] || (major === VERSION_MIN[0] && minor >= VERSION_MIN[1])) return undefined;
  return `Docent needs git ${minimum} or newer; this machine has ${version.join(".")}. Install a newer git and start again.`;
}

/** @throws Error with one clear sentence when git is missing or too old. To be called once at the start. */
export async function requireGit(): Promise<void> {
  const output = await runGit(["version"]).catch((error: unknown) => {
    if (!(error instanceof GitError)) throw error;
    throw new Error(
      `Docent needs git ${VERSION_MIN.join(".")} or newer, and could not start it: ${error.stderr.trim()}`,
    );
  });
  const defect = gitVersionDefect(parseGitVersion(output.stdout.toString("utf8")));
  if (defect !== undefined) throw new Error(defect);
}
