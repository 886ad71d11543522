/** A naive check by the part of JSON Schema that signatures become. */

import type { Schema } from "../signature_types.ts";

/** Whether a value of JSON fits a schema. */
export function fits(schema: Schema, value: unknown, root: Schema = schema): boolean {
  return Object.entries(schema).every(([keyword, rule]) => holds(keyword, rule, value, schema, root));
}

function holds(keyword: string, rule: unknown, value: unknown, schema: Schema, root: Schema): boolean {
  const object = typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  const schemas = rule as readonly Schema[];
  switch (keyword) {
    case "$ref":
      return fits((root["$defs"] as Record<string, Schema>)[String(rule).slice("#/$defs/".length)] ?? {}, value, root);
    case "type":
      return (Array.isArray(rule) ? rule : [rule]).includes(typeOf(value));
    case "enum":
      return (rule as readonly unknown[]).includes(value);
    case "anyOf":
      return schemas.some((one) => fits(one, value, root));
    case "allOf":
      return schemas.every((one) => fits(one, value, root));
    case "items":
      return !Array.isArray(value) || value.every((item) => fits(rule as Schema, item, root));
    case "prefixItems":
      return !Array.isArray(value) || schemas.every((one, i) => i >= value.length || fits(one, value[i], root));
    case "required":
      return object === undefined || (rule as readonly string[]).every((name) => Object.hasOwn(object, name));
    case "properties":
      return Object.entries(object ?? {}).every(([name, item]) =>
        !Object.hasOwn(rule as Schema, name) || fits((rule as Record<string, Schema>)[name] ?? {}, item, root)
      );
    case "additionalProperties":
      return Object.entries(object ?? {}).every(([name, item]) =>
        Object.hasOwn(schema["properties"] ?? {}, name) || (rule !== false && fits(rule as Schema, item, root))
      );
    case "pattern":
      return typeof value !== "string" || new RegExp(String(rule)).test(value);
    case "if":
      return fits(schema[fits(rule as Schema, value, root) ? "then" : "else"] as Schema ?? {}, value, root);
    default:
      if (/^(?:\$schema|\$defs|then|else|title|description|default|format|contentEncoding)$/.test(keyword)) return true;
      throw new Error(`Unknown keyword ${keyword}`);
  }
}

function typeOf(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
}
