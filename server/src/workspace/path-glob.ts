import { createContext, Script } from "node:vm";
import picomatch from "picomatch";
import type { Refusal } from "./refusal.ts";

const GLOB_CHARACTERS_MAX = 10_000;
/**
 * Globs are tried on the event loop, so that nothing else goes on meanwhile. A tree of 50,000 paths takes 50 ms of processor
 * time; the rest is room for a machine so busy that 300 ms passed over a handful of paths.
 */
const MATCHING_MS_MAX = 2_000;

const context = createContext({ run: () => {} });
const script = new Script("run()");

/**
 * The paths that match one of the globs. Globs become regular expressions, and one such as `*?*?*?*?*?*x` can take
 * for ever on an ordinary path: it is stopped and refused.
 */
export function matchPaths(
  paths: readonly string[],
  globs: readonly string[],
  options: { dot: boolean; nonegate?: boolean },
): ReadonlySet<string> | Refusal {
  if (globs.some((glob) => glob.length > GLOB_CHARACTERS_MAX)) {
    return { refused: `A glob may have at most ${GLOB_CHARACTERS_MAX} characters. Use a shorter one.` };
  }
  let matching: ReadonlySet<string> | undefined;
  // The only way to stop a regular expression on this thread is the time-out of a script that runs it.
  context["run"] = () => {
    const matches = picomatch([...globs], options);
    matching = new Set(paths.filter((path) => matches(path)));
  };
  try {
    script.runInContext(context, { timeout: MATCHING_MS_MAX });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT") {
      return { refused: `The glob took longer than ${MATCHING_MS_MAX} ms to match. Use fewer wildcards.` };
    }
    // What picomatch makes of odd brackets may be no regular expression, or one too deep to compile.
    return { refused: "This is not a valid glob. Use *, **, ? and {a,b}." };
  } finally {
    context["run"] = () => {};
  }
  return matching ?? new Set();
}

/** The paths that match a glob as people write it: without a slash it means files of that name in any folder. */
export function matchPathGlob(paths: readonly string[], glob: string): ReadonlySet<string> | Refusal {
  const plain = glob.replace(/^\.?\//, "");
  return matchPaths(paths, [plain.includes("/") ? plain : `**/${plain}`], { dot: true });
}
