import type { Purpose } from "../view.ts";
import { readTable, wordPattern } from "./table.ts";

/** An AI agent that says who it is. */
export interface Agent {
  name: string;
  /** Who runs it; empty when anybody may, or nobody knows. */
  operator: string;
  purpose: Exclude<Purpose, "none" | "reader">;
  pattern: RegExp;
  /** The pattern as it stands in the table. */
  words: string;
  /** Where name, operator and purpose are from: the operator's own page where there is one. */
  source: string;
}

/** `agents.tsv`, in the order in which they are tried: a more special name stands before a more general one. */
export const AGENTS: readonly Agent[] = readTable<"name" | "operator" | "purpose" | "pattern" | "source">(
  "agents.tsv",
).map((row) => ({
  name: row.name,
  operator: row.operator,
  purpose: row.purpose as Agent["purpose"],
  pattern: wordPattern(row.pattern),
  words: row.pattern,
  source: row.source,
}));

const ANY_AGENT = new RegExp(AGENTS.map(({ pattern }) => pattern.source).join("|"), "i");
const BY_NAME = new Map(AGENTS.map((agent) => [agent.name, agent]));

/** The AI agent that a user agent names. */
export function findAgent(userAgent: string): Agent | undefined {
  if (!ANY_AGENT.test(userAgent)) return undefined;
  return AGENTS.find(({ pattern }) => pattern.test(userAgent));
}

/**
 * Who runs the AI agent of this name (null when nobody knows), and what it reads for. A name that is not in the list is
 * what a reader of Markdown sent that did not say more.
 */
export function describeAgent(name: string): { operator: string | null; purpose: Exclude<Purpose, "none"> } {
  const agent = BY_NAME.get(name);
  return agent === undefined
    ? { operator: null, purpose: "reader" }
    : { operator: agent.operator === "" ? null : agent.operator, purpose: agent.purpose };
}
