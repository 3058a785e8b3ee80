import { readFile } from "node:fs/promises";
import type { SchemaObject } from "ajv";
import type { Operation } from "../../testing/contract.ts";

/**
 * Gitea's own API description (`templates/swagger/v1_json.tmpl` in go-gitea/gitea, MIT), read from the package gitea-js,
 * whose types are generated from it. What this does not understand of a declaration fails, so nothing passes unread.
 */
export async function readGiteaDescription(): Promise<{ operations: Operation[]; schemas: SchemaObject[] }> {
  const types = new URL("index.d.ts", import.meta.resolve("gitea-js"));
  const text = await readFile(types, "utf8");
  const definitions = Object.fromEntries([...readInterfaces(text), ...readAliases(text)]);
  return { operations: readOperations(text), schemas: [{ $id: "gitea", definitions }] };
}

function readInterfaces(text: string): [string, SchemaObject][] {
  const generated = text.slice(0, text.indexOf("type QueryParamsType"));
  return [...generated.matchAll(/^interface (\w+) \{\n([\s\S]*?)^\}/gm)].map(([, name = "", fields = ""]) => [
    name,
    readObject(fields, "    "),
  ]);
}

function readAliases(text: string): [string, SchemaObject][] {
  const generated = text.slice(0, text.indexOf("type QueryParamsType"));
  return [...generated.matchAll(/^type (\w+) = (.+);$/gm)].map(([, name = "", type = ""]) => [name, readType(type)]);
}

/** Fields at this indentation, one a line, with their comments. */
function readObject(fields: string, indent: string): SchemaObject {
  const properties: Record<string, SchemaObject> = {};
  const required: string[] = [];
  for (const line of fields.replaceAll(/\/\*\*[\s\S]*?\*\//g, "").split("\n")) {
    if (line.trim() === "") continue;
    const [, name, optional, type] = new RegExp(`^${indent}'?"?([\\w@-]+)"?'?(\\??): (.+);$`).exec(line) ?? [];
    if (name === undefined || type === undefined) throw new Error(`Not a field: ${line}`);
    properties[name] = readType(type);
    if (optional === "") required.push(name);
  }
  return { type: "object", additionalProperties: false, properties, required };
}

function readType(type: string): SchemaObject {
  if (type.startsWith("(") && type.endsWith(")")) return readType(type.slice(1, -1));
  if (type.endsWith("[]")) return { type: "array", items: readType(type.slice(0, -2)) };
  if (type.startsWith("'")) return { type: "string", enum: type.split(" | ").map((each) => each.slice(1, -1)) };
  const record = /^Record<string, (\w+)>$/.exec(type);
  if (record !== null) return { type: "object", additionalProperties: readType(record[1] ?? "") };
  switch (type) {
    case "string":
    case "number":
    case "boolean":
    case "object":
      return { type };
    case "any":
      return {};
    default:
      if (/^[A-Z]\w*$/.test(type)) return { $ref: `gitea#/definitions/${type}` };
      throw new Error(`Not a type: ${type}`);
  }
}

function readOperations(text: string): Operation[] {
  const declared = text.matchAll(
    /@request (\w+):(\S+)\n[\s\S]*?\*\/\n\s+\w+: \(([\s\S]*?)\) => Promise<HttpResponse<([\s\S]*?), [^,]+?>>;/g,
  );
  const operations = [...declared].map(([, method = "", path = "", parameters = "", answer = ""]) => {
    const [, query = ""] = /query\??: \{\n([\s\S]*?)^ {8}\}/m.exec(parameters) ?? [];
    const [, body] = /\bbody\??: ([\w[\]]+)/.exec(parameters) ?? [];
    return {
      method,
      path,
      query: (readObject(query, " {12}")["properties"] ?? {}) as Record<string, SchemaObject>,
      body: body === undefined ? null : readType(body),
      // Those of some lists are written out in place, and none of them is used.
      answer: /^(?:any$|void$|\{)/.test(answer) ? null : readType(answer),
      // Branch names have slashes; Gitea routes this one to the end of the path.
      wildcards: ["branch"],
    };
  });
  const count = text.split("@request ").length - 1;
  if (operations.length !== count) throw new Error(`${operations.length} of ${count} operations were understood.`);
  return operations;
}
