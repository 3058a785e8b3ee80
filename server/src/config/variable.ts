import type { Parser } from "./parsers.ts";

/** One environment variable: what it is for, how it is read, and what holds without it. */
export interface Variable<T> {
  name: string;
  /** Another spelling that counts where this one is absent. */
  alias?: string;
  meaning: string;
  example: string;
  parse: Parser<T>;
  /** In the variable's own syntax; null when there is none, and the value is then null. */
  default: string | null;
  /** What holds without it, in words, where `default` does not say it. */
  otherwise?: string;
  /** Its value never appears in a message. */
  secret?: true;
  /** The command line's option for it. */
  flag?: string;
}

export function required<T>(variable: Variable<T> & { default: string }): Variable<T> & { default: string } {
  return variable;
}

export function optional<T>(variable: Omit<Variable<T>, "default">): Variable<T> & { default: null } {
  return { ...variable, default: null };
}
