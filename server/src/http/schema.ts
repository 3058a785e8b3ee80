import { Type, type Static, type TSchema, type TUnsafe } from "typebox";

/** The schema or null, written as a list of types, which the serialiser handles without trying alternatives. */
export function nullable<Schema extends TSchema & { type: string }>(schema: Schema): TUnsafe<Static<Schema> | null> {
  return Type.Unsafe<Static<Schema> | null>({ ...schema, type: [schema.type, "null"] });
}

/** A string out of a fixed set. */
export function oneOf<const Value extends string>(values: readonly Value[], options: object = {}): TUnsafe<Value> {
  return Type.Unsafe<Value>({ type: "string", enum: [...values], ...options });
}

/** A reference to a schema that the API names in its components, which is one with an `$id`. */
export function reference<Schema extends TSchema>(schema: Schema, description?: string): TUnsafe<Static<Schema>> {
  const { $id } = schema as { $id?: string };
  if ($id === undefined) throw new TypeError("Only a schema with an $id can be referred to.");
  return Type.Unsafe<Static<Schema>>({ $ref: `${$id}#`, ...(description === undefined ? {} : { description }) });
}

export function timestamp(description: string) {
  return Type.String({ format: "date-time", description: `${description} ISO 8601, UTC.` });
}
