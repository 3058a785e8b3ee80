import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: [
      "server/src/**/*.test.ts",
      "sdk/src/**/*.test.ts",
      "cli/src/**/*.test.ts",
      "tracker/src/**/*.test.ts",
      "dashboard/src/**/*.test.{ts,tsx}",
      "scripts/**/*.test.ts",
    ],
    globalSetup: ["server/src/database/testing/postgres.ts"],
    pool: "forks",
    // On two cores vitest would take one worker. Tests wait for PostgreSQL, git and Chromium as much as they compute: two take two thirds of the time.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
