import { editProse, type ProsePage } from "./prose.ts";

/** Edits the prose of one page at a time for prose-pages.ts. Ends with the channel to its parent. */
process.on("message", (page: ProsePage) => {
  process.send?.(editProse(page));
});
process.on("disconnect", () => process.exit());
