import { Compile } from "typebox/schema";
import { expect } from "vitest";

interface Described {
  tags: readonly string[];
  method: string;
  path: string;
  responses: Record<string, { content?: Record<string, { schema: object }> }>;
}

interface OpenApi {
  paths: Record<string, Record<string, { operationId: string; tags: string[]; responses: Described["responses"] }>>;
  components: { schemas: Record<string, object> };
}

export interface ContractCall {
  parameters?: Record<string, string>;
  query?: string;
  headers?: Record<string, string>;
  token?: string | undefined;
  /** Sent as JSON, or as it is when it is a string. */
  body?: unknown;
}

export interface ContractAnswer {
  status: number;
  headers: Headers;
  /** The JSON; empty for an answer without a body and for one of another type. */
  body: Record<string, unknown>;
  text: string;
}

/**
 * Holds a server to its own description: each answer must have a documented status and a body of that status's schema.
 * `unseen` names what is documented and was never answered, of the operations whose tags are wanted.
 */
export async function openContract(url: string) {
  const description = await readDescription(url);
  const operations = new Map<string, Described>();
  for (const [path, methods] of Object.entries(description.paths)) {
    for (const [method, { operationId, tags, responses }] of Object.entries(methods)) {
      operations.set(operationId, { tags, method: method.toUpperCase(), path, responses });
    }
  }
  const seen = new Set<string>();

  async function call(operationId: string, request: ContractCall = {}): Promise<ContractAnswer> {
    const operation = operations.get(operationId);
    if (operation === undefined) throw new Error(`The description has no operation ${operationId}.`);
    const response = await fetch(url + pathOf(operation.path, request), {
      method: operation.method,
      redirect: "manual",
      headers: {
        ...(request.token === undefined ? {} : { authorization: `Bearer ${request.token}` }),
        ...(request.body === undefined ? {} : { "content-type": "application/json" }),
        ...request.headers,
      },
      ...(request.body === undefined
        ? {}
        : { body: typeof request.body === "string" ? request.body : JSON.stringify(request.body) }),
    });
    const documented = operation.responses[String(response.status)];
    const mediaType = response.headers.get("content-type")?.split(";")[0] ?? "";
    const text = mediaType === "text/event-stream" ? await firstEvent(response) : await response.text();
    const what = `${operationId} ${response.status}: ${text.slice(0, 300)}`;
    expect(documented, `${what} is documented`).toBeDefined();
    expect(response.headers.get("x-request-id"), `${what} has a request id`).toMatch(/./);
    const schema = documented?.content?.[mediaType]?.schema;
    expect(text === "", `${what} has a body where one is documented`).toBe(schema === undefined);
    const body: unknown = text === "" ? {} : ["text/plain", "text/csv"].includes(mediaType) ? text : JSON.parse(text);
    if (schema !== undefined) {
      expect(Compile(description.components.schemas, schema).Errors(body), what).toEqual([true, []]);
    }
    if (response.status >= 400)
      expect(isObject(body) ? Object.keys(body) : [], what).toEqual(expect.arrayContaining(["error", "code"]));
    seen.add(`${operationId} ${response.status}`);
    return { status: response.status, headers: response.headers, body: isObject(body) ? body : {}, text };
  }

  return {
    operations,
    call,
    unseen: (isWanted: (tags: readonly string[]) => boolean): string[] =>
      [...operations].flatMap(([operationId, { tags, responses }]) =>
        Object.keys(responses).flatMap((status) => {
          const name = `${operationId} ${status}`;
          return !isWanted(tags) || seen.has(name) ? [] : [name];
        }),
      ),
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

async function readDescription(url: string): Promise<OpenApi> {
  const response = await fetch(`${url}/openapi.json`);
  // The validator looks references up by name.
  return JSON.parse((await response.text()).replaceAll('"#/components/schemas/', '"'));
}

function pathOf(template: string, { parameters = {}, query }: ContractCall): string {
  const path = template.replaceAll(/\{(\w+)\}/g, (_match, name: string) => {
    const value = parameters[name];
    if (value === undefined) throw new Error(`${template} needs ${name}.`);
    return encodeURIComponent(value);
  });
  return query === undefined ? path : `${path}?${query}`;
}

async function firstEvent(response: Response): Promise<string> {
  let text = "";
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    const data = /^data: (.*)\n/m.exec(text)?.[1];
    if (data !== undefined) return data;
  }
  throw new Error("The stream ended without an event.");
}
