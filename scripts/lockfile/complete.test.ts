import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { completeLockfile, type Lockfile } from "./complete.ts";

test("the lock file names every platform's packages; if not: node scripts/lockfile.ts", async () => {
  const lockfile: Lockfile = JSON.parse(await readFile(new URL("../../package-lock.json", import.meta.url), "utf8"));
  expect(completeLockfile(lockfile)).toEqual([]);
});

test("what is missing is added for its platform, and what lies beside or above is found", () => {
  const lockfile: Lockfile = {
    packages: {
      "node_modules/tool": {
        dev: true,
        optionalDependencies: { "@tool/linux-arm64-musl": "1.0.0", "@tool/darwin-x64": "1.0.0" },
      },
      "node_modules/@tool/darwin-x64": { version: "1.0.0" },
      "node_modules/a/node_modules/b": { optionalDependencies: { c: "2.0.0", d: "^2.0.0" } },
      "node_modules/a/node_modules/c": { version: "2.0.0" },
    },
  };
  expect(completeLockfile(lockfile)).toEqual(["@tool/linux-arm64-musl"]);
  expect(lockfile.packages["node_modules/@tool/linux-arm64-musl"]).toEqual({
    version: "1.0.0",
    cpu: ["arm64"],
    libc: ["musl"],
    os: ["linux"],
    dev: true,
    optional: true,
  });
});
