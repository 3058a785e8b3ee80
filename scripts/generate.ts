/**
 * Writes what follows from the code: `openapi.json` from the routes, from it the types of the client library, the
 * references of the variables, of how readers are classified and of the offline model's instructions, the minified
 * browser script, and the middleware in plain JavaScript.
 * With `--check` it writes nothing and fails when a file is not what it would write.
 */
import { readFile, writeFile } from "node:fs/promises";
import { describeOffline } from "../server/src/agent/models/offline/describe.ts";
import { describeClassification } from "../server/src/analytics/classify/describe.ts";
import { describeConfig } from "../server/src/config.ts";
import { describeApi } from "../server/src/http/description.ts";
import { bundleMiddleware } from "./generate/middleware.ts";
import { minifyTracker } from "./generate/tracker.ts";
import { generateTypes } from "./generate/types.ts";

const GENERATED = "<!-- Written by `npm run generate`; change the code instead. -->";
const OFFLINE_RULES = `It follows a fixed grammar, the same way each time, with no key and no network. It never guesses: an instruction that it does
not understand, or that could mean two things, fails the job with a reason that quotes it, and nothing is changed. A broken link is
mended only where exactly one answer is certain; the rest is named in the pull request. A term is replaced in pages
(\`.md\`, \`.mdx\`) and in the framework's navigation files, everywhere unless you say \`prose only\`.
`;

const root = new URL("../", import.meta.url);
const description = await describeApi();
const files = {
  "openapi.json": `${JSON.stringify(description, null, 2)}\n`,
  "sdk/src/generated.ts": await generateTypes(description),
  "sdk/middleware.mjs": await bundleMiddleware(root),
  "tracker/tracker.js": await minifyTracker(new URL("tracker/src/tracker.ts", root)),
  "docs/classification.md": `# People, AI agents and bots\n\n${GENERATED}\n\n${describeClassification()}`,
  "docs/configuration.md": `# Configuration\n\n${GENERATED}\n\n${describeConfig()}`,
  "docs/offline-model.md": `# The offline model\n\n${GENERATED}\n\n${describeOffline()}\n\n${OFFLINE_RULES}`,
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
  console.error(`Out of date with the code: ${stale.join(", ")}. Run: npm run generate`);
  process.exitCode = 1;
} else {
  console.log(
    stale.length > 0 ? `Wrote ${stale.join(" and ")}.` : `${Object.keys(files).join(" and ")} are up to date.`,
  );
}
