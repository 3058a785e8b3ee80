import { expect, test } from "vitest";
import { refuseNode } from "./version-guard.ts";

test.each(["24.0.0", "24.21.0", "26.1.0"])("Node %s is fine", (version) => {
  expect(refuseNode(version)).toBeUndefined();
});

test.each(["18.20.4", "20.20.0", "22.18.0", "23.11.1"])("Node %s is refused with the way to start", (version) => {
  expect(refuseNode(version)).toContain(`this is ${version}`);
  expect(refuseNode(version)).toContain("./docent serve");
});
