import type { ContextTree } from "../../workspace/context-tree.ts";
import type { Refusal } from "../../workspace/refusal.ts";
import { isJsonObject } from "../json-object.ts";
import type { ToolCall } from "../transcript.ts";

/**
 * The repositories that a job may read beside its own, by name, each opened when it is first asked for. One that cannot
 * be opened says why.
 */
export type ContextTrees = ReadonlyMap<string, () => Promise<ContextTree | Refusal>>;

/** What of a tool's context is needed here. */
interface MayReadContext {
  contextTrees?: ContextTrees;
}

/** A path or glob in one of them: `@name/rest`. */
export interface ContextPlace {
  name: string;
  /** Without slashes at its start; `""` for the whole repository. */
  path: string;
  open(): Promise<ContextTree | Refusal>;
}

const CONTEXT_PATH = /^(?:\.?\/)*@([^/]+)(?:\/+(.*))?$/s;
const READING = new Set(["list_files", "read_file", "search"]);
const PATH_FIELDS = ["path", "from", "to", "glob"];

/** Where a path or glob points when it names a context repository; undefined for all others. */
export function contextPlace(context: MayReadContext, path: string): ContextPlace | undefined {
  const [, name = "", rest = ""] = CONTEXT_PATH.exec(path.trim()) ?? [];
  const open = context.contextTrees?.get(name);
  return open === undefined ? undefined : { name, path: rest, open };
}

/** Why a call that is not one of reading may not name a context repository; undefined when it does not. */
export function contextRefusal({ toolName, input }: ToolCall, context: MayReadContext): string | undefined {
  if (READING.has(toolName) || !isJsonObject(input)) return undefined;
  for (const field of PATH_FIELDS) {
    const value = input[field];
    const place = typeof value === "string" ? contextPlace(context, value) : undefined;
    if (place !== undefined) {
      return `@${place.name} is a repository to read: list_files, read_file and search work on it, and nothing in it can be changed or checked. Change the documentation instead.`;
    }
  }
  return undefined;
}
