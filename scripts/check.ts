import "../server/src/version-guard.ts";
import { spawn } from "node:child_process";
import { join } from "node:path";
import { styleText } from "node:util";

interface Check {
  name: string;
  command: readonly string[];
  /** What mends it, when one command can. */
  mend?: string;
}

const CHECKS: readonly Check[] = [
  { name: "types", command: ["tsc", "-p", "tsconfig.json"] },
  { name: "browser types", command: ["tsc", "-p", "tracker/tsconfig.json"] },
  { name: "dashboard types", command: ["tsc", "-p", "dashboard/tsconfig.json"] },
  { name: "dashboard tests", command: ["tsc", "-p", "dashboard/tsconfig.test.json"] },
  { name: "lint", command: ["oxlint", "--type-aware", "--deny-warnings"] },
  { name: "format", command: ["oxfmt", "--check", "."], mend: "npm run format" },
  { name: "dead code", command: ["knip", "--no-progress"] },
  { name: "generated files", command: ["node", "scripts/generate.ts", "--check"], mend: "npm run generate" },
];

const root = join(import.meta.dirname, "..");
const env = { ...process.env, PATH: `${join(root, "node_modules/.bin")}:${process.env["PATH"] ?? ""}` };

/** Runs a check to its end, its whole output kept for the case that it fails. */
function run(check: Check): Promise<{ passed: boolean; output: string; seconds: number }> {
  const started = performance.now();
  return new Promise((resolve) => {
    const [program = "", ...args] = check.command;
    const child = spawn(program, args, { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    const keep = (chunk: Buffer): void => {
      output += chunk.toString("utf8");
    };
    const end = (passed: boolean): void => resolve({ passed, output, seconds: (performance.now() - started) / 1000 });
    child.stdout.on("data", keep);
    child.stderr.on("data", keep);
    child.on("error", (error) => {
      output += error.message;
      end(false);
    });
    child.on("close", (code) => end(code === 0));
  });
}

let failures = 0;
for (const check of CHECKS) {
  const { passed, output, seconds } = await run(check);
  const mark = passed ? styleText("green", "✓") : styleText("red", "✗");
  console.log(`${mark} ${check.name.padEnd(16)} ${styleText("dim", `${seconds.toFixed(1)} s`)}`);
  if (passed) continue;
  failures += 1;
  console.log(output.trimEnd().replace(/^/gm, "  "));
  if (check.mend !== undefined) console.log(`  ${styleText("bold", `To mend it: ${check.mend}`)}`);
}
if (failures > 0) {
  console.log(`\n${failures} of ${CHECKS.length} checks failed.`);
  process.exitCode = 1;
}
