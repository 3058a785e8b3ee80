import type { JSONValue } from "@ai-sdk/provider";

/** Text that PostgreSQL stores: lone surrogates become U+FFFD, NUL is removed. */
export function sanitizeText(text: string): string {
  const wellFormed = text.toWellFormed();
  return wellFormed.includes("\0") ? wellFormed.replaceAll("\0", "") : wellFormed;
}

/** A JSON value with `sanitizeText` applied to every string and key; what JSON cannot hold becomes null or is left out. */
export function sanitizeJson(value: unknown): JSONValue {
  if (typeof value === "string") return sanitizeText(value);
  if (value === null || typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (Array.isArray(value)) return value.map(sanitizeJson);
  if (typeof value !== "object") return null;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .map(([key, member]) => [sanitizeText(key), sanitizeJson(member)]),
  );
}
