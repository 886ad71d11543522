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
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

/** How a form shows a schema. */
export type FieldKind =
  | { readonly kind: "choice"; readonly values: readonly unknown[] }
  | { readonly kind: "boolean" }
  | { readonly kind: "number"; readonly isInteger: boolean }
  | { readonly kind: "text"; readonly input: "text" | "date" | "datetime-local" | "time" | "email" | "url" }
  | { readonly kind: "list"; readonly items: Schema }
  | {
      readonly kind: "object";
      readonly properties: readonly (readonly [string, Schema])[];
      readonly required: readonly string[];
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
  switch (typesOf(schema).find((type) => type !== "null")) {
    case "boolean":
      return { kind: "boolean" };
    case "integer":
      return { kind: "number", isInteger: true };
    case "number":
      return { kind: "number", isInteger: false };
    case "string":
      return { kind: "text", input: inputType(schema.format) };
    case "array":
      return schema.items === undefined ? { kind: "json" } : { kind: "list", items: schema.items };
    case "object":
      return schema.properties === undefined
        ? { kind: "json" }
        : { kind: "object", properties: Object.entries(schema.properties), required: schema.required ?? [] };
    default:
      return schema.properties === undefined
        ? { kind: "json" }
        : { kind: "object", properties: Object.entries(schema.properties), required: schema.required ?? [] };
  }
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

function inputType(format: string | undefined): "text" | "date" | "time" | "email" | "url" {
  switch (format) {
    case "date":
    case "time":
    case "email":
      return format;
    case "uri":
      return "url";
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
