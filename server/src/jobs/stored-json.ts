/** JSON that PostgreSQL's jsonb takes: it refuses NUL and lone surrogates, which models and files can contain. */
export function toStoredJson(value: object): string {
  const json = JSON.stringify(value);
  // Well-formed JSON.stringify writes both only as these escapes; an escaped backslash before them costs a clean pass.
  return /\\u(0000|d[89a-f])/.test(json) ? JSON.stringify(cleaned(value)) : json;
}

function cleaned(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed().replaceAll("\0", "\uFFFD");
  if (Array.isArray(value)) return value.map(cleaned);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [cleaned(key), cleaned(item)]));
}
