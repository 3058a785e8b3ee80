import { posix } from "node:path";

export function folderOf(path: string): string {
  const folder = posix.dirname(path);
  return folder === "." ? "" : folder;
}

export function baseName(path: string): string {
  return posix.basename(path);
}

/** Joins and normalises; undefined when the result climbs out of the repository. */
export function joinPath(folder: string, path: string): string | undefined {
  const joined = posix.normalize(posix.join(folder === "" ? "." : folder, path)).replace(/\/$/, "");
  if (joined === ".." || joined.startsWith("../")) return undefined;
  return joined === "." || joined === "/" ? "" : joined.replace(/^\//, "");
}

/** Without `.md` or `.mdx`. */
export function withoutPageSuffix(path: string): string {
  return path.replace(/\.mdx?$/i, "");
}

export function isPagePath(path: string): boolean {
  return /\.mdx?$/i.test(path);
}

/** True for `path` itself and everything under it; the empty folder holds everything. */
export function isUnder(path: string, folder: string): boolean {
  return folder === "" || path === folder || path.startsWith(`${folder}/`);
}

/** The path of `to` as seen from the folder of `from`, e.g. `../a/b.md`; never with `./` in front. */
export function relativePath(from: string, to: string): string {
  return posix.relative(folderOf(`/${from}`), `/${to}`);
}
