import { expect, test } from "vitest";
import { ProblemError } from "#/api/problem.ts";
import { pathIn, problemsBelow } from "#/pages/definitions/form/field_problems.ts";

test("finds the problems of a form by the paths of its fields", () => {
  const errors = [
    { field: "input.items[0].count", message: "is a text" },
    { field: "input", message: "is too large" },
    { field: "input.items[0].count", message: "is too long" },
    { field: "inputs", message: "is something else" },
  ];
  const problem = { type: "", title: "", status: 400, detail: "no", code: "invalid", errors, trace_id: "" };
  expect(problemsBelow(new ProblemError(problem), "input")).toEqual({
    "items[0].count": "is a text\nis too long",
    "": "is too large",
  });
  expect(problemsBelow(new Error("no answer"), "input")).toEqual({});
  expect(pathIn(pathIn(pathIn("", "items"), 0), "count")).toBe("items[0].count");
});
