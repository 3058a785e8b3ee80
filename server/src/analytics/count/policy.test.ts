import fc from "fast-check";
import { expect, test } from "vitest";
import { SOURCES, type Source } from "../view.ts";
import { policyOf, purposesOf, readPolicy, writePolicy } from "./policy.ts";

const sources = fc.array(fc.constantFrom(...SOURCES));

/** Absent and none chosen are the same: all. */
const chosen = (list: readonly Source[]): Set<Source> => new Set(list.length === 0 ? SOURCES : list);

test("without settings everything counts, and no source chosen is every source", () => {
  const everything = { ai: "all", people: SOURCES, agents: SOURCES };
  expect(policyOf({})).toEqual(everything);
  expect(policyOf({ ai: "all", peopleSources: [], agentSources: [] })).toEqual(everything);
  expect(policyOf({ ai: "assistants", peopleSources: ["log"] })).toEqual({
    ai: "assistants",
    people: ["log"],
    agents: SOURCES,
  });
});

test("policies have the same text exactly when the same views count", () => {
  fc.assert(
    fc.property(sources, sources, sources, sources, (people, agents, otherPeople, otherAgents) => {
      const text = writePolicy(policyOf({ peopleSources: people, agentSources: agents }));
      const otherText = writePolicy(policyOf({ peopleSources: otherPeople, agentSources: otherAgents }));
      const isSame = (one: readonly Source[], other: readonly Source[]): boolean =>
        chosen(one).symmetricDifference(chosen(other)).size === 0;
      expect(text === otherText).toBe(isSame(people, otherPeople) && isSame(agents, otherAgents));
    }),
  );
  expect(writePolicy(policyOf({ ai: "all" }))).not.toBe(writePolicy(policyOf({ ai: "assistants" })));
});

test("a policy is read back as it was written", () => {
  fc.assert(
    fc.property(fc.constantFrom("all", "assistants"), sources, sources, (ai, peopleSources, agentSources) => {
      const policy = policyOf({ ai, peopleSources, agentSources });
      expect(readPolicy(writePolicy(policy))).toEqual(policy);
    }),
  );
});

test("assistants are those who fetch for a person, and unknown readers of Markdown", () => {
  expect(purposesOf(policyOf({ ai: "assistants" }))).toEqual(["assistant", "reader"]);
  expect(purposesOf(policyOf({})).toSorted()).toEqual(["assistant", "none", "reader", "search", "training"]);
});
