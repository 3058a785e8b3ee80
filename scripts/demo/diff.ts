/** One file of a unified diff, its removed and added lines in order. */
export interface FileDiff {
  path: string;
  lines: { sign: "-" | "+"; text: string }[];
}

/** Reads a unified diff as git prints it. Context lines and binary files' contents are left out. */
export function parseDiff(diff: string): FileDiff[] {
  const files: FileDiff[] = [];
  let inHunk = false;
  for (const line of diff.split("\n")) {
    const file = files.at(-1);
    if (line.startsWith("diff --git ")) {
      files.push({ path: line.replace(/^.* b\//, ""), lines: [] });
      inHunk = false;
    } else if (line.startsWith("@@")) {
      inHunk = true;
    } else if (inHunk && file !== undefined && (line.startsWith("-") || line.startsWith("+"))) {
      file.lines.push({ sign: line.startsWith("-") ? "-" : "+", text: line.slice(1) });
    }
  }
  return files;
}

/** What `later` changes beyond `earlier`: files and lines that are not in both. */
export function subtractDiff(later: readonly FileDiff[], earlier: readonly FileDiff[]): FileDiff[] {
  return later.flatMap((file) => {
    const before = new Set(earlier.find(({ path }) => path === file.path)?.lines.map(({ sign, text }) => sign + text));
    const lines = file.lines.filter(({ sign, text }) => !before.has(sign + text));
    return lines.length === 0 ? [] : [{ path: file.path, lines }];
  });
}
