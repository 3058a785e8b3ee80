import { decodeText } from "./text.ts";
import { findSecrets } from "./secrets.ts";
import { hasSvgScript } from "./svg-script.ts";
import type { FileChange } from "./tree.ts";
import type { Workspace } from "./workspace.ts";
import { isBinaryImage } from "./rules.ts";

/**
 * Looks at a job's final changes before they are published, with no model in it: the publishing rules again, the
 * project's caps on files and bytes, credentials in added lines, script in SVG images. Refusals are sentences for the
 * model and the user; they never hold a found credential.
 */
export async function reviewChanges(workspace: Workspace): Promise<{ refusals: string[] }> {
  const changes = await workspace.changes();
  const { filesMax, bytesMax } = workspace.rules;
  const refusals: string[] = [];
  if (changes.length > filesMax) {
    refusals.push(
      `The change touches ${changes.length} files; at most ${filesMax} may be published at once. Undo some of it.`,
    );
  }
  const bytes = changes.reduce((sum, change) => sum + (change.content?.length ?? 0), 0);
  if (bytes > bytesMax) {
    refusals.push(
      `The changed files have ${bytes} bytes together; at most ${bytesMax} may be published at once. Undo some of it.`,
    );
  }
  for (const change of changes) {
    const refusal = await workspace.check(change);
    if (refusal !== undefined) refusals.push(refusal.refused);
    refusals.push(...(await contentRefusals(workspace, change)));
  }
  return { refusals };
}

async function contentRefusals(workspace: Workspace, { path, content }: FileChange): Promise<string[]> {
  if (content === null || isBinaryImage(path)) return [];
  const decoded = decodeText(content);
  if ("refused" in decoded) return [];
  const before = await workspace.base.read(path);
  const isAdded = addedLines(before === undefined ? "" : new TextDecoder().decode(before), decoded.text);
  const refusals = findSecrets(decoded.text, isAdded).map(
    ({ kind, line }) =>
      `${path}, line ${line}: this looks like ${kind}. Take it out, or write a placeholder such as YOUR_KEY; whoever owns it should revoke it.`,
  );
  if (/\.svg$/i.test(path) && hasSvgScript(decoded.text)) {
    refusals.push(
      `${path} holds script or embedded HTML, which would run in a reader's browser. Use a plain SVG image.`,
    );
  }
  return refusals;
}

/** Which lines of `after` (1-based) are not in `before`, each of its lines excusing one. */
function addedLines(before: string, after: string): (line: number) => boolean {
  const lines = (text: string) => text.split(/\r\n|\n/);
  const left = new Map<string, number>();
  for (const line of lines(before)) left.set(line, (left.get(line) ?? 0) + 1);
  const added = new Set<number>();
  for (const [index, line] of lines(after).entries()) {
    const count = left.get(line) ?? 0;
    if (count === 0) added.add(index + 1);
    else left.set(line, count - 1);
  }
  return (line) => added.has(line);
}
