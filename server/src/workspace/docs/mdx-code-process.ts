import { newMdxCode } from "./mdx-code.ts";
import type { ChangedPage } from "./new-code.ts";

/** Finds the code that one page's change brings, for new-code.ts. It ends when its parent does. */
process.on("message", ({ before, after }: ChangedPage) => {
  process.send?.(newMdxCode(before, after));
});
