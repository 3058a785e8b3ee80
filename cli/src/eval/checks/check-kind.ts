import type { Static, TSchema } from "typebox";
import type { TreePair } from "../tree.ts";

/** A defect of the documentation, as the docs checks name it. */
export interface DocsProblem {
  path: string;
  line: number;
  message: string;
  target?: string;
}

/** The documentation of the result, understood as its framework does. */
export interface DocsView {
  problems: readonly DocsProblem[];
  /** Those that the base did not have. */
  introduced: readonly DocsProblem[];
  inNavigation(path: string): Promise<boolean>;
  close(): Promise<void>;
}

export interface CheckContext {
  tree: TreePair;
  /** Opened when the first check asks for it. */
  docs(): Promise<DocsView>;
}

/** One kind of check, as suites name it. */
export interface CheckKind {
  schema: TSchema;
  /** What it takes, in words. */
  takes: string;
  /** @param value fits the schema. */
  run(value: unknown, context: CheckContext): Promise<string[]>;
}

export function defineCheck<Schema extends TSchema>(
  schema: Schema,
  takes: string,
  run: (value: Static<Schema>, context: CheckContext) => Promise<string[]> | string[],
): CheckKind {
  return { schema, takes, run: async (value, context) => run(value as Static<Schema>, context) };
}

const LISTED_MAX = 8;

/** A few of many, in one line. */
export function listed(items: readonly string[]): string {
  const shown = items.slice(0, LISTED_MAX).join(", ");
  return items.length > LISTED_MAX ? `${shown} and ${items.length - LISTED_MAX} more` : shown;
}
