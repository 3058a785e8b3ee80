import { readdir, readFile, stat } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import Type, { type Static } from "typebox";
import { Compile } from "typebox/compile";
import { parse, YAMLParseError } from "yaml";
import { CommandError } from "../failure.ts";
import { checkFault } from "./checks.ts";
import type { Task, TaskSource } from "./task.ts";

const sourceSchema = Type.Union([
  Type.Object(
    { path: Type.String({ minLength: 1 }), commit: Type.Optional(Type.String({ minLength: 1 })) },
    { additionalProperties: false },
  ),
  Type.Object(
    { url: Type.String({ pattern: "^https?://" }), commit: Type.String({ pattern: "^[0-9a-f]{40,64}$" }) },
    { additionalProperties: false },
  ),
]);

const OUTCOMES = ["changed", "unchanged", "refused"] as const;
const outcomeSchema = Type.Union(OUTCOMES.map((outcome) => Type.Literal(outcome)));

const taskSchema = Type.Object(
  {
    name: Type.String({ pattern: "^[a-z0-9][a-z0-9-]*$" }),
    tags: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
    repository: Type.Optional(sourceSchema),
    docsPath: Type.Optional(Type.String()),
    instruction: Type.String({ pattern: "\\S" }),
    followUps: Type.Optional(Type.Array(Type.String({ pattern: "\\S" }))),
    outcome: Type.Optional(Type.Union([outcomeSchema, Type.Array(outcomeSchema, { minItems: 1 })])),
    checks: Type.Optional(Type.Array(Type.Record(Type.String(), Type.Unknown(), { minProperties: 1 }))),
  },
  { additionalProperties: false },
);

const suiteSchema = Type.Object(
  {
    repository: Type.Optional(sourceSchema),
    docsPath: Type.Optional(Type.String()),
    tags: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
    tasks: Type.Array(taskSchema, { minItems: 1 }),
  },
  { additionalProperties: false },
);
const validator = Compile(suiteSchema);

/**
 * Reads a suite: a YAML or JSON file, or a folder of them, in the order of their names.
 * @throws CommandError that names the file, the field, and what it should be.
 */
export async function readSuite(path: string): Promise<Task[]> {
  const tasks: Task[] = [];
  for (const file of await suiteFiles(path)) tasks.push(...(await readSuiteFile(file)));
  const names = new Map<string, string>();
  for (const { name, file } of tasks) {
    const other = names.get(name);
    if (other !== undefined) {
      throw new CommandError(`Two tasks are called ${name}: in ${shown(other)} and in ${shown(file)}.`, "Rename one.");
    }
    names.set(name, file);
  }
  return tasks;
}

async function suiteFiles(path: string): Promise<string[]> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) {
    throw new CommandError(`There is no suite ${path}.`, "Name a YAML or JSON file, or a folder of them.");
  }
  if (!found.isDirectory()) return [resolve(path)];
  const names = (await readdir(path)).filter((name) => /\.(?:ya?ml|json)$/.test(name)).sort();
  if (names.length === 0) throw new CommandError(`${path} holds no suite.`, "A suite is a .yaml, .yml or .json file.");
  return names.map((name) => resolve(path, name));
}

async function readSuiteFile(file: string): Promise<Task[]> {
  const content = parseSuite(file, await readFile(file, "utf8"));
  if (!validator.Check(content)) {
    throw new CommandError(`${shown(file)}: ${explainFaults(content)}`, "docs/guides/eval.md describes the format.");
  }
  return content.tasks.map((task) => toTask(file, content, task));
}

function parseSuite(file: string, text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof YAMLParseError)) throw error;
    throw new CommandError(`${shown(file)} is no valid YAML: ${error.message.split("\n")[0] ?? ""}`);
  }
}

function explainFaults(content: unknown): string {
  const faults = validator.Errors(content).filter(({ keyword }) => keyword !== "additionalProperties");
  // The deepest fault says most: a union also complains about each of its branches.
  const [fault] = faults.sort((a, b) => b.instancePath.length - a.instancePath.length);
  if (fault === undefined) return "it does not have the form of a suite.";
  const field = fault.instancePath.slice(1).replaceAll("/", ".") || "the file";
  return fault.keyword === "boolean" ? `\`${field}\` is not a known field.` : `\`${field}\` ${fault.message}.`;
}

function toTask(file: string, suite: Static<typeof suiteSchema>, task: Static<typeof taskSchema>): Task {
  const where = `${shown(file)}, task ${task.name}`;
  const repository = task.repository ?? suite.repository;
  if (repository === undefined) {
    throw new CommandError(`${where}: \`repository\` is missing, in the task and in the suite.`);
  }
  const checks = (task.checks ?? []).flatMap((check, index) =>
    Object.entries(check).map(([kind, value]) => ({ kind, value, place: `checks[${index}].${kind}` })),
  );
  for (const check of checks) {
    const fault = checkFault(check);
    if (fault !== undefined) throw new CommandError(`${where}: ${fault}`, "docs/guides/eval.md describes the checks.");
  }
  const docsPath = task.docsPath ?? suite.docsPath;
  return {
    name: task.name,
    file,
    tags: [...(suite.tags ?? []), ...(task.tags ?? [])],
    source: toSource(file, repository),
    ...(docsPath === undefined ? {} : { docsPath }),
    instruction: task.instruction.trim(),
    followUps: task.followUps ?? [],
    outcomes: task.outcome === undefined ? ["changed"] : [task.outcome].flat(),
    checks,
  };
}

function toSource(file: string, source: TaskSource): TaskSource {
  return "path" in source ? { ...source, path: join(dirname(file), source.path) } : source;
}

const shown = (file: string): string => relative(process.cwd(), file) || file;
