import { expect, test } from "vitest";
import type { Problem } from "#/api/types.ts";
import { choice, type FormField, LINES, LOCAL_TIME, NUMBER, OBJECT, TEXT } from "#/forms/field.ts";
import { placedNames, readForm, rejections } from "#/forms/reading.ts";

const fields: readonly FormField[] = [
  { name: "path", label: "Path", kind: TEXT, isRequired: true },
  { name: "cron", label: "Cron", kind: LINES },
  { name: "count", label: "Count", kind: NUMBER },
  { name: "input", label: "Input", kind: OBJECT, serverName: "run.input" },
  { name: "from", label: "From", kind: LOCAL_TIME },
  { name: "overlap", label: "Overlap", kind: choice([["skip", "Skip"]]) },
];

test("reads each kind of value, and leaves out what is empty", () => {
  const texts = {
    path: " a/b ",
    cron: "0 2 * * *\n\n 1 2 * * * ",
    count: "3",
    input: '{"a":1}',
    from: "",
    overlap: "",
  };
  expect(readForm(fields, texts)).toEqual({
    kind: "values",
    values: { path: "a/b", cron: ["0 2 * * *", "1 2 * * *"], count: 3, input: { a: 1 } },
  });
});

test("says at each field why it cannot be read", () => {
  const reading = readForm(fields, { count: "x", input: "[]", from: "soon" });
  expect(reading.kind === "problems" ? Object.keys(reading.problems).sort() : []).toEqual([
    "count",
    "from",
    "input",
    "path",
  ]);
});

test("puts the words of the server at their fields", () => {
  const problem = {
    errors: [
      { field: "cron[1]", message: "is wrong" },
      { field: "run.input.name", message: "is missing" },
      { field: "crontab", message: "is unknown" },
    ],
  } as Problem;
  expect(rejections(fields, problem)).toEqual({ cron: "is wrong", input: "is missing" });
  expect([...placedNames(fields, problem)]).toEqual(["cron[1]", "run.input.name"]);
});
