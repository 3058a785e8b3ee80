/** Values by key; the least recently used ones go first once all together weigh more than the bound. */
export interface WeightedCache<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
}

export function createWeightedCache<Value>(weigh: (value: Value) => number, weightMax: number): WeightedCache<Value> {
  const entries = new Map<string, { value: Value; weight: number }>();
  let total = 0;
  return {
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      entries.delete(key);
      entries.set(key, entry);
      return entry.value;
    },
    set(key, value) {
      total -= entries.get(key)?.weight ?? 0;
      entries.delete(key);
      const weight = weigh(value);
      entries.set(key, { value, weight });
      total += weight;
      for (const [oldest, entry] of entries) {
        if (total <= weightMax || oldest === key) break;
        entries.delete(oldest);
        total -= entry.weight;
      }
    },
  };
}
