/**
 * Completes `package-lock.json` with the packages of other platforms. npm leaves out those that the registry in use does
 * not offer at that moment, and `npm ci` then refuses the file, here and on those platforms.
 *
 *     node scripts/lockfile.ts
 */
import { readFile, writeFile } from "node:fs/promises";
import { completeLockfile, type Lockfile } from "./lockfile/complete.ts";

const file = new URL("../package-lock.json", import.meta.url);
const lockfile: Lockfile = JSON.parse(await readFile(file, "utf8"));
const added = completeLockfile(lockfile);
if (added.length > 0) await writeFile(file, `${JSON.stringify(lockfile, null, 2)}\n`);
console.log(added.length === 0 ? "package-lock.json names every platform's packages." : `Added ${added.join(", ")}.`);
