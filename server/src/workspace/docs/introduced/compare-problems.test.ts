import fc from "fast-check";
import { expect, test } from "vitest";
import type { Problem } from "../problem.ts";
import { newProblems } from "./compare-problems.ts";

const problem = (path: string, target: string, line = 1): Problem => ({
  kind: "link",
  path,
  line,
  column: 1,
  message: `${target} does not exist`,
  target,
});

test("a problem whose line shifted is not new", () => {
  expect(newProblems([problem("a.mdx", "/x", 3)], [problem("a.mdx", "/x", 30)])).toEqual([]);
});

test("a problem that moved along with its page is not new, a second one of the same kind is", () => {
  const after = [problem("b.mdx", "/x"), problem("c.mdx", "/x")];
  expect(newProblems([problem("a.mdx", "/x")], after)).toEqual([problem("c.mdx", "/x")]);
});

test("a problem that is elsewhere too is new where it was not", () => {
  const before = [problem("a.mdx", "/x")];
  expect(newProblems(before, [...before, problem("b.mdx", "/x")])).toEqual([problem("b.mdx", "/x")]);
});

test("whatever is added to what was there before is found, in any order, and nothing else", () => {
  const anyProblem = fc
    .tuple(fc.constantFrom("a", "b", "c"), fc.constantFrom("/x", "/y"), fc.nat(9))
    .map(([path, target, line]) => problem(path, target, line));
  fc.assert(
    fc.property(fc.array(anyProblem), fc.array(anyProblem), (before, added) => {
      const found = newProblems(before, [...added, ...before]);
      expect(found).toHaveLength(added.length);
      expect(newProblems(before, before)).toEqual([]);
      expect(newProblems([...added, ...before], before)).toEqual([]);
    }),
  );
});
