import { expect, test } from "vitest";
import { splitPatch } from "./patch.ts";

test.each(["\r", "\u2028", "\u2029"])("what stands after %j in a line begins no file", (separator) => {
  const parts = ["a.md", "b.md"].map(
    (path) =>
      `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-x\n+y${separator}diff --git a/z b/z\n`,
  );
  expect(splitPatch(parts.join(""))).toEqual(parts);
});
