import { lazy, type ComponentType, type LazyExoticComponent } from "react";
import { connection } from "../connection.ts";

/**
 * A component whose code is fetched when it is first shown. While the service is away it waits; code that is missing although
 * the service answers is of an older build, and what draws it fails.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => {
    try {
      return await load();
    } catch (error) {
      let wasAway = false;
      while (await connection.untilUp()) wasAway = true;
      try {
        return await load();
      } catch {
        if (!wasAway) throw error;
        // Chromium remembers for the life of a page that a module could not be fetched (whatwg/html#6768), and the service may
        // have come back as a newer one. What somebody has written is kept as a draft.
        location.reload();
        return await new Promise<never>(() => {});
      }
    }
  });
}
