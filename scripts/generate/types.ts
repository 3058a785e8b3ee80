import { compile, type JSONSchema } from "json-schema-to-typescript";

interface Operation {
  operationId?: string;
  requestBody?: { content?: Record<string, { schema?: JSONSchema }> };
  parameters?: { name: string; in: string; required?: boolean; description?: string; schema: JSONSchema }[];
}

const BANNER = `/* The types of the HTTP API, written by scripts/generate.ts from openapi.json. Change the routes instead. */`;

/**
 * TypeScript for an OpenAPI 3.1 description: each of its named schemas, and for each operation `<OperationId>Body` and
 * `<OperationId>Query` where it takes one.
 */
export async function generateTypes(description: object): Promise<string> {
  const { components, paths } = description as {
    components: { schemas: Record<string, JSONSchema> };
    paths: Record<string, Record<string, Operation>>;
  };
  const definitions: Record<string, JSONSchema> = { ...components.schemas };
  for (const operation of Object.values(paths).flatMap((path) => Object.values(path))) {
    const { operationId = "", requestBody, parameters = [] } = operation;
    const name = operationId.charAt(0).toUpperCase() + operationId.slice(1);
    const body = requestBody?.content?.["application/json"]?.schema;
    if (body !== undefined) definitions[`${name}Body`] = body;
    const query = parameters.filter((parameter) => parameter.in === "query");
    if (query.length > 0) definitions[`${name}Query`] = toObjectSchema(query);
  }
  const root = { title: "Schemas", type: "object", additionalProperties: false, definitions };
  const typescript = await compile(toDefinitions(root), "Schemas", {
    additionalProperties: false,
    bannerComment: BANNER,
    style: { printWidth: 120 },
    unreachableDefinitions: true,
    ignoreMinAndMaxItems: true,
  });
  return `${tidy(typescript)}\n`;
}

function toObjectSchema(parameters: NonNullable<Operation["parameters"]>): JSONSchema {
  return {
    type: "object",
    properties: Object.fromEntries(
      parameters.map(({ name, schema, description }) => [
        name,
        description === undefined ? schema : { ...schema, description },
      ]),
    ),
    required: parameters.flatMap(({ name, required }) => (required === true ? [name] : [])),
  };
}

/** The named schemas move to where a JSON schema keeps them, so that each becomes a type of that name. */
function toDefinitions(schema: object): JSONSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll("#/components/schemas/", "#/definitions/")) as JSONSchema;
}

/** Drops the type of the root, which only carries the others, and the remarks on where each was found. */
function tidy(typescript: string): string {
  return typescript
    .replace(/export interface Schemas \{\s*\}\n/, "")
    .replaceAll(/(\n \*)?\n \* This interface was referenced by .*\n \* via the `definition` .*/g, "")
    .replaceAll("/**\n */\n", "")
    .trim();
}
