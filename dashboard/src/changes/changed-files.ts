export interface ChangedFile {
  /** Stays the same while a diff grows: the path, and which of several parts of that path this is. */
  key: string;
  path: string;
  /** Where it was before; null unless it was moved. */
  oldPath: string | null;
  status: "added" | "deleted" | "modified" | "renamed";
  isBinary: boolean;
  additions: number;
  deletions: number;
  /** Lines of diff, those for context included. */
  lines: number;
  /** As in `100644`; null where git names none. */
  oldMode: string | null;
  newMode: string | null;
  /** Object ids of the content; null where the file is not there or the diff does not say. */
  oldOid: string | null;
  newOid: string | null;
  /** Its own part of the diff. Read it with `parseHunks` once it is shown. */
  part: string;
}

export interface FileContent {
  /** Null: the file is not there, or it is binary. */
  oldContent: string | null;
  newContent: string | null;
}

const START = "diff --git ";

/**
 * Splits a unified diff into its files. Reads only what the list shows, so that 16 MiB take some hundred milliseconds.
 * @param isComplete false: the diff was cut off somewhere, and its last file is left out.
 */
export function parseChangedFiles(diff: string, isComplete = true): ChangedFile[] {
  const parts = splitPatch(diff);
  if (!isComplete) parts.pop();
  const seen = new Map<string, number>();
  return parts.map((part) => {
    const file = parseFile(part);
    const count = seen.get(file.path) ?? 0;
    seen.set(file.path, count + 1);
    return { ...file, key: count === 0 ? file.path : `${file.path}\n${count}` };
  });
}

/** Content lines begin with a space, `+`, `-` or `\`, so a line that begins with START can only be git's. */
function splitPatch(patch: string): string[] {
  const parts: string[] = [];
  let at = patch.startsWith(START) ? 0 : next(patch, 0);
  while (at !== -1) {
    const end = next(patch, at);
    parts.push(patch.slice(at, end === -1 ? undefined : end));
    at = end;
  }
  return parts;
}

function next(patch: string, at: number): number {
  const found = patch.indexOf(`\n${START}`, at);
  return found === -1 ? -1 : found + 1;
}

function parseFile(part: string): Omit<ChangedFile, "key"> {
  const hunksAt = part.indexOf("\n@@ ");
  const header = hunksAt === -1 ? part : part.slice(0, hunksAt);
  const line = (prefix: string): string | null => {
    const at = header.indexOf(`\n${prefix}`);
    if (at === -1) return null;
    const end = header.indexOf("\n", at + 1);
    return header.slice(at + 1 + prefix.length, end === -1 ? undefined : end);
  };
  const named = (prefix: string): string | null => {
    // git ends a name that holds a space with a tab here.
    const name = line(prefix)?.replace(/\t$/, "");
    return name === undefined || name === "/dev/null" ? null : unquote(name).replace(/^[ab]\//, "");
  };
  const both = parseFirstLine(part.slice(START.length, endOfLine(part)));
  const from = line("rename from ");
  const oldName = from === null ? (named("--- ") ?? both) : unquote(from);
  const newName = from === null ? (named("+++ ") ?? oldName) : unquote(line("rename to ") ?? "");
  const added = line("new file mode ");
  const deleted = line("deleted file mode ");
  const index = /^([0-9a-f]+)\.\.([0-9a-f]+)(?: (\d+))?/.exec(line("index ") ?? "");
  const oid = (value: string | undefined) => (value === undefined || /^0+$/.test(value) ? null : value);
  return {
    path: newName,
    oldPath: from === null ? null : oldName,
    status: from !== null ? "renamed" : added !== null ? "added" : deleted !== null ? "deleted" : "modified",
    isBinary: hunksAt === -1 && (line("Binary files ") !== null || line("GIT binary patch") !== null),
    oldMode: line("old mode ") ?? deleted ?? index?.[3] ?? null,
    newMode: line("new mode ") ?? added ?? index?.[3] ?? null,
    oldOid: oid(index?.[1]),
    newOid: oid(index?.[2]),
    ...countLines(part, hunksAt),
    part,
  };
}

function endOfLine(text: string): number {
  const end = text.indexOf("\n");
  return end === -1 ? text.length : end;
}

/** The path in `a/path b/path`, where both are the same: that of a file whose content git does not show. */
function parseFirstLine(names: string): string {
  if (names.startsWith('"')) return unquote(/^"(?:[^"\\]|\\.)*"/.exec(names)?.[0] ?? names).replace(/^a\//, "");
  return names.slice("a/".length, (names.length - 1) / 2);
}

const ESCAPES: Readonly<Record<string, string>> = { a: "\x07", b: "\b", t: "\t", n: "\n", v: "\v", f: "\f", r: "\r" };

/** A path as git quotes it: in quotation marks, with bytes in octal. */
function unquote(name: string): string {
  if (!name.startsWith('"')) return name;
  const bytes: number[] = [];
  const encoder = new TextEncoder();
  for (const [piece, octal, escaped] of name.slice(1, -1).matchAll(/\\([0-7]{3})|\\(.)|[^\\]+/g)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8));
    else bytes.push(...encoder.encode(escaped === undefined ? piece : (ESCAPES[escaped] ?? escaped)));
  }
  return new TextDecoder().decode(new Uint8Array(bytes));
}

function countLines(part: string, hunksAt: number): { additions: number; deletions: number; lines: number } {
  let additions = 0;
  let deletions = 0;
  let lines = 0;
  for (let at = hunksAt; at !== -1 && at + 1 < part.length; at = part.indexOf("\n", at + 1)) {
    const first = part[at + 1];
    if (first === "+") additions++;
    else if (first === "-") deletions++;
    lines++;
  }
  return { additions, deletions, lines };
}
