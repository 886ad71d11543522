import { expect, test } from "vitest";
import { fieldKind, initialValue, resolve, type Schema } from "#/pages/definitions/form/schema.ts";

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
  [{}, "json"],
])("shows %j as %s", (schema, kind) => {
  expect(fieldKind(schema).kind).toBe(kind);
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
