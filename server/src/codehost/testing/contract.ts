import { Ajv, type SchemaObject, type ValidateFunction } from "ajv";
import type { ApiRequest } from "./product.ts";

/** One operation of a product's API, as its description has it. */
export interface Operation {
  method: string;
  /** With parameters in braces: `/projects/{id}/merge_requests`. */
  path: string;
  /** JSON Schema of each query parameter. */
  query: Record<string, SchemaObject>;
  /** JSON Schema of the body; null when the operation has none. */
  body: SchemaObject | null;
  /** JSON Schema of what it answers when it succeeds; null or absent when that is not described. */
  answer?: SchemaObject | null;
  /** Parameters whose values go on over slashes. */
  wildcards?: readonly string[];
}

export interface MatchedRequest {
  /** `GET /projects/{id}`. */
  operation: string;
  /** Decoded. */
  parameters: Record<string, string>;
}

export interface Contract {
  /** Notes what the description does not allow. Undefined: it has no such operation. */
  match(request: ApiRequest): MatchedRequest | undefined;
  /** The same for what a testing server answers, so that it invents nothing. */
  checkAnswer(operation: string, body: unknown): void;
  /** @throws Error naming every violation since the last call. */
  verify(): void;
}

/** Holds requests against a description: unknown operations, parameters and fields, and values of a wrong type. */
export function createContract(operations: readonly Operation[], schemas: readonly SchemaObject[] = []): Contract {
  const strict = new Ajv({ allErrors: true, schemas: [...schemas] });
  // Everything in a query is text.
  const lenient = new Ajv({ allErrors: true, coerceTypes: "array" });
  // What is written out goes before what a parameter could be.
  const ordered = operations.toSorted((a, b) => parametersIn(a.path) - parametersIn(b.path));
  const known = ordered.map(({ method, path, query, body, answer = null, wildcards = [] }) => ({
    name: `${method} ${path}`,
    method,
    pattern: patternOf(path, wildcards),
    // Compiled when it is first asked for: a whole product has hundreds.
    query: once(() => lenient.compile({ type: "object", additionalProperties: false, properties: query })),
    body: body === null ? null : once(() => strict.compile(body)),
    answer: answer === null ? null : once(() => strict.compile(answer)),
  }));
  const violations: string[] = [];

  return {
    match(request) {
      const { method, path, query, body } = request;
      for (const operation of known) {
        const found = operation.method === method ? operation.pattern.exec(path) : null;
        if (found === null) continue;
        const { name } = operation;
        violations.push(
          ...problemsOf(operation.query(), Object.fromEntries(query)).map((text) => `${name} query${text}`),
        );
        if (operation.body !== null) {
          violations.push(...problemsOf(operation.body(), body).map((text) => `${name} body${text}`));
        } else if (body !== undefined) violations.push(`${name} takes no body`);
        const parameters = Object.entries(found.groups ?? {}).map(([key, value]) => [key, decodeURIComponent(value)]);
        return { operation: name, parameters: Object.fromEntries(parameters) as Record<string, string> };
      }
      violations.push(`${method} ${path} is not described`);
      return undefined;
    },
    checkAnswer(operation, body) {
      const answer = known.find(({ name }) => name === operation)?.answer ?? null;
      if (answer === null) return;
      violations.push(...problemsOf(answer(), body).map((text) => `${operation} answers${text}`));
    },
    verify() {
      const found = violations.splice(0);
      if (found.length > 0) throw new Error(`The description does not allow:\n${found.join("\n")}`);
    },
  };
}

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}

function parametersIn(path: string): number {
  return path.split("{").length - 1;
}

function patternOf(path: string, wildcards: readonly string[]): RegExp {
  const pattern = path
    .replaceAll(".", String.raw`\.`)
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => (wildcards.includes(name) ? `(?<${name}>.+)` : `(?<${name}>[^/]+)`));
  return new RegExp(`^${pattern}$`);
}

function problemsOf(validate: ValidateFunction, value: unknown): string[] {
  if (validate(value)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message ?? ""} ${JSON.stringify(params)}`,
  );
}
