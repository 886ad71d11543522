import { type ApiSchema, nameOf } from "#/pages/docs/reference.ts";

/** The type of a schema in a few words: `array of Run`, `string (date-time)`. */
export function typeText(schema: ApiSchema): string {
  if (schema.$ref !== undefined) {
    return nameOf(schema.$ref);
  }
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices !== undefined) {
    return choices.map(typeText).join(" | ");
  }
  if (schema.type === undefined && schema.allOf?.length === 1 && schema.allOf[0] !== undefined) {
    return typeText(schema.allOf[0]);
  }
  const type = [schema.type ?? (schema.properties === undefined ? "any" : "object")].flat().join(" | ");
  if (type === "array" && schema.items !== undefined) {
    return `array of ${typeText(schema.items)}`;
  }
  if (typeof schema.additionalProperties === "object" && schema.properties === undefined) {
    return `map of ${typeText(schema.additionalProperties)}`;
  }
  return schema.format === undefined ? type : `${type} (${schema.format})`;
}

/** The limits of a schema as the document states them: `maxLength: 100`. */
export function limitsText(schema: ApiSchema): string {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, pattern } = schema;
  const limits = { minimum, maximum, minLength, maxLength, minItems, maxItems, pattern, default: schema.default };
  return Object.entries(limits)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(", ");
}

/** Schemas inside a schema that have fields of their own, behind arrays and maps. */
export function innerSchema(schema: ApiSchema): ApiSchema | undefined {
  if (schema.$ref !== undefined || schema.properties !== undefined || schema.allOf !== undefined) {
    return schema;
  }
  const inner =
    schema.items ?? (typeof schema.additionalProperties === "object" ? schema.additionalProperties : undefined);
  return inner === undefined ? undefined : innerSchema(inner);
}
