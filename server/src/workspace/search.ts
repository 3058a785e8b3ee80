import { GitError, runGit, spawnGit, type GitOptions } from "../git/git.ts";
import type { Refusal } from "./refusal.ts";

export interface SearchMatch {
  path: string;
  /** 1-based. */
  line: number;
  /** At most 1,000 characters. */
  text: string;
}

export interface SearchOptions {
  pattern: string;
  literal?: boolean;
  ignoreCase?: boolean;
  matchesMax: number;
  /** Which paths count; all when absent. */
  accepts?: (path: string) => boolean;
  /** After this many milliseconds the search is stopped and refused. */
  msMax: number;
  signal?: AbortSignal;
  /** More environment for git, e.g. where else to read objects. */
  env?: Readonly<Record<string, string>>;
}

const TEXT_LENGTH_MAX = 1000;

/** Whether this machine's git was built with PCRE; asked once. */
let perlSupport: Promise<boolean> | undefined;

async function hasPerlSupport(commit: string, options: GitOptions): Promise<boolean> {
  const args = ["grep", "-q", "-P", "-e", "^", commit, "--", ":(literal)no/such/file"];
  perlSupport ??= runGit(args, { ...options, okExitCodes: [0, 1] }).then(
    () => true,
    (error: unknown) => {
      if (error instanceof GitError && /perl-compatible/i.test(error.stderr)) return false;
      perlSupport = undefined;
      throw error;
    },
  );
  return perlSupport;
}

/** Cuts the output of `git grep -z -n` into matches: `<commit>:<path> NUL <line> NUL <text> LF`. */
function createMatchParser(prefixLength: number, onMatch: (match: SearchMatch) => void) {
  let rest: Buffer = Buffer.alloc(0);
  return {
    push(chunk: Buffer): void {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      for (;;) {
        const pathEnd = rest.indexOf(0);
        const lineEnd = pathEnd === -1 ? -1 : rest.indexOf(0, pathEnd + 1);
        const textEnd = lineEnd === -1 ? -1 : rest.indexOf(0x0a, lineEnd + 1);
        if (textEnd === -1) return;
        const text = rest.toString("utf8", lineEnd + 1, textEnd).replace(/\r$/, "");
        onMatch({
          path: rest.toString("utf8", prefixLength, pathEnd),
          line: Number(rest.toString("latin1", pathEnd + 1, lineEnd)),
          text: text.length > TEXT_LENGTH_MAX ? `${text.slice(0, TEXT_LENGTH_MAX)}…` : text,
        });
        rest = rest.subarray(textEnd + 1);
      }
    },
  };
}

function patternDefect(pattern: string): string | undefined {
  if (pattern === "") return "The pattern is empty. Give a word or a regular expression to look for.";
  if (/[\n\r\0]/.test(pattern)) {
    return "The pattern holds a line break or a NUL character. The search looks at one line at a time: search for a part of one line.";
  }
  return pattern.isWellFormed() ? undefined : "The pattern is not valid Unicode.";
}

function failureReason(stderr: string): string | undefined {
  if (/match limit|recursion limit|depth limit|error code -(?:46|47|53|63)/i.test(stderr)) {
    return "The regular expression takes too long on some line. Use a simpler one, without repetitions inside repetitions.";
  }
  const invalid =
    /fatal: (?:command line|-e option), '[^]*': ([^\n]+)/.exec(stderr) ?? /fatal: ([^\n]*regex[^\n]*)/i.exec(stderr);
  if (invalid?.[1] !== undefined) return `The pattern is not a valid regular expression: ${invalid[1]}.`;
  return undefined;
}

/**
 * Lines of the text files in a commit that match a Perl-compatible regular expression (an extended POSIX one where git
 * was built without PCRE), in path order. Content that the mirror left out is not searched.
 */
export async function searchCommit(
  gitDir: string,
  commit: string,
  options: SearchOptions,
): Promise<{ matches: SearchMatch[]; more: boolean } | Refusal> {
  const defect = patternDefect(options.pattern);
  if (defect !== undefined) return { refused: defect };
  options.signal?.throwIfAborted();
  const git: GitOptions = { gitDir, env: options.env ?? {} };
  const kind = options.literal === true ? "-F" : (await hasPerlSupport(commit, git)) ? "-P" : "-E";
  const args = ["grep", "-z", "-n", "-I", "--full-name", "--no-color", kind];
  if (options.ignoreCase === true) args.push("-i");
  // Letters and word ends of every script, not of ASCII alone.
  const unicode = kind === "-P" && /\\[bBdDsSwW]|\[:/.test(options.pattern) ? "(*UCP)" : "";
  args.push("-e", unicode + options.pattern, commit, "--");
  return new Promise((resolve, reject) => {
    const child = spawnGit(args, git);
    const matches: SearchMatch[] = [];
    let stderr = "";
    let more = false;
    let timedOut = false;
    const stop = () => child.kill("SIGKILL");
    const parser = createMatchParser(commit.length + 1, (match) => {
      if (more || options.accepts?.(match.path) === false) return;
      if (matches.length < options.matchesMax) matches.push(match);
      else {
        more = true;
        stop();
      }
    });
    const timer = setTimeout(() => {
      timedOut = true;
      stop();
    }, options.msMax);
    options.signal?.addEventListener("abort", stop, { once: true });
    child.stdin.on("error", () => {});
    child.stdin.end();
    child.stdout.on("data", (chunk: Buffer) => parser.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => {
      if (stderr.length < 64 * 1024) stderr += chunk.toString("utf8");
    });
    const settle = (outcome: () => void) => {
      clearTimeout(timer);
      options.signal?.removeEventListener("abort", stop);
      outcome();
    };
    child.on("error", (error) => settle(() => reject(new GitError("grep", null, error.message))));
    child.on("close", (exitCode) =>
      settle(() => {
        const reason = failureReason(stderr);
        if (options.signal?.aborted === true) reject(options.signal.reason as Error);
        else if (more || exitCode === 0 || exitCode === 1) resolve({ matches, more });
        else if (timedOut) {
          const seconds = options.msMax / 1000;
          resolve({
            refused: `The search was stopped after ${seconds} s without an end. Use a simpler pattern or a literal one, or a glob that takes in fewer files.`,
          });
        } else if (reason !== undefined) resolve({ refused: reason });
        else reject(new GitError("grep", exitCode, stderr));
      }),
    );
  });
}
