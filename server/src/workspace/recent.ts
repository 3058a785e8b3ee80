/** Keeps the answers of the last `max` keys; concurrent askers of one key share one answer. Failures are not kept. */
export function createRecent<T>(max: number, load: (key: string) => Promise<T>) {
  const kept = new Map<string, Promise<T>>();
  return {
    get(key: string): Promise<T> {
      const found = kept.get(key);
      const value = found ?? load(key);
      // Maps keep insertion order: taking out and putting back makes this the newest.
      kept.delete(key);
      kept.set(key, value);
      if (found === undefined) {
        value.catch(() => {
          if (kept.get(key) === value) kept.delete(key);
        });
        const oldest = kept.keys().next();
        if (kept.size > max && oldest.done !== true) kept.delete(oldest.value);
      }
      return value;
    },
    clear(): void {
      kept.clear();
    },
  };
}
