import { expect, test } from "vitest";
import { ProblemError } from "#/api/problem.ts";
import { pathIn, problemsAt } from "#/pages/definitions/form/field_problems.ts";
import type { Schema } from "#/pages/definitions/form/schema.ts";

const schema: Schema = {
  type: "object",
  properties: {
    items: { type: "array", items: { type: "object", properties: { count: { type: "integer" } } } },
    tags: { type: "object", additionalProperties: { type: "string" } },
    any: {},
  },
};
const value = { items: [{ count: 1 }], tags: { team: "a" } };

function rejected(...fields: string[]) {
  const errors = fields.map((field) => ({ field, message: `${field} is wrong` }));
  return new ProblemError({ type: "", title: "", status: 400, detail: "no", code: "invalid", errors, trace_id: "" });
}

test("finds the problems of a form by the paths of its fields", () => {
  const error = rejected("input.items[0].count", "input.items[0].count", "inputs");
  const message = "input.items[0].count is wrong";
  const { fields, named } = problemsAt(error, "input", { schema, value });
  expect(fields).toEqual({ "items[0].count": `${message}\n${message}` });
  expect([...named]).toEqual(["input.items[0].count"]);
  expect(problemsAt(new Error("no answer"), "input", { schema, value }).named.size).toBe(0);
  expect(pathIn(pathIn(pathIn("", "items"), 0), "count")).toBe("items[0].count");
});

test.each([
  ["input.items", true],
  ["input.items[0]", true],
  ["input.items[1]", false],
  ["input.items[0].other", false],
  ["input.tags.team", true],
  ["input.tags.gone", false],
  ["input.any", true],
  ["input.any.deep", false],
  ["input.unknown", false],
  ["input", false],
])("a form has a field for %s: %s", (field, isShown) => {
  expect(problemsAt(rejected(field), "input", { schema, value }).named.has(field)).toBe(isShown);
});

test("has a place for all of a value that is no object, and none without a form", () => {
  expect(problemsAt(rejected("payload"), "payload", { schema: { type: "string" }, value: "x" }).named.size).toBe(1);
  expect(problemsAt(rejected("input.items"), "input", undefined).named.size).toBe(0);
});
