import picomatch from "picomatch";
import Type from "typebox";
import { defineCheck, listed, type CheckKind } from "./check-kind.ts";

export const pathsSchema = Type.Union([
  Type.String({ minLength: 1 }),
  Type.Array(Type.String({ minLength: 1 }), { minItems: 1 }),
]);

/** Globs as picomatch reads them; one that begins with `!` takes out what the others match. */
export function matcher(globs: string | readonly string[]): (path: string) => boolean {
  const all = [globs].flat();
  const takenOut = all.filter((glob) => glob.startsWith("!")).map((glob) => glob.slice(1));
  return picomatch(
    all.filter((glob) => !glob.startsWith("!")),
    { dot: true, ...(takenOut.length === 0 ? {} : { ignore: takenOut }) },
  );
}

/** Checks on which files there are and which differ from the base. */
export const FILE_CHECKS: Readonly<Record<string, CheckKind>> = {
  exists: defineCheck(pathsSchema, "a path or a list of paths", (paths, { tree }) =>
    [paths]
      .flat()
      .filter((path) => !tree.paths.includes(path))
      .map((path) => `${path} is not there.`),
  ),
  absent: defineCheck(pathsSchema, "a path or a list of paths", (paths, { tree }) =>
    [paths]
      .flat()
      .filter((path) => tree.paths.includes(path))
      .map((path) => `${path} is there, and should not be.`),
  ),
  changed: defineCheck(pathsSchema, "a glob or a list of globs; each must match a changed file", (globs, { tree }) =>
    [globs]
      .flat()
      .filter((glob) => ![...tree.changes.keys()].some(matcher(glob)))
      .map((glob) => `nothing that matches ${glob} has changed.`),
  ),
  unchanged: defineCheck(pathsSchema, "a glob or a list of globs", (globs, { tree }) => {
    const touched = [...tree.changes.keys()].filter(matcher(globs));
    return touched.length === 0 ? [] : [`these should not have changed: ${listed(touched)}.`];
  }),
  changedOnly: defineCheck(pathsSchema, "a glob or a list of globs", (globs, { tree }) => {
    const allowed = matcher(globs);
    const others = [...tree.changes.keys()].filter((path) => !allowed(path));
    return others.length === 0 ? [] : [`these changed as well: ${listed(others)}.`];
  }),
};
