/** The part of a JSON Schema that forms read. */
export interface Schema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema | boolean;
  readonly prefixItems?: readonly Schema[];
  readonly additionalProperties?: Schema | boolean;
  readonly contentEncoding?: string;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

/** How a form shows a schema. */
export type FieldKind =
  | { readonly kind: "choice"; readonly values: readonly unknown[] }
  | { readonly kind: "boolean" }
  | { readonly kind: "number"; readonly isInteger: boolean }
  /** `lines` is a text of any number of lines. */
  | { readonly kind: "text"; readonly input: "text" | "lines" | "date" | "datetime-local" | "time" | "email" | "url" }
  /** Bytes, written in base64; a person chooses a file. */
  | { readonly kind: "bytes" }
  | { readonly kind: "list"; readonly items: Schema }
  | { readonly kind: "tuple"; readonly items: readonly Schema[] }
  /** An object whose names are not known. */
  | { readonly kind: "map"; readonly values: Schema }
  | {
      readonly kind: "object";
      readonly properties: readonly (readonly [string, Schema])[];
      readonly required: readonly string[];
      /** Schema of further members, if the object takes any. */
      readonly others: Schema | undefined;
    }
  | { readonly kind: "alternatives"; readonly schemas: readonly Schema[] }
  | { readonly kind: "json" };

const REFERENCES_MAX = 20;

/** The schema behind references within the document, with the parts of `allOf` merged. */
export function resolve(schema: Schema, root: Schema): Schema {
  let resolved = schema;
  for (let count = 0; resolved.$ref !== undefined; count++) {
    const { $ref, ...beside } = resolved;
    const found = count < REFERENCES_MAX ? at(root, $ref) : undefined;
    if (found === undefined) {
      return beside;
    }
    resolved = { ...found, ...beside };
  }
  return (resolved.allOf ?? []).map((part) => resolve(part, root)).reduce(merged, resolved);
}

function merged(one: Schema, other: Schema): Schema {
  return {
    ...one,
    ...other,
    properties: { ...one.properties, ...other.properties },
    required: [...(one.required ?? []), ...(other.required ?? [])],
  };
}

/** How a resolved schema is shown, leaving aside whether it takes null. */
export function fieldKind(schema: Schema): FieldKind {
  if (schema.enum !== undefined) {
    return { kind: "choice", values: schema.enum.filter((value) => value !== null) };
  }
  if (schema.const !== undefined) {
    return { kind: "choice", values: [schema.const] };
  }
  const schemas = (schema.oneOf ?? schema.anyOf)?.filter((other) => other.type !== "null");
  if (schemas?.length === 1 && schemas[0] !== undefined) {
    return fieldKind(schemas[0]);
  }
  if (schemas !== undefined && schemas.length > 0) {
    return { kind: "alternatives", schemas };
  }
  switch (typesOf(schema).find((type) => type !== "null") ?? typesOf(schema)[0]) {
    case "boolean":
      return { kind: "boolean" };
    case "integer":
      return { kind: "number", isInteger: true };
    case "number":
      return { kind: "number", isInteger: false };
    case "string":
      return schema.contentEncoding === "base64"
        ? { kind: "bytes" }
        : { kind: "text", input: inputType(schema.format) };
    case "array":
      return arrayKind(schema);
    case "null":
      return { kind: "choice", values: [null] };
    default:
      return objectKind(schema);
  }
}

function arrayKind({ items, prefixItems = [] }: Schema): FieldKind {
  if (prefixItems.length > 0) {
    return { kind: "tuple", items: prefixItems };
  }
  return typeof items === "object" ? { kind: "list", items } : { kind: "json" };
}

function objectKind({ type, properties, required = [], additionalProperties }: Schema): FieldKind {
  const others = typeof additionalProperties === "object" ? additionalProperties : undefined;
  if (properties !== undefined) {
    return { kind: "object", properties: Object.entries(properties), required, others };
  }
  return others !== undefined && type === "object" ? { kind: "map", values: others } : { kind: "json" };
}

/** Whether a schema takes null beside other values. */
export function takesNull(schema: Schema): boolean {
  return (
    typesOf(schema).includes("null") ||
    schema.enum?.includes(null) === true ||
    (schema.oneOf ?? schema.anyOf ?? []).some((other) => typesOf(other).includes("null"))
  );
}

/** The first of some alternatives that looks like the one of a value; the first one if none does. */
export function alternativeOf(schemas: readonly Schema[], value: unknown, root: Schema): number {
  const found = value === undefined ? -1 : schemas.findIndex((schema) => looksLike(schema, value, root));
  return Math.max(found, 0);
}

function looksLike(schema: Schema, value: unknown, root: Schema): boolean {
  const { const: only, enum: choices, properties = {}, required = [], ...resolved } = resolve(schema, root);
  if (only !== undefined || choices !== undefined) {
    return (choices ?? [only]).some((choice) => JSON.stringify(choice) === JSON.stringify(value));
  }
  const types = typesOf(resolved);
  if (
    types.length > 0 &&
    !types.includes(typeOf(value)) &&
    !(types.includes("number") && typeOf(value) === "integer")
  ) {
    return false;
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return types.length > 0 || Object.keys(properties).length === 0;
  }
  const members = value as Record<string, unknown>;
  const isClosed = resolved.additionalProperties === false;
  return (
    required.every((name) => name in members) &&
    Object.entries(members).every(([name, member]) => {
      const property = properties[name];
      return property === undefined ? !isClosed : looksLike(property, member, root);
    })
  );
}

function typeOf(value: unknown): string {
  if (value === null) {
    return "null";
  }
  return Array.isArray(value) ? "array" : Number.isInteger(value) ? "integer" : typeof value;
}

/** What people call an alternative: its title, the value that tells it from the others, or its type. */
export function alternativeName(schema: Schema, root: Schema): string | undefined {
  const resolved = resolve(schema, root);
  const told = Object.values(resolved.properties ?? {})
    .map((property) => resolve(property, root).const)
    .find((only) => only !== undefined);
  const type = typesOf(resolved).join(", ");
  return resolved.title ?? (typeof told === "string" ? told : undefined) ?? (type === "" ? undefined : type);
}

/** The value with which a field begins; undefined if it begins empty. */
export function initialValue(schema: Schema, root: Schema): unknown {
  const resolved = resolve(schema, root);
  if (resolved.default !== undefined) {
    return resolved.default;
  }
  const shown = fieldKind(resolved);
  if (shown.kind !== "object") {
    return shown.kind === "choice" && shown.values.length === 1 ? shown.values[0] : undefined;
  }
  const entries = shown.properties.flatMap(([name, property]) => {
    const value = initialValue(property, root);
    return value === undefined ? [] : [[name, value] as const];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

function typesOf(schema: Schema): readonly string[] {
  return typeof schema.type === "string" ? [schema.type] : (schema.type ?? []);
}

function inputType(format: string | undefined): (FieldKind & { readonly kind: "text" })["input"] {
  switch (format) {
    case "date":
    case "time":
    case "email":
      return format;
    case "date-time":
      return "datetime-local";
    case "uri":
      return "url";
    case "multiline":
    case "textarea":
      return "lines";
    default:
      return "text";
  }
}

function at(root: Schema, reference: string): Schema | undefined {
  if (!reference.startsWith("#")) {
    return undefined;
  }
  let place: unknown = root;
  for (const part of reference.slice(1).split("/").filter(Boolean)) {
    const name = decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
    place = typeof place === "object" && place !== null ? (place as Record<string, unknown>)[name] : undefined;
  }
  return typeof place === "object" && place !== null ? (place as Schema) : undefined;
}
