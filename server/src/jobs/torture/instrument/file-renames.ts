import { promises as files } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { findCaller } from "./caller.ts";
import type { Trigger } from "./trigger.ts";

/** Makes every rename a point: it is how a complete file appears. */
export function instrumentFileRenames(trigger: Trigger): void {
  const { rename } = files;
  files.rename = async (from, to) => {
    const passage = trigger.begin(`${findCaller(new Error("where").stack)}: rename`, "settles");
    await passage?.reach("before");
    const renaming = rename(from, to);
    await passage?.reach("during");
    await renaming;
    await passage?.reach("after");
    passage?.pass();
  };
  syncBuiltinESMExports();
}
