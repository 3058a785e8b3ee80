import { Compile } from "typebox/compile";
import { DOCS_CHECKS } from "./checks/docs.ts";
import { FILE_CHECKS } from "./checks/files.ts";
import { HASH_CHECKS } from "./checks/hashes.ts";
import { TEXT_CHECKS } from "./checks/text.ts";
import type { CheckContext, CheckKind } from "./checks/check-kind.ts";
import type { TaskCheck } from "./task.ts";

const KINDS: Readonly<Record<string, CheckKind>> = { ...FILE_CHECKS, ...TEXT_CHECKS, ...DOCS_CHECKS, ...HASH_CHECKS };

/** Why a check cannot be run as it is written; undefined when it can. */
export function checkFault({ kind, value, place }: TaskCheck): string | undefined {
  const known = KINDS[kind];
  if (known === undefined) return `\`${place}\` is not a known check. There are: ${Object.keys(KINDS).join(", ")}.`;
  const validator = Compile(known.schema);
  if (validator.Check(value)) return undefined;
  const [fault] = validator.Errors(value).sort((a, b) => b.instancePath.length - a.instancePath.length);
  const field = `${place}${(fault?.instancePath ?? "").replaceAll("/", ".")}`;
  return `\`${field}\` ${fault?.message ?? "is not valid"}. It takes ${known.takes}.`;
}

/** Runs the checks in order; each failure is a sentence that says what was expected and what there is. */
export async function runChecks(checks: readonly TaskCheck[], context: CheckContext): Promise<string[]> {
  const failures: string[] = [];
  for (const { kind, value, place } of checks) {
    const found = (await KINDS[kind]?.run(value, context)) ?? [];
    failures.push(...found.map((failure) => `${place}: ${failure}`));
  }
  return failures;
}
