import { expect, test } from "vitest";
import type { Problem } from "#/api/types.ts";
import { problemText } from "#/parts/problem_text.ts";
import { words } from "#/words/words.ts";

function problem(detail: string, ...fields: string[]): Problem {
  const errors = fields.map((field) => ({ field, message: `${field} is wrong.` }));
  return { type: "", title: "", status: 400, detail, code: "invalid", errors, trace_id: "" };
}

const A = [{ field: "a", message: "a is wrong." }];

test.each([
  ["a detail without errors", problem("No."), [], "No.", []],
  ["errors that the detail does not repeat", problem("No.", "a"), [], "No.", A],
  ["errors that the detail repeats", problem("No: a is wrong.", "a"), [], "No: a is wrong.", []],
  ["errors that fields show", problem("No: a is wrong.", "a"), ["a"], words.common.seeFields, []],
  ["errors of which fields show some", problem("a is wrong. b is wrong.", "a", "b"), ["b"], words.common.refused, A],
  ["errors of which the detail repeats some", problem("b is wrong.", "a", "b"), ["b"], words.common.refused, A],
])("says %s once", (_, rejected, atFields, message, errors) => {
  expect(problemText(rejected, new Set(atFields))).toEqual({ message, errors });
});
