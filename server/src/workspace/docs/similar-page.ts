import type { SitePage } from "./framework/framework.ts";
import { baseName, withoutPageSuffix } from "./paths.ts";

function parts(path: string): string[] {
  return withoutPageSuffix(path.replace(/[?#].*$/s, ""))
    .split("/")
    .filter((part) => part !== "" && part !== "." && part !== "..");
}

/** The last part that names something: `guides/install/index` is about `install`. */
function lastName(path: string): string {
  const names = parts(path);
  const last = names.at(-1) ?? "";
  return (/^(?:index|readme)$/i.test(last) ? (names.at(-2) ?? last) : last).toLowerCase();
}

function one<Item>(found: readonly Item[]): Item | undefined {
  return found.length === 1 ? found[0] : undefined;
}

/**
 * The page that a reference which leads nowhere certainly means: the only one at that address in another case, else the
 * only one of that name (the end of its file's name or of its address), else the only one whose title is the link's text.
 */
export function onlySimilarPage(
  reference: string,
  pages: readonly SitePage[],
  byTitle?: { text: string | null; titleOf(path: string): string | null },
): string | undefined {
  const own = pages.filter((page) => page.route !== null);
  const whole = parts(reference).join("/").toLowerCase();
  if (whole !== "") {
    const sameAddress = own.filter(
      ({ path, route }) =>
        parts(route ?? "")
          .join("/")
          .toLowerCase() === whole || parts(path).join("/").toLowerCase() === whole,
    );
    if (sameAddress.length > 0) return one(sameAddress)?.path;
    const name = lastName(reference);
    const sameName = own.filter(({ path, route }) => lastName(path) === name || lastName(route ?? "") === name);
    if (sameName.length > 0) return one(sameName)?.path;
  }
  const text = byTitle?.text?.trim().toLowerCase() ?? "";
  if (byTitle === undefined || text === "") return undefined;
  return one(own.filter(({ path }) => byTitle.titleOf(path)?.trim().toLowerCase() === text))?.path;
}

/** The only file whose name is that of the reference. */
export function onlyFileNamed(reference: string, paths: readonly string[]): string | undefined {
  const name = baseName(reference).toLowerCase();
  return name === "" ? undefined : one(paths.filter((path) => baseName(path).toLowerCase() === name));
}
