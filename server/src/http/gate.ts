/** Lets a number of callers in at one time; the others wait in line, and past a length of the line are turned away. */
export interface Gate {
  /** Resolves when it is the caller's turn, to the function that gives the place back (once; again does nothing). Undefined: turned away. */
  enter(): Promise<(() => void) | undefined>;
}

export function createGate(insideMax: number, waitingMax: number): Gate {
  let inside = 0;
  const waiting: (() => void)[] = [];

  function leaveOnce(): () => void {
    let left = false;
    return () => {
      if (left) return;
      left = true;
      const next = waiting.shift();
      // The place goes to the next in line without becoming free.
      if (next === undefined) inside -= 1;
      else next();
    };
  }

  return {
    async enter() {
      if (inside < insideMax) {
        inside += 1;
        return leaveOnce();
      }
      if (waiting.length >= waitingMax) return undefined;
      await new Promise<void>((resolve) => waiting.push(resolve));
      return leaveOnce();
    },
  };
}
