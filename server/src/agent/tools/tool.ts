import type { JSONSchema7, JSONValue } from "@ai-sdk/provider";
import type { Static, TObject } from "typebox";
import { Compile } from "typebox/compile";
import type { Workspace } from "../../workspace/workspace.ts";
import { isJsonObject } from "../json-object.ts";
import type { ToolOutput, Transcript } from "../transcript.ts";
import type { ContextTrees } from "./context-files.ts";

export interface ToolContext {
  workspace: Workspace;
  /** The job so far; the call itself is in its last answer. */
  transcript: Transcript;
  /** Other repositories that the job may read, as `@name/path`. None when absent. */
  contextTrees?: ContextTrees;
  signal: AbortSignal;
}

export interface Tool {
  name: string;
  description: string;
  inputSchema: JSONSchema7;
  /** Checks the input against the schema; a fault is an `error-text` that names the field. */
  run(input: JSONValue, context: ToolContext): Promise<ToolOutput>;
}

/** A tool from its schema and its work. The work only ever sees input that fits the schema. */
export function defineTool<Schema extends TObject>(definition: {
  name: string;
  description: string;
  inputSchema: Schema;
  run(input: Static<Schema>, context: ToolContext): Promise<ToolOutput>;
}): Tool {
  const { name, description, inputSchema } = definition;
  const validator = Compile(inputSchema);
  const required: readonly string[] = inputSchema.required ?? [];
  return {
    name,
    description,
    inputSchema: JSON.parse(JSON.stringify(inputSchema)),
    async run(input, context) {
      const given = withoutNullOptions(input, required);
      if (validator.Check(given)) return definition.run(given, context);
      return errorText(`${name} did not run. ${explainFaults(validator.Errors(given), given)}`);
    },
  };
}

export function errorText(value: string): ToolOutput {
  return { type: "error-text", value };
}

/** Some models send null for every option that they leave out. */
function withoutNullOptions(input: JSONValue, required: readonly string[]): JSONValue {
  if (!isJsonObject(input)) return input;
  return Object.fromEntries(Object.entries(input).filter(([key, value]) => value !== null || required.includes(key)));
}

interface Fault {
  keyword: string;
  instancePath: string;
  params: object;
  message: string;
}

function explainFaults(faults: readonly Fault[], input: JSONValue): string {
  if (typeof input === "string") {
    return `The arguments are not valid JSON: ${quoteStart(input)} Send one JSON object.`;
  }
  const sentences = faults.flatMap((fault) => {
    const field =
      fault.instancePath === "" ? "The arguments" : `\`${fault.instancePath.slice(1).replaceAll("/", ".")}\``;
    if (fault.keyword === "additionalProperties") return [];
    if (fault.keyword === "boolean") return [`${field} is not a known field.`];
    return [`${field} ${fault.message}.`];
  });
  return [...new Set(sentences)].slice(0, 5).join(" ");
}

function quoteStart(text: string): string {
  const start = JSON.stringify(text.slice(0, 200));
  return text.length > 200 ? `${start}… (${text.length} characters).` : `${start}.`;
}
