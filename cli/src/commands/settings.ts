import type { ProjectSettings } from "@docent/sdk";
import { CommandError } from "../failure.ts";

type Tree = { [name: string]: unknown };

/**
 * Settings with some changed: each `set` is `field=value`, dots leading into a field's own fields, and the value JSON where it
 * is JSON, else text. What the fields may hold is the service's to say.
 */
export function withSettings(
  settings: ProjectSettings,
  set: readonly string[],
  unset: readonly string[],
): ProjectSettings {
  const changed = structuredClone(settings) as Tree;
  for (const change of set) {
    const equals = change.indexOf("=");
    if (equals < 1) throw new CommandError(`"${change}" sets nothing.`, "Write it as field=value.");
    place(changed, change.slice(0, equals), readValue(change.slice(equals + 1)));
  }
  for (const field of unset) place(changed, field, undefined);
  return changed;
}

/** The fields of these changes that the service did not keep: it passes over settings that it does not know. */
export function unknownSettings(kept: ProjectSettings, set: readonly string[]): string[] {
  return set.map((change) => change.slice(0, change.indexOf("="))).filter((field) => !holds(kept as Tree, field));
}

function holds(tree: Tree, field: string): boolean {
  let at: unknown = tree;
  for (const name of field.split(".")) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, name)) return false;
    at = (at as Tree)[name];
  }
  return true;
}

function place(tree: Tree, field: string, value: unknown): void {
  const names = field.split(".");
  const last = names.pop() ?? "";
  let at = tree;
  for (const name of names) {
    const below = Object.hasOwn(at, name) ? at[name] : undefined;
    const next = typeof below === "object" && below !== null && !Array.isArray(below) ? { ...below } : {};
    at[name] = next;
    at = next;
  }
  if (value === undefined) delete at[last];
  else at[last] = value;
}

function readValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
