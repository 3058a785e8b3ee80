/** What an event carries is JSON whose form depends on its type, and on the version of the service that stored it. */
export type Json = Record<string, unknown>;

export function isRecord(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The object, or an empty one. */
export function recordOf(value: unknown): Json {
  return isRecord(value) ? value : {};
}

/** The objects of a list, or none. */
export function listOf(value: unknown): Json[] {
  return Array.isArray(value) ? value.map(recordOf) : [];
}

/** The text, or an empty one. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** JSON as a person reads it; text stays as it is. */
export function printJson(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "");
}
