import type { AnalyticsSettings } from "../../database/schema.ts";
import { SOURCES, type Purpose, type Source } from "../view.ts";

/** Which views count for whom. Counts are made with one policy; another one makes them anew. */
export interface Policy {
  ai: "all" | "assistants";
  people: Source[];
  agents: Source[];
}

const AI_PURPOSES: Record<Policy["ai"], Purpose[]> = {
  all: ["none", "assistant", "search", "training", "reader"],
  assistants: ["assistant", "reader"],
};

export function policyOf({ ai, peopleSources, agentSources }: AnalyticsSettings): Policy {
  return { ai: ai ?? "all", people: inOrder(peopleSources), agents: inOrder(agentSources) };
}

/** Equal policies have equal texts. */
export function writePolicy({ ai, people, agents }: Policy): string {
  return JSON.stringify({ ai, people: inOrder(people), agents: inOrder(agents) });
}

export function readPolicy(text: string): Policy {
  return JSON.parse(text) as Policy;
}

/** The purposes of the agents that `ai` counts. */
export function purposesOf({ ai }: Policy): Purpose[] {
  return AI_PURPOSES[ai];
}

/** Absent or empty: all of them. */
function inOrder(sources: readonly Source[] | undefined): Source[] {
  return SOURCES.filter((source) => sources === undefined || sources.length === 0 || sources.includes(source));
}
