import { runOnThread } from "../../limited-thread.ts";
import type { Refusal } from "../refusal.ts";
import { editText, type TextEdit } from "../edit.ts";

/**
 * Looking for a text can take time by the square of its size: a page of 1 MB in one line took 30 s, one of equal
 * lines 53 s. At this size the worst takes 0.2 s.
 */
const INLINE_CHARACTERS_MAX = 50_000;
const EDIT_MS_MAX = 10_000;

/** The same as `editText`, for files and edits of any size: the event loop goes on meanwhile, and it ends. */
export async function editLargeText(
  content: Uint8Array,
  edits: readonly TextEdit[],
): Promise<{ content: Uint8Array } | Refusal> {
  // Each edit reads the whole file anew.
  const size = edits.reduce((sum, edit) => sum + content.length + edit.old.length + edit.new.length, 0);
  if (size <= INLINE_CHARACTERS_MAX) return editText(content, edits);
  const program = new URL("./edit-thread.ts", import.meta.url);
  const outcome = await runOnThread<{ content: Uint8Array } | Refusal>(program, { content, edits }, EDIT_MS_MAX);
  if (outcome !== "took too long") return outcome.result;
  return {
    refused: `The edits took longer than ${EDIT_MS_MAX / 1000} s in a file of ${content.length} bytes. Make fewer or shorter ones at once.`,
  };
}
