/** Runs tasks one after another, in the order they came. */
export function createSerial() {
  let last: Promise<unknown> = Promise.resolve();
  return {
    run<T>(task: () => Promise<T>): Promise<T> {
      const result = last.then(task);
      last = result.catch(() => {});
      return result;
    },
  };
}
