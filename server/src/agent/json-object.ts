import type { JSONObject, JSONValue } from "@ai-sdk/provider";

/** True for a JSON value that is an object: not an array, not null. */
export function isJsonObject(value: JSONValue | undefined): value is JSONObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
