/**
 * Writes `examples/access.log.gz`, the log of a site that does not exist: everything in it is made up, by a seed, with addresses that
 * are reserved for documentation and with the user agents of real clients. Write it again after the pages of `examples/docs` changed.
 */
import { writeFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { SAMPLE, writeSampleLog } from "./sample-log/sample-log.ts";

const file = new URL("../examples/access.log.gz", import.meta.url);
const log = writeSampleLog(SAMPLE);
const compressed = gzipSync(log, { level: 9 });
await writeFile(file, compressed);
console.log(`Wrote ${log.split("\n").length - 1} lines, ${compressed.length} bytes compressed.`);
