import type { Problem } from "../problem.ts";

/**
 * The problems that `after` has and `before` had not. Lines may shift and pages may move: a problem is the same one at
 * the same place when path, kind and target agree, and one that vanished elsewhere with the same kind and target has
 * moved along with its page.
 */
export function newProblems(before: readonly Problem[], after: readonly Problem[]): Problem[] {
  const fresh = subtract(after, before, (problem) => `${problem.path}\0${content(problem)}`);
  const gone = subtract(before, after, (problem) => `${problem.path}\0${content(problem)}`);
  return subtract(fresh, gone, content);
}

function content({ kind, target, message }: Problem): string {
  return `${kind}\0${target ?? message}`;
}

/** `from` less one for each of `less` with the same key. */
function subtract(from: readonly Problem[], less: readonly Problem[], key: (problem: Problem) => string): Problem[] {
  const counts = new Map<string, number>();
  for (const problem of less) counts.set(key(problem), (counts.get(key(problem)) ?? 0) + 1);
  return from.filter((problem) => {
    const count = counts.get(key(problem)) ?? 0;
    counts.set(key(problem), count - 1);
    return count <= 0;
  });
}

/** What to write instead may take a look at the whole site; what is wrong does not. */
export function withoutSuggestion(problem: Problem): Problem {
  const plain = { ...problem };
  delete plain.suggestion;
  return plain;
}
