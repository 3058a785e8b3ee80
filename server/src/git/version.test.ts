import { expect, test } from "vitest";
import { gitVersionDefect, parseGitVersion, requireGit } from "./version.ts";

test.each([
  ["git version 2.39.5\n", [2, 39]],
  ["git version 2.45.2 (Apple Git-154)", [2, 45]],
  ["git version 2.50.0.windows.1", [2, 50]],
  ["hg version 6", undefined],
])("reads %j", (output, version) => {
  expect(parseGitVersion(output)).toEqual(version);
});

test("says what is needed when git is older, and nothing when it will do", () => {
  expect(gitVersionDefect([2, 35])).toMatch(/needs git 2\.36 or newer; this machine has 2\.35/);
  expect(gitVersionDefect([1, 99])).toMatch(/2\.36/);
  expect(gitVersionDefect(undefined)).toMatch(/2\.36/);
  expect(gitVersionDefect([2, 36])).toBeUndefined();
  expect(gitVersionDefect([3, 0])).toBeUndefined();
});

test("this machine's git will do", async () => {
  await expect(requireGit()).resolves.toBeUndefined();
});
