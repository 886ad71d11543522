import { expect, test } from "vitest";
import { readFields } from "#/actions/field_values.ts";

const fields = [
  { name: "input", label: "", kind: "object" },
  { name: "result", label: "", kind: "json" },
  { name: "reason", label: "", kind: "text" },
] as const;

test("reads JSON and texts, and leaves out what is empty", () => {
  expect(readFields(fields, { input: ' {"a": 1} ', reason: " why ", result: "" })).toEqual({
    kind: "values",
    values: { input: { a: 1 }, reason: "why" },
  });
});

test("says what is wrong at each field", () => {
  const reading = readFields(fields, { input: "[]", result: "{" });
  expect(reading.kind === "problems" && Object.keys(reading.problems)).toEqual(["input", "result"]);
});
