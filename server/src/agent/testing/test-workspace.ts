import { createHash } from "node:crypto";
import { openDocs } from "../../workspace/docs/docs.ts";
import type { FileChange, FileMode, TreeEntry } from "../../workspace/tree.ts";
import type { Workspace } from "../../workspace/workspace.ts";

export interface TestWorkspace {
  workspace: Workspace;
  /** A file's text as it is now, with its byte order mark; undefined when there is none. */
  text(path: string): Promise<string | undefined>;
  close(): Promise<void>;
}

/** TEMPORARY */
export async function createTestWorkspace(
  files: Record<string, string | Uint8Array>,
  options: { docsPath?: string; modes?: Record<string, FileMode> } = {},
): Promise<TestWorkspace> {
  const contents = new Map<string, { bytes: Uint8Array; mode: FileMode }>();
  for (const [path, content] of Object.entries(files)) {
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    contents.set(path, { bytes, mode: options.modes?.[path] ?? "100644" });
  }
  const changed = new Map<string, FileChange>();
  const workspace: Workspace = {
    baseCommit: "0".repeat(40),
    docs: () => openDocs(workspace, options.docsPath === undefined ? {} : { docsPath: options.docsPath }),
    list: () =>
      Promise.resolve(
        [...contents]
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([path, { bytes, mode }]): TreeEntry => ({
            path,
            mode,
            bytes: bytes.length,
            oid: createHash("sha1").update(bytes).digest("hex"),
          })),
      ),
    read: (path) => Promise.resolve(contents.get(path)?.bytes),
    write(path, content, mode) {
      if (/AGENTS\.md$/.test(path) || /^\.github/.test(path))
        return Promise.resolve({ refused: `${path} may not be changed.` });
      contents.set(path, { bytes: content, mode: mode ?? contents.get(path)?.mode ?? "100644" });
      changed.set(path, { path, mode: mode ?? "100644", content });
      return Promise.resolve(undefined);
    },
    remove(path) {
      contents.delete(path);
      changed.set(path, { path, mode: "100644", content: null });
      return Promise.resolve(undefined);
    },
    search({ pattern, literal, ignoreCase, matchesMax }) {
      const regex = new RegExp(
        literal ? pattern.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`) : pattern,
        ignoreCase ? "i" : "",
      );
      const matches = [...contents].flatMap(([path, { bytes }]) =>
        new TextDecoder()
          .decode(bytes)
          .split("\n")
          .flatMap((text, index) => (regex.test(text) ? [{ path, line: index + 1, text }] : [])),
      );
      return Promise.resolve({ matches: matches.slice(0, matchesMax), more: matches.length > matchesMax });
    },
    changes: () => Promise.resolve([...changed.values()]),
    takeUnsaved: () => [],
  };
  return {
    workspace,
    text: async (path) => {
      const bytes = await workspace.read(path);
      return bytes === undefined ? undefined : new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
    },
    close: () => Promise.resolve(),
  };
}
