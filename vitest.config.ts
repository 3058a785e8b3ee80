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
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
