import type { Refusal } from "../../workspace/refusal.ts";
import type { FileChange } from "../../workspace/tree.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** Applies changes that belong together: all of them, or none and the refusal of the one that may not be made. */
export async function applyChanges(workspace: Workspace, changes: readonly FileChange[]): Promise<Refusal | undefined> {
  const undone: FileChange[] = [];
  for (const change of changes) {
    const before = await currentState(workspace, change.path);
    const refusal = await applyChange(workspace, change);
    if (refusal !== undefined) {
      for (const earlier of undone.toReversed()) await applyChange(workspace, earlier);
      return refusal;
    }
    undone.push(before);
  }
  return undefined;
}

/** The change that brings a file back to what it is now. */
export async function currentState(workspace: Workspace, path: string): Promise<FileChange> {
  const entry = (await workspace.list()).find((each) => each.path === path);
  if (entry === undefined) return { path, mode: "100644", content: null };
  return { path, mode: entry.mode, content: (await workspace.read(path)) ?? null };
}

async function applyChange(workspace: Workspace, change: FileChange): Promise<Refusal | undefined> {
  return change.content === null
    ? workspace.remove(change.path)
    : workspace.write(change.path, change.content, change.mode);
}
