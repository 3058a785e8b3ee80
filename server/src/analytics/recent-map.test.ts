import fc from "fast-check";
import { expect, test } from "vitest";
import { createRecentMap } from "./recent-map.ts";

test("keeps the last keys that were asked for, and forgets", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 8 }), fc.array(fc.integer({ min: 0, max: 20 })), (size, keys) => {
      const map = createRecentMap<number>(size);
      const used: number[] = [];
      for (const key of keys) {
        const found = map.get(String(key));
        expect(found === undefined || found === key).toBe(true);
        const lastUsed = new Set(used.slice(-size));
        if (lastUsed.has(key)) expect(found).toBe(key);
        if (found === undefined) map.set(String(key), key);
        used.push(key);
      }
      const kept = Array.from({ length: 21 }, (_, key) => key).filter((key) => map.get(String(key)) !== undefined);
      expect(kept.length).toBeLessThanOrEqual(2 * size);
    }),
  );
});

test("takes a new value for a key", () => {
  const map = createRecentMap<string>(1);
  map.set("a", "old");
  map.set("a", "new");
  map.set("b", "b");
  expect(map.get("a")).toBe("new");
});
