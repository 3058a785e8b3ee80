import { expect, test } from "vitest";
import { createRowLoader } from "./row-loader.ts";

/** A table whose queries end when the test says so. */
function createTable(rows: Record<string, string>) {
  const queries: { keys: readonly string[]; end(): void; fail(error: Error): void }[] = [];
  const loader = createRowLoader<string>((keys) => {
    const found = new Map(keys.flatMap((key) => (rows[key] === undefined ? [] : [[key, rows[key]] as const])));
    return new Promise((resolve, reject) => queries.push({ keys, end: () => resolve(found), fail: reject }));
  });
  return { rows, queries, loader };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test("callers of one moment share a query, and each key is asked once", async () => {
  const { queries, loader } = createTable({ a: "A", b: "B" });
  const answers = Promise.all(["a", "b", "a", "c"].map((key) => loader.load(key)));
  await turn();
  expect(queries.map(({ keys }) => keys)).toEqual([["a", "b", "c"]]);
  queries[0]?.end();
  expect(await answers).toEqual(["A", "B", "A", undefined]);
});

test("who comes while a query is under way waits for the next, and sees what was written meanwhile", async () => {
  const { rows, queries, loader } = createTable({ a: "old" });
  const first = loader.load("a");
  await turn();
  rows["a"] = "new";
  const second = loader.load("a");
  const third = loader.load("b");
  await turn();
  expect(queries).toHaveLength(1);
  queries[0]?.end();
  expect(await first).toBe("old");
  await turn();
  expect(queries.map(({ keys }) => keys)).toEqual([["a"], ["a", "b"]]);
  queries[1]?.end();
  expect(await Promise.all([second, third])).toEqual(["new", undefined]);
});

test("a failed query fails for its callers alone", async () => {
  const { queries, loader } = createTable({ a: "A" });
  const failing = Promise.allSettled([loader.load("a")]);
  await turn();
  const waiting = loader.load("a");
  queries[0]?.fail(new Error("gone"));
  expect((await failing)[0].status).toBe("rejected");
  await turn();
  queries[1]?.end();
  expect(await waiting).toBe("A");
});

test("more keys than fit a query make several", async () => {
  const { queries, loader } = createTable({});
  const answers = Promise.all(Array.from({ length: 1_100 }, (_, index) => loader.load(String(index))));
  for (let round = 0; round < 5; round += 1) {
    await turn();
    for (const query of queries) query.end();
  }
  expect(await answers).toHaveLength(1_100);
  expect(queries.map(({ keys }) => keys.length)).toEqual([500, 500, 100]);
});
