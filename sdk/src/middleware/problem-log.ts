const QUIET_MS = 60_000;

/** Passes the first problem of each kind on, and then one a minute at most. */
export function createProblemLog(
  write: (problem: string) => void,
  clock: () => number,
): (kind: string, problem: string) => void {
  const last = new Map<string, number>();
  return (kind, problem) => {
    const now = clock();
    if (now - (last.get(kind) ?? Number.NEGATIVE_INFINITY) < QUIET_MS) return;
    last.set(kind, now);
    try {
      write(problem);
    } catch {
      // Nothing that fails here may reach a response.
    }
  };
}
