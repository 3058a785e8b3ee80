/**
 * Writes what follows from the routes: `openapi.json`, and from it the types of the client library.
 * With `--check` it writes nothing and fails when a file is not what it would write.
 */
import { readFile, writeFile } from "node:fs/promises";
import { describeApi } from "../server/src/http/description.ts";
import { generateTypes } from "./generate/types.ts";

const root = new URL("../", import.meta.url);
const description = await describeApi();
const files = {
  "openapi.json": `${JSON.stringify(description, null, 2)}\n`,
  "sdk/src/generated.ts": await generateTypes(description),
};

const check = process.argv.includes("--check");
const stale: string[] = [];
for (const [path, content] of Object.entries(files)) {
  const url = new URL(path, root);
  const present = await readFile(url, "utf8").catch(() => undefined);
  if (present === content) continue;
  stale.push(path);
  if (!check) await writeFile(url, content);
}

if (check && stale.length > 0) {
  console.error(`Out of date with the routes in server/src/http: ${stale.join(", ")}. Run: npm run generate`);
  process.exitCode = 1;
} else {
  console.log(
    stale.length > 0 ? `Wrote ${stale.join(" and ")}.` : `${Object.keys(files).join(" and ")} are up to date.`,
  );
}
