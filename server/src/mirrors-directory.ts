import { hostname } from "node:os";
import { join } from "node:path";
import type { ControlDatabase } from "./control-database.ts";
import { claimOwnership } from "./database/ownership.ts";

/** Mirrors belong to one process at a time: each takes the first directory that no other process of this machine holds. */
export async function claimMirrorsDirectory(
  parent: string,
  connection: ControlDatabase["connection"],
  releases: (() => Promise<void>)[],
): Promise<string> {
  for (let number = 1; ; number++) {
    const directory = join(parent, String(number));
    const ownership = await claimOwnership({
      connection,
      name: `mirrors ${hostname()} ${directory}`,
      // Mirrors can be made anew; a worker whose database connection breaks notices it at its jobs.
      onLost: () => {},
    });
    if ("ownedBy" in ownership) continue;
    releases.push(() => ownership.release());
    return directory;
  }
}
