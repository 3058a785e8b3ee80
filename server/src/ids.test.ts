import fc from "fast-check";
import { expect, test } from "vitest";
import { createId } from "./ids.ts";

test("an id is its prefix and 26 Crockford characters", () => {
  expect(createId("prj", new Date(1_700_000_000_000))).toMatch(/^prj_[0-9A-HJKMNP-TV-Z]{26}$/);
});

test("ids sort in the order they were made", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 2, maxLength: 200 }), (steps) => {
      let now = 1_700_000_000_000;
      const ids = steps.map((step) => createId("job", new Date((now += step))));
      expect(ids.toSorted()).toEqual(ids);
      expect(new Set(ids).size).toBe(ids.length);
    }),
  );
});
