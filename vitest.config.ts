import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: [
      "server/src/**/*.test.ts",
      "sdk/src/**/*.test.ts",
      "cli/src/**/*.test.ts",
      "tracker/src/**/*.test.ts",
      "scripts/**/*.test.ts",
    ],
    globalSetup: ["server/src/database/testing/postgres.ts"],
    pool: "forks",
    // Two also where there are two processors, of which vitest would leave one idle: tests wait for processes and git.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
