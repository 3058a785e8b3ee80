import { readFile } from "node:fs/promises";
import { minify, transform } from "rolldown/utils";

/** What browsers of the last years run; `?.` and `??` are in it. */
const TARGET = "es2020";

/** The browser script as it is served: a classic script, minified, and the same bytes each time. */
export async function minifyTracker(source: URL): Promise<string> {
  const plain = await transform("tracker.ts", await readFile(source, "utf8"), { lang: "ts", target: TARGET });
  const small = await minify("tracker.js", plain.code, {
    module: false,
    compress: { target: TARGET },
    mangle: { toplevel: true },
  });
  const [problem] = [...plain.errors, ...small.errors];
  if (problem !== undefined) throw new Error(`The tracker cannot be minified: ${problem.message}`);
  return `${small.code}\n`;
}
