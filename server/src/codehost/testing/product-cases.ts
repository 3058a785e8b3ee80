import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import type { CodeHost } from "../codehost.ts";
import type { CodeHostConnection } from "../connection.ts";
import type { ApiRequest, Fault } from "./product.ts";
import type { ProductHarness } from "./product-harness.ts";
import { addWithBranch, CREATION, refusalOf } from "./creation.ts";
import { holdTimeouts } from "./timeouts.ts";

interface ProductCases<Harness extends ProductHarness> {
  /** The one of the file, once it is there. */
  harness: () => Harness;
  createHost(connection: CodeHostConnection): CodeHost;
  /** Whether this request opens a pull request. */
  isCreation(request: ApiRequest): boolean;
  /** The header that holds the token. */
  authorization(token: string): string;
  /** The path at which the API has a repository. */
  repositoryPath(name: string): string;
  /** The first pull request of a repository, as the product keeps it. */
  firstOf(harness: Harness, repository: string): { title: string } | undefined;
  draft: {
    /** What stands before the titles of drafts. */
    prefix: string;
    /** What a person may write instead. */
    otherPrefix: string;
  };
}

/** What products that were made for these tests can show, beyond what `describeCodeHost` asks of all. */
export function describeProductCases<Harness extends ProductHarness>(cases: ProductCases<Harness>): void {
  describe("as other code hosts", () => {
    test("a GitHub App is none of its credentials", () => {
      const credential = { type: "github-app", appId: 1, installationId: null, privateKey: "k" } as const;
      const make = () => cases.createHost({ url: "https://git.example", credential, fetch, clock: () => new Date() });
      expect(make).toThrow(/access token/);
    });

    test("no refusal holds the token, not in its causes either", async () => {
      const { host, server, token, ...harness } = cases.harness();
      const { name } = await addWithBranch(harness);
      const statuses = [401, 403, 404, 422, 500];
      for (const how of ["cut" as const, ...statuses.map((status) => ({ status }))]) {
        server.failOn(() => ({ when: "before", how }));
        const refusal = await refusalOf(host.createPullRequest(name, CREATION));
        expect(inspect(refusal, { depth: 10, showHidden: true })).not.toContain(token);
      }
    });

    test.each<Fault["how"]>(["cut", "hold", { status: 502 }])(
      "a pull request that was opened with its answer lost (%j) is found, and stays the only one",
      async (how) => {
        const { host, server, ...harness } = cases.harness();
        const repository = await addWithBranch(harness);
        const timeouts = holdTimeouts();
        server.failOn((request) =>
          cases.isCreation(request) ? { when: "after", how, onDone: () => timeouts.pass() } : undefined,
        );
        const opening = host.createPullRequest(repository.name, CREATION);
        expect(await refusalOf(opening)).toMatchObject({ code: "unavailable" });
        server.failOn(() => undefined);
        timeouts.release();
        expect(await host.findPullRequest(repository.name, "work")).toMatchObject({ number: 1, state: "open" });
        const again = host.createPullRequest(repository.name, CREATION);
        expect(await refusalOf(again)).toMatchObject({ code: "pull_request_exists" });
        expect(await repository.countPullRequests()).toBe(1);
      },
    );

    test("what a person made ready stays ready, and what they made a draft stays one", async () => {
      const harness = cases.harness();
      const { prefix, otherPrefix } = cases.draft;
      const { name } = await addWithBranch(harness);
      const { number } = await harness.host.createPullRequest(name, { ...CREATION, draft: true });
      const stored = cases.firstOf(harness, name);
      expect(stored?.title).toBe(`${prefix} Say hello`);
      for (const [given, kept] of [
        ["Say hello", "Greet"],
        [`${otherPrefix} Say hello`, `${prefix} Greet`],
      ]) {
        if (stored !== undefined) stored.title = given ?? "";
        expect((await harness.host.getPullRequest(name, number))?.title).toBe("Say hello");
        const updated = await harness.host.updatePullRequest(name, number, { title: "Greet", body: "" });
        expect(updated.title).toBe("Greet");
        expect(stored?.title).toBe(kept);
      }
    });

    test("the token goes to the API in its header alone", async () => {
      const { host, server, token, addRepository } = cases.harness();
      const { name } = await addRepository();
      await host.getRepository(name);
      const asked = server.requests.at(-1);
      expect(asked?.headers).toMatchObject({ authorization: cases.authorization(token), "user-agent": "docent" });
      expect(asked?.path).toBe(cases.repositoryPath(name));
      expect(asked?.query.size).toBe(0);
    });
  });
}
