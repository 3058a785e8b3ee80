import picomatch from "picomatch";

/** Matches paths against a glob as people write it: without a slash it means files of that name in any folder. */
export function pathGlob(glob: string): (path: string) => boolean {
  const plain = glob.replace(/^\.?\//, "");
  return picomatch(plain.includes("/") ? plain : `**/${plain}`, { dot: true });
}
