import { shorten } from "../../cli/src/spinner.ts";

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

/** Characters shown before the place where two lines part. */
const LEAD = 24;

/** The lines cut to a width, so that a removed line and the one put in its place both show where they differ. */
export function excerpts(lines: FileDiff["lines"], width: number): FileDiff["lines"] {
  return lines.map(({ sign, text }, index) => {
    const other = sign === "-" ? lines[index + 1] : lines[index - 1];
    const own = text.trim();
    if (other === undefined || other.sign === sign || own.length <= width) return { sign, text: shorten(own, width) };
    const start = Math.min(commonStart(own, other.text.trim()) - LEAD, own.length - width);
    return { sign, text: shorten(start > 0 ? `…${own.slice(start + 1)}` : own, width) };
  });
}

function commonStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length;
}
