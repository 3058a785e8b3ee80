/**
 * A value that stands literally in a configuration file, JSON or JavaScript, with the place of each part. What would
 * have to be executed is `unknown`.
 */
export type Literal = LiteralObject | LiteralArray | LiteralString | LiteralScalar | LiteralUnknown;

interface Place {
  /** Offsets in the file's text. */
  start: number;
  end: number;
}

export interface LiteralProperty extends Place {
  key: string;
  value: Literal;
}

export interface LiteralObject extends Place {
  kind: "object";
  properties: LiteralProperty[];
  /** False when more properties may come from spreads or computed keys. */
  complete: boolean;
}

export interface LiteralArray extends Place {
  kind: "array";
  items: Literal[];
  complete: boolean;
}

/** `start` and `end` include the quotes. */
export interface LiteralString extends Place {
  kind: "string";
  value: string;
}

export interface LiteralScalar extends Place {
  kind: "scalar";
  value: number | boolean | null;
}

/** What would have to be executed, and what of it can be read all the same. */
export interface LiteralUnknown extends Place {
  kind: "unknown";
  /** `defineConfig({…})`: the dotted name of what is called, where it has one, and the values it is called with. */
  call?: { name: string | undefined; arguments: Literal[] };
  /** What a function without parameters returns. */
  returns?: Literal;
  /** A value that another file exports under this name. */
  imported?: { source: string; name: string };
}

export function property(literal: Literal | undefined, key: string): Literal | undefined {
  return literal?.kind === "object" ? literal.properties.findLast((entry) => entry.key === key)?.value : undefined;
}

/** The literal at a path of keys. */
export function at(literal: Literal | undefined, ...keys: string[]): Literal | undefined {
  return keys.reduce((value, key) => property(value, key), literal);
}

/** The value inside wrappers such as `defineConfig({…})`, `withNextra(nextra)({…})` and `async () => […]`. */
export function unwrapped(literal: Literal | undefined): Literal | undefined {
  if (literal?.kind !== "unknown") return literal;
  const inner = literal.call?.arguments[0] ?? literal.returns;
  return inner === undefined ? literal : unwrapped(inner);
}

export function stringValue(literal: Literal | undefined): string | undefined {
  return literal?.kind === "string" ? literal.value : undefined;
}

export function items(literal: Literal | undefined): Literal[] {
  return literal?.kind === "array" ? literal.items : [];
}

export function strings(literal: Literal | undefined): string[] {
  return items(literal).flatMap((item) => (item.kind === "string" ? [item.value] : []));
}

export function booleanValue(literal: Literal | undefined): boolean | undefined {
  return literal?.kind === "scalar" && typeof literal.value === "boolean" ? literal.value : undefined;
}

/** True when no part of it would have to be executed. */
export function isFullyKnown(literal: Literal | undefined): boolean {
  if (literal === undefined) return true;
  if (literal.kind === "unknown") return false;
  if (literal.kind === "object")
    return literal.complete && literal.properties.every(({ value }) => isFullyKnown(value));
  if (literal.kind === "array") return literal.complete && literal.items.every(isFullyKnown);
  return true;
}

/** Calls `visitor` with every literal in it, parents first. */
export function walkLiteral(literal: Literal, visitor: (literal: Literal) => void): void {
  visitor(literal);
  if (literal.kind === "object") for (const { value } of literal.properties) walkLiteral(value, visitor);
  if (literal.kind === "array") for (const item of literal.items) walkLiteral(item, visitor);
}
