import type { CodeHostHarness } from "../../testing/harness.ts";
import { createTestHost } from "./host.ts";

/** The built-in host, which has one user: whoever can write to it. */
export async function createBuiltinHarness(): Promise<CodeHostHarness> {
  const { host, database, addRepository, close } = await createTestHost();
  let count = 0;

  return {
    host,
    lacks: ["reviewers", "accounts", "archiving", "forks", "credentials"],
    async addRepository() {
      const name = `docs-${(count += 1)}`;
      const { gitDir } = await addRepository(name);
      return {
        name,
        gitDir,
        merge: async (number) => void (await host.mergePullRequest(name, number)),
        close: async (number) => void (await host.closePullRequest(name, number)),
        archive: absent,
        addPerson: absent,
        openFromFork: absent,
        say: async (number, body) => {
          await host.comments.add(name, number, { author: "Ada", body, marker: null });
        },
        async look(number) {
          const { draft, labels } = await database.database
            .selectFrom("builtin_pull_requests")
            .select(["draft", "labels"])
            .where("repository", "=", name)
            .where("number", "=", number)
            .executeTakeFirstOrThrow();
          const comments = (await host.comments.list(name, number)).map(({ body }) => body);
          return { isDraft: draft, labels, reviewers: [], comments };
        },
        async countPullRequests() {
          const rows = database.database.selectFrom("builtin_pull_requests").where("repository", "=", name);
          return (await rows.select("number").execute()).length;
        },
      };
    },
    connect: absent,
    verify: () => {},
    close,
  };
}

function absent(): Promise<never> {
  throw new Error("The built-in code host has no such thing.");
}
