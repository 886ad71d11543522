import { expect, test } from "vitest";
import {
  alternativeName,
  alternativeOf,
  fieldKind,
  initialValue,
  resolve,
  type Schema,
  takesNull,
} from "#/pages/definitions/form/schema.ts";

const root: Schema = {
  type: "object",
  properties: {
    top: { type: "integer", default: 10 },
    order: { $ref: "#/$defs/order" },
  },
  $defs: {
    order: { allOf: [{ properties: { id: { type: "string" } }, required: ["id"] }, { $ref: "#/$defs/priced" }] },
    priced: { properties: { currency: { const: "EUR" } } },
    endless: { $ref: "#/$defs/endless" },
  },
};

test.each<[Schema, string]>([
  [{ enum: ["a", null] }, "choice"],
  [{ type: ["string", "null"] }, "text"],
  [{ anyOf: [{ type: "integer" }, { type: "null" }] }, "number"],
  [{ oneOf: [{ type: "integer" }, { type: "string" }] }, "alternatives"],
  [{ type: "array", items: { type: "string" } }, "list"],
  [{ type: "array" }, "json"],
  [{ type: "object" }, "json"],
  [{ type: "object", additionalProperties: { type: "integer" } }, "map"],
  [{ type: "object", properties: {}, additionalProperties: {} }, "object"],
  [{ type: ["object", "array"] }, "json"],
  [{ type: "array", prefixItems: [{ type: "integer" }, { type: "string" }] }, "tuple"],
  [{ type: "string", contentEncoding: "base64" }, "bytes"],
  [{ type: ["string", "null"], format: "date" }, "text"],
  [{ type: ["string", "number"], format: "decimal" }, "text"],
  [{ type: "null" }, "choice"],
  [{ const: 7 }, "choice"],
  [{ patternProperties: { "^x": {} } } as Schema, "json"],
  [{}, "json"],
])("shows %j as %s", (schema, kind) => {
  expect(fieldKind(schema).kind).toBe(kind);
});

test.each([
  [undefined, "text"],
  ["date", "date"],
  ["date-time", "datetime-local"],
  ["multiline", "lines"],
  ["textarea", "lines"],
])("a text of the format %s is put in as %s", (format, input) => {
  const schema: Schema = format === undefined ? { type: "string" } : { type: "string", format };
  expect(fieldKind(schema)).toEqual({ kind: "text", input });
});

test("follows references within the document, and merges parts", () => {
  const order = resolve({ $ref: "#/$defs/order", title: "Order" }, root);
  expect(Object.keys(order.properties ?? {})).toEqual(["id", "currency"]);
  expect(order.title).toBe("Order");
  expect(resolve({ $ref: "#/$defs/endless" }, root)).toEqual({});
  expect(resolve({ $ref: "https://elsewhere/schema" }, root)).toEqual({});
});

test("begins with defaults and with what has a single value", () => {
  expect(initialValue(root, root)).toEqual({ top: 10, order: { currency: "EUR" } });
});

const shapes: readonly Schema[] = [
  { properties: { kind: { const: "circle" }, radius: { type: "number" } }, required: ["kind"] },
  { properties: { kind: { const: "square" }, side: { type: "integer" } }, required: ["kind"] },
  { type: "string" },
  { type: "array", items: { type: "integer" } },
];

test.each([
  [{ kind: "square", side: 3 }, 1],
  [{ kind: "circle", radius: 3 }, 0],
  ["none", 2],
  [[1], 3],
  [undefined, 0],
  [7, 0],
] as const)("finds the alternative of %j", (value, at) => {
  expect(alternativeOf(shapes, value, {})).toBe(at);
});

test("names alternatives by what tells them apart", () => {
  expect(shapes.map((shape) => alternativeName(shape, {}))).toEqual(["circle", "square", "string", "array"]);
  expect(alternativeName({ $ref: "#/$defs/order", title: "Order" }, root)).toBe("Order");
});

test("knows what takes null", () => {
  expect(
    [{ type: ["string", "null"] }, { enum: ["a", null] }, { anyOf: [{}, { type: "null" }] }].map(takesNull),
  ).toEqual([true, true, true]);
  expect(takesNull({ type: "string" })).toBe(false);
});
