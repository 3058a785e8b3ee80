import { createHmac, timingSafeEqual } from "node:crypto";
import type { CodeHostWebhookRequest } from "./webhook.ts";

/** A value inside of a payload; undefined where the path leads nowhere. */
export function at(value: unknown, ...path: readonly string[]): unknown {
  let found = value;
  for (const name of path) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, name)) return undefined;
    found = (found as Record<string, unknown>)[name];
  }
  return found;
}

/** Empty where there is none. */
export function textAt(value: unknown, ...path: readonly string[]): string {
  const found = at(value, ...path);
  return typeof found === "string" ? found : "";
}

/** A number of a pull request or a line; undefined where there is none, or none that can be stored. */
export function integerAt(value: unknown, ...path: readonly string[]): number | undefined {
  const found = at(value, ...path);
  return typeof found === "number" && Number.isInteger(found) && found > 0 && found < 2 ** 31 ? found : undefined;
}

/** The payload: JSON, or JSON in a form's field `payload`. Undefined when it is neither. */
export function readPayload({ headers, body }: Pick<CodeHostWebhookRequest, "headers" | "body">): object | undefined {
  const isForm = headers["content-type"]?.startsWith("application/x-www-form-urlencoded") === true;
  const text = body.toString("utf8");
  try {
    const payload: unknown = JSON.parse(isForm ? (new URLSearchParams(text).get("payload") ?? "") : text);
    return typeof payload === "object" && payload !== null && !Array.isArray(payload) ? payload : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a header is the hexadecimal HMAC-SHA256 of the body, compared in constant time. */
export function isHexHmac(given: string | undefined, { body, secret }: CodeHostWebhookRequest): boolean {
  if (given === undefined || !/^[0-9a-f]{64}$/i.test(given)) return false;
  return timingSafeEqual(Buffer.from(given, "hex"), createHmac("sha256", secret).update(body).digest());
}
